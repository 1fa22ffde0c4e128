/* SPDX-License-Identifier: Apache-2.0 */
/* What middling lists have of codes and of numbers: tiles, and the cells that all keys move to at
 * once. */
#ifndef CONSORT_MSD_MIDDLING_CELLS_CUH
#define CONSORT_MSD_MIDDLING_CELLS_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/sorts/msd/msd_few.cuh"
#include "cuda/sorts/msd/msd_front.cuh"
#include "cuda/sorts/msd/msd_held_numbers.cuh"
#include "cuda/sorts/msd/msd_tile.cuh"

template <typename K>
using msd_middling_tile = msd_tile<K, MSD_MIDDLING_THREADS, MSD_MIDDLING_ITEMS, uint32_t,
                                   MSD_MIDDLING_COPIES, false, MSD_MIDDLING_CELLS>;

/* For a few keys, before the tile's counters are in use, which are behind it. */
template <typename K> struct msd_middling_guess_storage {
    code_range<K> ranges[MSD_MIDDLING_THREADS / 32];
    uint32_t parts[MSD_SAMPLE_PARTS];
    uint32_t varying[sizeof(K) / 4];
    msd_fitted fitted;
};

template <typename K> union msd_middling_storage {
    msd_front_storage<K> front;
    msd_few_storage<K, MSD_MIDDLING_THREADS> few;
    msd_middling_guess_storage<K> guess;
    typename msd_middling_tile<K>::storage tile;
};

/* The block's keys, whole rows of the tile but for the last block's; the first block has none. */
struct msd_middling_share {
    uint32_t first, count;

    static __device__ __forceinline__ msd_middling_share of(const msd_arguments &a)
    {
        if (blockIdx.x == 0)
            return {0, 0};
        const uint32_t count = (uint32_t)a.count, blocks = gridDim.x - 1;
        const uint32_t rows =
            (count + blocks * MSD_MIDDLING_THREADS - 1) / (blocks * MSD_MIDDLING_THREADS);
        const uint32_t each = rows * MSD_MIDDLING_THREADS;
        const uint32_t first = min((blockIdx.x - 1) * each, count);
        return {first, min(each, count - first)};
    }
};

/* By all blocks, whose tiles are codes, behind msd_keys_are_few(): false if some key is another. */
template <typename K>
static __device__ __forceinline__ bool msd_sort_few_middling(const msd_arguments &a,
                                                             const msd_middling_tile<K> &tile,
                                                             msd_middling_storage<K> &s)
{
    const uint32_t first = msd_middling_share::of(a).first;
    if (!msd_sort_few<K, MSD_MIDDLING_THREADS>(a, tile, first, s.few))
        return false;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        a.control->mode = MSD_WRITTEN;
    return true;
}

/* Keys of the thread's cell, of the whole list, and of lower cells. */
struct msd_middling_cell {
    uint32_t begin, count;
};

/* What all blocks find of the same counts: whether few keys are in cells too large for a leaf. */
static __device__ __forceinline__ bool
msd_cells_are_even(const msd_arguments &a, msd_middling_cell &cell, uint32_t *warp_sums)
{
    constexpr unsigned warps = MSD_MIDDLING_THREADS / 32;
    uint32_t all, larger;
    cell.count = __ldcg(&a.control->cell_keys[threadIdx.x]);
    cell.begin = block_exclusive_sum<warps>(cell.count, warp_sums, &all);
    block_exclusive_sum<warps>(cell.count > a.small_leaf ? cell.count : 0, warp_sums, &larger);
    return larger <= a.count / 8;
}

#endif
