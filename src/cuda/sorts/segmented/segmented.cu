/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `segmented`; the host side is cuda_segmented.c. */
#include "cuda/device/key_class.cuh"
#include "cuda/sorts/segmented/segmented_begin.cuh"
#include "cuda/sorts/segmented/segmented_classify.cuh"
#include "cuda/sorts/segmented/segmented_deep.cuh"
#include "cuda/sorts/segmented/segmented_finish.cuh"
#include "cuda/sorts/segmented/segmented_leaves.cuh"
#include "cuda/sorts/segmented/segmented_move.cuh"
#include "cuda/sorts/segmented/segmented_picks.cuh"
#include "cuda/sorts/segmented/segmented_runs.cuh"
#include "cuda/sorts/segmented/segmented_tiny.cuh"
#include "cuda/sorts/segmented/segmented_tuning.h"

KERNEL(segmented_classify_all, SEGMENTED_CLASSIFY_THREADS, 6)
(const __grid_constant__ segmented_arguments arguments)
{
    segmented_begin();
    SHARED(storage, segmented_classify_storage);
    segmented_classify(arguments, storage);
}
KERNEL_EXPORT(segmented_classify_all);

KERNEL(segmented_scan_all, SEGMENTED_SCAN_THREADS)
(const __grid_constant__ segmented_arguments arguments, uint32_t level)
{
    segmented_begin();
    SHARED(storage, segmented_scan_storage);
    segmented_scan(arguments, level, storage);
}
KERNEL_EXPORT(segmented_scan_all);

