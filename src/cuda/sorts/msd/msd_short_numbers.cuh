/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short lists of floats in one launch: digits are ranges of numbers, and what follows is as with
 * even integers.
 */
#ifndef CONSORT_MSD_SHORT_NUMBERS_CUH
#define CONSORT_MSD_SHORT_NUMBERS_CUH

#include "cuda/sorts/msd/msd_held_numbers.cuh"
#include "cuda/sorts/msd/msd_short_digits.cuh"

/* Whether the whole list was sorted so. Not inlined, as its registers would be spilled elsewhere.
 */
template <typename K, unsigned Threads, unsigned Items, typename Local>
__attribute__((noinline)) static __device__ bool msd_whole_of_numbers(const msd_arguments &a,
                                                                      K sampled)
{
    SHARED_DYNAMIC(storage, msd_whole_storage<K, Threads, Items, Local>);
    msd_whole_storage<K, Threads, Items, Local> &s = *storage;
    code_range<K> range;
    msd_value_map<K> map;
    if (a.codec.swap || a.cell_bits != MSD_DIGIT_BITS ||
        !msd_numbers_seem_even<K, Threads>(a, sampled, s.ranges, s.begins, &range))
        return false;
    const uint32_t leaf_bits = msd_leaf_digit_bits(a.count, a.small_leaf);
    const msd_whole_share share = msd_whole_share::of((uint32_t)a.count);
    msd_tile<K, Threads, Items> tile(s.levels.tile);
    tile.load((const K *)a.in + share.first, share.count);
    if (!msd_fit_block(a, range.low, range.high, s.fitted, &map))
        return false;
    const msd_number_digit<K> digit = {map, msd_codec<K>(a.codec)};
    const uint32_t place = msd_count_held(a, tile, digit, a.control->cell_keys + MSD_DIGITS);
    grid_barrier(&a.control->arrivals);
    if (load_relaxed(&a.control->nameless) ||
        !msd_digits_are_even<Threads>(a.small_leaf, a.control->cell_keys + MSD_DIGITS, leaf_bits,
                                      s.begins, s.levels.warp_sums))
        return false;
    tile.note_base(place + s.begins[threadIdx.x / (Threads / MSD_DIGITS)]);
    tile.put_in_order(digit);
    __syncthreads();
    tile.write_runs(digit, (K *)a.buffers[0], tile.filled, [&](K key) { return digit.moved(key); });
    grid_barrier(&a.control->arrivals);
    msd_tell_outcome(a);
    msd_sort_digits<K, Local>(a, leaf_bits, s.begins, s.leaf, [](Local &local, uint32_t, K *to) {
        msd_sort_leaf(local, to, [] {});
    });
    return true;
}

#endif
