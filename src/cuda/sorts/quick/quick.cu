/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `quick`; the host side is quick.c. */
#include "cuda/sorts/items/items_kinds.h"
#include "cuda/sorts/quick/quick_levels.cuh"

#define QUICK_KERNELS(code_bits, code, index_bits, index)                                          \
    using quick_of_##code_bits##_##index_bits = quick_levels<code, index>;                         \
    KERNEL(quick_levels_##code_bits##_##index_bits, SPLIT_THREADS, 2)                              \
    (const __grid_constant__ split_arguments a)                                                    \
    {                                                                                              \
        SHARED_DYNAMIC(storage, quick_of_##code_bits##_##index_bits::storage);                     \
        quick_of_##code_bits##_##index_bits{a, *storage}.run();                                    \
    }                                                                                              \
    KERNEL_EXPORT(quick_levels_##code_bits##_##index_bits);
ITEMS_KINDS(QUICK_KERNELS)
