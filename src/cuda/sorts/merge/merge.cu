/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `merge`, for each key width with places and without. */
#include "cuda/device/early_launch.cuh"
#include "cuda/device/key_class.cuh"
#include "cuda/sorts/merge/merge_four.cuh"
#include "cuda/sorts/merge/merge_round.cuh"
#include "cuda/sorts/merge/merge_tile.cuh"
#include "cuda/sorts/merge/merge_tuning.h"

#define MERGE_KERNEL(what, work, slack, bits, placed, threads, items, blocks)                      \
    using merge_##what##_storage_##bits##_##placed =                                               \
        block_merge<key_class<bits>::type, placed, threads, items + slack>::storage;               \
    static_assert(sizeof(merge_##what##_storage_##bits##_##placed) ==                              \
                      merge_shared_bytes(bits / 8, placed, threads, items + slack),                \
                  "the host asks for what the block needs");                                       \
    KERNEL(merge_##what##_##bits##_##placed, threads, blocks)                                      \
    (const __grid_constant__ merge_arguments arguments)                                            \
    {                                                                                              \
        SHARED_DYNAMIC(storage, merge_##what##_storage_##bits##_##placed);                         \
        early_launch_wait();                                                                       \
        work<key_class<bits>::type, placed, threads, items>(arguments, *storage);                  \
    }                                                                                              \
    KERNEL_EXPORT(merge_##what##_##bits##_##placed);

/* A list that is one tile is sorted by a block that has a multiprocessor for itself. */
#define MERGE_TILE(...)    MERGE_KERNEL(tile, merge_tile, 0, __VA_ARGS__)
#define MERGE_ALONE(...)   MERGE_KERNEL(alone, merge_tile, 0, __VA_ARGS__)
#define MERGE_MIDDLE(...)  MERGE_KERNEL(middle, merge_tile, 0, __VA_ARGS__)
#define MERGE_SHORT(...)   MERGE_KERNEL(short, merge_tile, 0, __VA_ARGS__)
#define MERGE_ROUND(...)   MERGE_KERNEL(round, merge_round, 0, __VA_ARGS__)
#define MERGE_BY_FOUR(...) MERGE_KERNEL(four, merge_four, MERGE_FOUR_SLACK, __VA_ARGS__)
MERGE_TILE_SHAPES(MERGE_TILE)
MERGE_ALONE_SHAPES(MERGE_ALONE)
MERGE_MIDDLE_SHAPES(MERGE_MIDDLE)
MERGE_SHORT_SHAPES(MERGE_SHORT)
MERGE_ROUND_SHAPES(MERGE_ROUND)
MERGE_FOUR_SHAPES(MERGE_BY_FOUR)

#define MERGE_CUT(bits)                                                                            \
    KERNEL(merge_cut_##bits, MERGE_CUT_THREADS)                                                    \
    (const __grid_constant__ merge_arguments arguments, uint32_t tile_keys, uint32_t group)        \
    {                                                                                              \
        SHARED(ends, uint64_t[MERGE_CUT_THREADS / 32]);                                            \
        early_launch_release();                                                                    \
        early_launch_wait();                                                                       \
        merge_cut_tiles<key_class<bits>::type, MERGE_CUT_THREADS>(arguments, tile_keys, group,     \
                                                                  ends);                           \
    }                                                                                              \
    KERNEL_EXPORT(merge_cut_##bits);
MERGE_CUT(8)
MERGE_CUT(16)
MERGE_CUT(32)
MERGE_CUT(64)
MERGE_CUT(128)

#define MERGE_CUT_FOUR(bits)                                                                       \
    KERNEL(merge_cut_four_##bits, MERGE_CUT_THREADS)                                               \
    (const __grid_constant__ merge_arguments arguments, uint32_t tile_keys)                        \
    {                                                                                              \
        early_launch_release();                                                                    \
        early_launch_wait();                                                                       \
        merge_cut_four_runs<key_class<bits>::type>(arguments, tile_keys);                          \
    }                                                                                              \
    KERNEL_EXPORT(merge_cut_four_##bits);
MERGE_CUT_FOUR(32)
MERGE_CUT_FOUR(64)

KERNEL(merge_straighten, MERGE_STRAIGHTEN_THREADS)
(const __grid_constant__ merge_arguments arguments, uint32_t tile_keys, uint32_t cut_tiles)
{
    early_launch_release();
    early_launch_wait();
    merge_straighten_cuts(arguments, tile_keys, cut_tiles);
}
KERNEL_EXPORT(merge_straighten);
