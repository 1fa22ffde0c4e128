/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `sample`; the host side is sample.c. */
#include "cuda/sorts/items/items_kinds.h"
#include "cuda/sorts/sample/sample_levels.cuh"

#define SAMPLE_KERNELS(code_bits, code, index_bits, index)                                         \
    using sample_of_##code_bits##_##index_bits = sample_levels<code, index>;                       \
    KERNEL(sample_levels_##code_bits##_##index_bits, SPLIT_THREADS, 2)                             \
    (const __grid_constant__ split_arguments a)                                                    \
    {                                                                                              \
        SHARED_DYNAMIC(storage, sample_of_##code_bits##_##index_bits::storage);                    \
        sample_of_##code_bits##_##index_bits{a, *storage}.run();                                   \
    }                                                                                              \
    KERNEL_EXPORT(sample_levels_##code_bits##_##index_bits);
ITEMS_KINDS(SAMPLE_KERNELS)
