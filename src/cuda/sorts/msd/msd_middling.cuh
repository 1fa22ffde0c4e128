/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Middling lists of 4-byte keys, in the launch that else samples, counts and plans. Floats are
 * asked first whether their numbers are even, or few (msd_middling_numbers.cuh). While one block
 * samples, the others hold all keys in their registers and count the highest bits of their codes,
 * as many as tell cells apart. If cells are even keys move there at once, by one partition, and
 * leaves are all that is left; if few keys differ, their counts are; if passes are to sort, the
 * first of them moves keys at once, too. If nothing of that, nothing has moved, the sample is
 * known, and all goes on as in longer lists.
 *
 * Up to 2^22 keys are one tile for each multiprocessor of an H200 but one.
 */
#ifndef CONSORT_MSD_MIDDLING_CUH
#define CONSORT_MSD_MIDDLING_CUH

#include "cuda/sorts/msd/msd_middling_numbers.cuh"
#include "cuda/sorts/msd/msd_middling_passes.cuh"

/* By the block without keys: where cells end, and which wait for large leaves. */
template <typename K>
static __device__ __forceinline__ void msd_note_cells(const msd_arguments &a,
                                                      const msd_linear_digit<K> &digit,
                                                      const msd_middling_cell &cell)
{
    const uint32_t number = threadIdx.x;
    if (number < 1u << a.cell_bits) {
        a.cells[number] = cell.begin + cell.count;
        const K low = (K)((K)number << digit.shift);
        if (cell.count > a.small_leaf)
            msd_file(a, cell.begin, cell.count, 1, low, (K)(low + msd_ones<K>(digit.shift)));
    }
    if (threadIdx.x == 0) {
        code_to_words(digit.base, a.control->base);
        a.control->shift = digit.shift;
        a.control->mode = MSD_MOVED;
    }
}

template <typename K>
static __device__ __forceinline__ void
msd_middling(const msd_arguments &a, const lsd_arguments &passes, msd_middling_storage<K> &s)
{
    constexpr uint32_t threads = MSD_MIDDLING_THREADS;
    static_assert(threads == MSD_HISTOGRAM_THREADS && threads == MSD_MIDDLING_CELLS,
                  "a thread for each cell");
    const msd_linear_digit<K> digit = {0, 8 * (uint32_t)sizeof(K) - a.cell_bits,
                                       (1u << a.cell_bits) - 1};
    uint32_t cleared = msd_clear_tables(a);
    if (msd_are_held_numbers(a) && msd_middling_of_numbers<K>(a, &cleared))
        return;
    msd_middling_tile<K> tile(s.tile);
    uint32_t place = 0;
    if (blockIdx.x == 0) {
        msd_sample_storage<K> &sample = s.front.sample;
        const msd_sampled<K> sampled(a, sample.warps, [&] { grid_wait(cleared); });
        if (msd_look_at_codes<K>(a, sampled, sample)) {
            const bool few = s.few.few.seem_few(sampled.code[0]);
            if (threadIdx.x == 0)
                a.control->many = !few;
        }
    } else {
        const msd_middling_share share = msd_middling_share::of(a);
        tile.load((const K *)a.in + share.first, share.count);
        tile.clear_bins();
        __syncthreads();
        tile.encode(msd_codec<K>(a.codec));
        tile.count_keys(digit);
        grid_wait(cleared);
        place = tile.find_places(a.control->cell_keys);
    }
    grid_barrier(&a.control->arrivals);
    msd_middling_cell cell;
    if (a.control->counted)
        return msd_front_behind_sample<K>(a, passes, s.front);
    if (!msd_cells_are_even(a, cell, s.tile.warp_sums)) {
        if (!a.control->many &&
            msd_keys_are_few<K, threads>(a, msd_few_sample<K, threads>(a), s.few) &&
            msd_sort_few<K, threads>(a, tile, msd_middling_share::of(a).first, s.few)) {
            if (blockIdx.x == 0 && threadIdx.x == 0)
                a.control->mode = MSD_WRITTEN;
        } else if (a.control->crowd) {
            msd_begin_passes<K>(a, passes, tile, s.front.digits);
        } else {
            msd_front_behind_sample<K>(a, passes, s.front);
        }
        return;
    }
    if (blockIdx.x == 0)
        return msd_note_cells(a, digit, cell);
    tile.note_base(place + cell.begin);
    tile.put_in_order(digit);
    __syncthreads();
    tile.write_runs(digit, (K *)a.buffers[1], tile.filled);
}

#endif
