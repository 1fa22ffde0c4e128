/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Middling lists of floats: if numbers are even they move at once to cells that are ranges of
 * numbers, and each cell is listed as a leaf, which finds out by itself what codes it has; if they
 * are few, their counts are all that is needed.
 */
#ifndef CONSORT_MSD_MIDDLING_NUMBERS_CUH
#define CONSORT_MSD_MIDDLING_NUMBERS_CUH

#include "cuda/sorts/msd/msd_middling_cells.cuh"

/* Whether keys are floats that lie in memory as they are. */
static __device__ __forceinline__ bool msd_are_held_numbers(const msd_arguments &a)
{
    return (a.codec.magnitude[0] | a.codec.magnitude[1]) != 0 && !a.codec.swap;
}

/* By all blocks, when what they have counted is of no use: everything is as it was. */
static __device__ __forceinline__ uint32_t msd_clear_again(const msd_arguments &a)
{
    grid_wait(grid_arrive());
    return msd_clear_tables(a);
}

/* By the block without keys. */
template <typename K>
static __device__ __forceinline__ void msd_list_cells(const msd_arguments &a,
                                                      const msd_middling_cell &cell)
{
    msd_file(a, cell.begin, cell.count, 1, (K)0, (K) ~(K)0);
    if (threadIdx.x == 0)
        a.control->mode = MSD_LISTED;
}

/* False if some key is no number, or cells are uneven. */
template <typename K>
static __device__ __forceinline__ bool msd_move_numbers_at_once(const msd_arguments &a,
                                                                msd_middling_tile<K> &tile,
                                                                const msd_value_map<K> &map)
{
    const msd_number_digit<K> digit = {map, msd_codec<K>(a.codec)};
    const uint32_t place = msd_count_held(a, tile, digit, a.control->cell_keys);
    grid_barrier(&a.control->arrivals);
    msd_middling_cell cell;
    if (load_relaxed(&a.control->nameless) || !msd_cells_are_even(a, cell, tile.s.warp_sums))
        return false;
    if (blockIdx.x == 0) {
        msd_list_cells<K>(a, cell);
        return true;
    }
    tile.note_base(place + cell.begin);
    tile.put_in_order(digit);
    __syncthreads();
    tile.write_runs(digit, (K *)a.buffers[1], tile.filled, [&](K key) { return digit.moved(key); });
    return true;
}

/* Numbers as a few keys show them. */
template <typename K> struct msd_seen_numbers {
    bool few, even;
    code_range<K> range; /* of even ones */

    /* By all blocks, which look at the same keys while their own come to the cache. */
    static __device__ __forceinline__ msd_seen_numbers of(const msd_arguments &a,
                                                          msd_middling_storage<K> &s)
    {
        constexpr unsigned threads = MSD_MIDDLING_THREADS;
        msd_seen_numbers seen = {};
        msd_read_ahead<K>(a);
        const K sampled = msd_few_sample<K, threads>(a);
        seen.few = msd_keys_are_few<K, threads>(a, sampled, s.few);
        seen.even = !seen.few && msd_numbers_seem_even<K, threads>(a, sampled, s.guess.ranges,
                                                                   s.guess.parts, &seen.range);
        return seen;
    }
};

/* By all blocks, of few or even ones: whether nothing but leaves is left. If not, tables are clear
 * behind `cleared`. Not inlined: registers of what follows would spill. So it finds its shared
 * memory by itself. */
template <typename K>
__attribute__((noinline)) static __device__ bool
msd_middling_of_numbers(const msd_arguments &a, const msd_seen_numbers<K> &seen, uint32_t *cleared)
{
    SHARED_DYNAMIC(storage, msd_middling_storage<K>);
    msd_middling_storage<K> &s = *storage;
    const msd_middling_share share = msd_middling_share::of(a);
    const bool few = seen.few;
    msd_middling_tile<K> tile(s.tile);
    tile.load((const K *)a.in + share.first, share.count);
    msd_value_map<K> map;
    if (!few && !msd_fit_block(a, seen.range.low, seen.range.high, s.guess.fitted, &map))
        return false;
    if (few)
        tile.encode(msd_codec<K>(a.codec));
    grid_wait(*cleared);
    if (few ? msd_sort_few_middling(a, tile, s) : msd_move_numbers_at_once(a, tile, map))
        return true;
    *cleared = msd_clear_again(a);
    return false;
}

#endif