#define SEGMENTED_NETWORKS(bits, paired, items, threads, blocks, tiny_items, tiny_blocks)          \
    static_assert(tiny_items >= items, "what no thread sorts alone takes two");                    \
    KERNEL(segmented_tiny_##bits##_##paired, SEGMENTED_TINY_THREADS, tiny_blocks)                  \
    (const __grid_constant__ segmented_arguments arguments)                                        \
    {                                                                                              \
        segmented_begin();                                                                         \
        segmented_finish(arguments);                                                               \
        using storage = segmented_tiny_storage<key_class<bits>::type, paired, tiny_items>;         \
        SHARED(warps, storage[SEGMENTED_TINY_THREADS / 32]);                                       \
        segmented_tiny<key_class<bits>::type, paired, tiny_items>(arguments, warps);               \
    }                                                                                              \
    KERNEL_EXPORT(segmented_tiny_##bits##_##paired);                                               \
    KERNEL(segmented_warps_##bits##_##paired, SEGMENTED_WARPS_THREADS, blocks)                     \
    (const __grid_constant__ segmented_arguments arguments)                                        \
    {                                                                                              \
        segmented_begin();                                                                         \
        SHARED_DYNAMIC(tile, uint4);                                                               \
        SHARED(chains, segmented_chain[SEGMENTED_WARPS_THREADS / 32]);                             \
        using key_type = key_class<bits>::type;                                                    \
        const uint32_t others = gridDim.x - arguments.parts_blocks;                                \
        if (blockIdx.x < others)                                                                   \
            segmented_warps<key_type, paired, items>(arguments, others, tile);                     \
        else                                                                                       \
            segmented_parts<key_type, paired, items>(arguments, blockIdx.x - others, chains,       \
                                                     tile);                                        \
    }                                                                                              \
    KERNEL_EXPORT(segmented_warps_##bits##_##paired);
SEGMENTED_SHAPES(SEGMENTED_NETWORKS)

#define SEGMENTED_BLOCKS(bits, paired, items, threads, blocks, tiny_items, tiny_blocks)            \
    KERNEL(segmented_blocks_##bits##_##paired, threads, 2)                                         \
    (const __grid_constant__ segmented_arguments arguments, uint32_t leaf_class)                   \
    {                                                                                              \
        segmented_begin();                                                                         \
        SHARED_DYNAMIC(tile, uint4);                                                               \
        SHARED(chain, segmented_chain);                                                            \
        segmented_blocks<key_class<bits>::type, paired, items>(arguments, (int)leaf_class, chain,  \
                                                               tile);                              \
    }                                                                                              \
    KERNEL_EXPORT(segmented_blocks_##bits##_##paired);
SEGMENTED_BLOCK_SHAPES(SEGMENTED_BLOCKS)

#define SEGMENTED_RUNS(bits, blocks)                                                               \
    KERNEL(segmented_runs_##bits, SEGMENTED_WARPS_THREADS, blocks)                                 \
    (const __grid_constant__ segmented_arguments arguments)                                        \
    {                                                                                              \
        segmented_begin();                                                                         \
        SHARED_DYNAMIC(tile, uint4);                                                               \
        using storage = segmented_run_storage<SEGMENTED_RUN_ITEMS>;                                \
        SHARED(warps, storage[SEGMENTED_WARPS_THREADS / 32]);                                      \
        segmented_runs<key_class<bits>::type, SEGMENTED_RUN_ITEMS>(arguments, warps, tile);        \
    }                                                                                              \
    KERNEL_EXPORT(segmented_runs_##bits);
SEGMENTED_RUN_SHAPES(SEGMENTED_RUNS)

#define SEGMENTED_PICKS(bits, blocks)                                                              \
    KERNEL(segmented_picks_##bits, SEGMENTED_WARPS_THREADS, blocks)                                \
    (const __grid_constant__ segmented_arguments arguments)                                        \
    {                                                                                              \
        segmented_begin();                                                                         \
        using storage = segmented_pick_storage<key_class<bits>::type>;                             \
        SHARED(warps, storage[SEGMENTED_WARPS_THREADS / 32]);                                      \
        segmented_picks<key_class<bits>::type>(arguments, warps);                                  \
    }                                                                                              \
    KERNEL_EXPORT(segmented_picks_##bits);
SEGMENTED_PICK_SHAPES(SEGMENTED_PICKS)

#define SEGMENTED_LARGE(bits, paired, items)                                                       \
    using segmented_mover_##bits##_##paired =                                                      \
        segmented_mover<key_class<bits>::type, paired, SEGMENTED_TILE_THREADS, items>;             \
    using segmented_levels_##bits##_##paired =                                                     \
        segmented_deep_mover<key_class<bits>::type, paired, SEGMENTED_TILE_THREADS, items>;        \
    static_assert(sizeof(segmented_mover_##bits##_##paired::storage) ==                            \
                      segmented_move_bytes(bits / 8, paired, items),                               \
                  "the host asks for what the tile needs");                                        \
    static_assert(sizeof(segmented_levels_##bits##_##paired::storage) <=                           \
                      segmented_move_bytes(bits / 8, paired, items),                               \
                  "and for no less than the deeper levels need");                                  \
    KERNEL(segmented_deep_##bits##_##paired, SEGMENTED_TILE_THREADS, 2)                            \
    (const __grid_constant__ segmented_arguments arguments, uint32_t level)                        \
    {                                                                                              \
        SHARED_DYNAMIC(storage, segmented_levels_##bits##_##paired::storage);                      \
        segmented_levels_##bits##_##paired::run(arguments, level, *storage);                       \
    }                                                                                              \
    KERNEL_EXPORT(segmented_deep_##bits##_##paired);
SEGMENTED_TILES(SEGMENTED_LARGE)

#define SEGMENTED_MOVE(bits, paired)                                                               \
    KERNEL(segmented_move_##bits##_##paired, SEGMENTED_TILE_THREADS, 2)                            \
    (const __grid_constant__ segmented_arguments arguments, uint32_t level)                        \
    {                                                                                              \
        segmented_begin();                                                                         \
        SHARED_DYNAMIC(storage, segmented_mover_##bits##_##paired::storage);                       \
        segmented_move<segmented_mover_##bits##_##paired>(arguments, level, *storage);             \
    }                                                                                              \
    KERNEL_EXPORT(segmented_move_##bits##_##paired);
SEGMENTED_MOVE(8, 1)
SEGMENTED_MOVE(16, 1)
SEGMENTED_MOVE(32, 1)
SEGMENTED_MOVE(64, 1)
SEGMENTED_MOVE(128, 1)

#define SEGMENTED_COUNT(bits)                                                                      \
    KERNEL(segmented_count_##bits, SEGMENTED_TILE_THREADS)                                         \
    (const __grid_constant__ segmented_arguments arguments, uint32_t level)                        \
    {                                                                                              \
        segmented_begin();                                                                         \
        SHARED(bins, uint32_t[SEGMENTED_COUNT_COPIES][SEGMENTED_BINS]);                            \
        segmented_count<key_class<bits>::type>(arguments, level, bins);                            \
    }                                                                                              \
    KERNEL_EXPORT(segmented_count_##bits);
SEGMENTED_COUNT(8)
SEGMENTED_COUNT(128)
