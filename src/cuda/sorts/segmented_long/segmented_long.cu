/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for long segments of keys alone; the host side is segmented_long.c. */
#include "cuda/device/key_class.cuh"
#include "cuda/sorts/segmented/segmented_begin.cuh"
#include "cuda/sorts/segmented_long/segmented_long_bytes.cuh"
#include "cuda/sorts/segmented_long/segmented_long_count.cuh"
#include "cuda/sorts/segmented_long/segmented_long_leaves.cuh"
#include "cuda/sorts/segmented_long/segmented_long_move.cuh"
#include "cuda/sorts/segmented_long/segmented_long_scan.cuh"
#include "cuda/sorts/segmented_long/segmented_long_tuning.h"

#define SEGMENTED_LONG_LEAF(bits, c, most, threads, items, bin_bits, blocks)                       \
    using segmented_long_leaf_##bits##_##c =                                                       \
        msd_small<key_class<bits>::type, threads, items, bin_bits>::leaf;                          \
    static_assert(most <= threads * items, "keys of a leaf fit");                                  \
    static_assert(sizeof(segmented_long_leaf_##bits##_##c::storage) <=                             \
                      msd_small_bytes(bits / 8, threads, items, bin_bits),                         \
                  "the host asks for what leaves need");                                           \
    KERNEL(segmented_long_leaves_##bits##_##c, threads, blocks)                                    \
    (const __grid_constant__ segmented_arguments arguments)                                        \
    {                                                                                              \
        segmented_begin();                                                                         \
        SHARED_DYNAMIC(storage, segmented_long_leaf_##bits##_##c::storage);                        \
        SHARED(chain, segmented_chain);                                                            \
        segmented_long_leaves<segmented_long_leaf_##bits##_##c>(arguments, c, chain, *storage);    \
    }                                                                                              \
    KERNEL_EXPORT(segmented_long_leaves_##bits##_##c);
SEGMENTED_LONG_LEAVES(SEGMENTED_LONG_LEAF)

#define SEGMENTED_LONG_TILE(bits, items)                                                           \
    using segmented_long_tile_##bits =                                                             \
        msd_tile<key_class<bits>::type, SEGMENTED_TILE_THREADS, items, uint64_t>;                  \
    static_assert(sizeof(segmented_long_tile_##bits::storage) <=                                   \
                      segmented_long_tile_bytes(bits / 8, items),                                  \
                  "the host asks for what tiles need");                                            \
    KERNEL(segmented_long_move_##bits, SEGMENTED_TILE_THREADS, 2)                                  \
    (const __grid_constant__ segmented_arguments arguments, uint32_t level)                        \
    {                                                                                              \
        segmented_begin();                                                                         \
        SHARED_DYNAMIC(storage, segmented_long_tile_##bits::storage);                              \
        segmented_long_move<key_class<bits>::type, items>(arguments, level, *storage);             \
    }                                                                                              \
    KERNEL_EXPORT(segmented_long_move_##bits);
SEGMENTED_LONG_TILES(SEGMENTED_LONG_TILE)

KERNEL(segmented_long_scan_all, SEGMENTED_SCAN_THREADS)
(const __grid_constant__ segmented_arguments arguments, uint32_t level)
{
    static_assert((int)SEGMENTED_SCAN_THREADS == (int)SEGMENTED_BINS, "a thread for each digit");
    segmented_begin();
    SHARED(storage, segmented_long_scan_storage);
    segmented_long_scan(arguments, level, storage);
}
KERNEL_EXPORT(segmented_long_scan_all);

#define SEGMENTED_LONG_COUNT(bits, blocks)                                                         \
    KERNEL(segmented_long_count_##bits, SEGMENTED_TILE_THREADS, blocks)                            \
    (const __grid_constant__ segmented_arguments arguments, uint32_t level)                        \
    {                                                                                              \
        segmented_begin();                                                                         \
        SHARED(bins, uint32_t[SEGMENTED_COUNT_COPIES][SEGMENTED_BINS]);                            \
        segmented_long_count<key_class<bits>::type>(arguments, level, bins);                       \
    }                                                                                              \
    KERNEL_EXPORT(segmented_long_count_##bits);
SEGMENTED_LONG_COUNT(16, 4)
SEGMENTED_LONG_COUNT(32, 4)
SEGMENTED_LONG_COUNT(64, 4)

#define SEGMENTED_LONG_BYTES(name)                                                                 \
    KERNEL(segmented_long_##name##_8, SEGMENTED_LONG_BYTES_THREADS, SEGMENTED_LONG_BYTES_BLOCKS)   \
    (const __grid_constant__ segmented_arguments arguments)                                        \
    {                                                                                              \
        segmented_begin();                                                                         \
        SHARED(storage, segmented_long_bytes_storage);                                             \
        segmented_long_bytes_##name(arguments, storage);                                           \
    }                                                                                              \
    KERNEL_EXPORT(segmented_long_##name##_8);
SEGMENTED_LONG_BYTES(leaves)
SEGMENTED_LONG_BYTES(count)
SEGMENTED_LONG_BYTES(write)

KERNEL(segmented_long_scan_8, SEGMENTED_LONG_BYTES_THREADS)
(const __grid_constant__ segmented_arguments arguments)
{
    segmented_begin();
    SHARED(warp_sums, uint64_t[8]);
    segmented_long_bytes_scan(arguments, warp_sums);
}
KERNEL_EXPORT(segmented_long_scan_8);
