/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of the textbook radix sorts; the host side is radix_steps.c. */
#include "cuda/device/key_class.cuh"
#include "cuda/sorts/items/items_kinds.h"
#include "cuda/sorts/radix_steps/radix_steps_count.cuh"
#include "cuda/sorts/radix_steps/radix_steps_move.cuh"

#define RADIX_STEPS_COUNTS(bits)                                                                   \
    KERNEL(radix_steps_count_##bits, RADIX_STEPS_MOST_THREADS)                                     \
    (const __grid_constant__ radix_steps_pass p, uint32_t coarsening)                              \
    {                                                                                              \
        radix_steps_count<key_class<bits>::type>(p, coarsening);                                   \
    }                                                                                              \
    KERNEL_EXPORT(radix_steps_count_##bits);                                                       \
    KERNEL(radix_steps_count_ones_##bits, RADIX_STEPS_MOST_THREADS)                                \
    (const items a, radix_steps_control *control, uint32_t code_bits)                              \
    {                                                                                              \
        radix_steps_count_ones<key_class<bits>::type>(a, control, code_bits);                      \
    }                                                                                              \
    KERNEL_EXPORT(radix_steps_count_ones_##bits);
RADIX_STEPS_COUNTS(8)
RADIX_STEPS_COUNTS(16)
RADIX_STEPS_COUNTS(32)
RADIX_STEPS_COUNTS(64)
RADIX_STEPS_COUNTS(128)

KERNEL(radix_steps_scan_table, RADIX_STEPS_SCAN_THREADS)
(const __grid_constant__ radix_steps_pass p)
{
    radix_steps_scan(p);
}
KERNEL_EXPORT(radix_steps_scan_table);

#define RADIX_STEPS_SORTED(rows, code_bits, code, index_bits, index)                               \
    KERNEL(radix_steps_sorted_##rows##_##code_bits##_##index_bits, RADIX_STEPS_MOST_THREADS)       \
    (const __grid_constant__ radix_steps_pass p)                                                   \
    {                                                                                              \
        SHARED_DYNAMIC(shared, unsigned char);                                                     \
        radix_steps_sorted<code, index, rows>(p, shared);                                          \
    }                                                                                              \
    KERNEL_EXPORT(radix_steps_sorted_##rows##_##code_bits##_##index_bits);

#define RADIX_STEPS_MOVES(code_bits, code, index_bits, index)                                      \
    KERNEL(radix_steps_direct_1_##code_bits##_##index_bits, RADIX_STEPS_MOST_THREADS)              \
    (const __grid_constant__ radix_steps_pass p)                                                   \
    {                                                                                              \
        radix_steps_direct<code, index, true>(p);                                                  \
    }                                                                                              \
    KERNEL_EXPORT(radix_steps_direct_1_##code_bits##_##index_bits);                                \
    KERNEL(radix_steps_direct_3_##code_bits##_##index_bits, RADIX_STEPS_MOST_THREADS)              \
    (const __grid_constant__ radix_steps_pass p)                                                   \
    {                                                                                              \
        radix_steps_direct<code, index, false>(p);                                                 \
    }                                                                                              \
    KERNEL_EXPORT(radix_steps_direct_3_##code_bits##_##index_bits);                                \
    RADIX_STEPS_SORTED(1, code_bits, code, index_bits, index)                                      \
    RADIX_STEPS_SORTED(2, code_bits, code, index_bits, index)                                      \
    RADIX_STEPS_SORTED(4, code_bits, code, index_bits, index)                                      \
    RADIX_STEPS_SORTED(8, code_bits, code, index_bits, index)                                      \
    RADIX_STEPS_SORTED(16, code_bits, code, index_bits, index)
ITEMS_KINDS(RADIX_STEPS_MOVES)

KERNEL(radix_steps_tell, 1)
(uint64_t *counters, uint64_t passes, uint64_t tiles, uint64_t entries, uint64_t bytes)
{
    counters[0] = passes;
    counters[1] = tiles;
    counters[2] = entries;
    counters[3] = bytes;
}
KERNEL_EXPORT(radix_steps_tell);
