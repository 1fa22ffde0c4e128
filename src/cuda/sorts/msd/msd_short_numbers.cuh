/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short lists of floats in one launch. Their highest digits, mostly exponents, are never even, but
 * those of the numbers may be: a sample, which all blocks take, says where numbers lie, and digits
 * are parts of that range, all as long. What follows is as with even integers.
 */
#ifndef CONSORT_MSD_SHORT_NUMBERS_CUH
#define CONSORT_MSD_SHORT_NUMBERS_CUH

#include "cuda/sorts/msd/msd_short_digits.cuh"
#include "cuda/sorts/msd/msd_values.cuh"

enum {
    MSD_NUMBER_PARTS = 16 /* of the range, that should have as many sampled keys each */
};

/* Key to digit: numbers beyond the range belong to the first and the last. Keys become codes. */
template <typename K> struct msd_number_digit {
    static constexpr bool of_keys = true;
    msd_value_map<K> map;
    msd_codec<K> codec;

    __device__ __forceinline__ uint32_t operator()(K key) const
    {
        return (uint32_t)map.inner_place(key) % MSD_DIGITS;
    }

    __device__ __forceinline__ K moved(K key) const
    {
        return codec.encode_straight(key);
    }
};

/* Whether a sample seems even, of which a thread has one key, and its codes' range: of even keys
 * hardly ever are nearly twice as many in one of the parts as should be. Asked before anything is
 * loaded or worked out exactly: of lists that are not it is all they pay. `parts`: as many
 * counters. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ bool msd_numbers_seem_even(const msd_arguments &a, K sampled,
                                                             code_range<K> *warp_ranges,
                                                             uint32_t *parts, code_range<K> *range)
{
    using number = msd_number<K>;
    constexpr uint32_t most = Threads / MSD_NUMBER_PARTS * 15 / 8;
    const codes<K> codec(a.codec);
    if (threadIdx.x < MSD_NUMBER_PARTS)
        parts[threadIdx.x] = 0;
    range->clear();
    range->add(codec.encode(sampled));
    range->join_block(warp_ranges);
    const auto low = number::of(codec.decode(range->low));
    const auto width = number::of(codec.decode(range->high)) - low;
    const auto part = (number::of(sampled) - low) / width * MSD_NUMBER_PARTS;
    if (part >= 0 && part <= MSD_NUMBER_PARTS) /* else there is something that is no number */
        atomicAdd(&parts[min((uint32_t)part, MSD_NUMBER_PARTS - 1u)], 1u);
    else
        atomicAdd(&parts[0], Threads);
    __syncthreads();
    return !__syncthreads_or(threadIdx.x < MSD_NUMBER_PARTS && parts[threadIdx.x] > most);
}

/* Of the block's keys, as they came. Returns where in each digit those of the block begin; a key
 * that is no number is noted. */
template <typename K, typename Tile>
static __device__ __forceinline__ uint32_t msd_count_numbers(const msd_arguments &a, Tile &tile,
                                                             const msd_number_digit<K> &digit)
{
    tile.clear_bins();
    bool none = false;
    tile.for_each([&](uint32_t, K key) { none |= msd_value_map<K>::is_nan(key); });
    if (none)
        store_relaxed(&a.control->nameless, 1u);
    __syncthreads();
    tile.count_keys(digit);
    __syncthreads();
    return tile.find_places(a.control->bucket_cursor);
}

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
    const uint32_t place = msd_count_numbers(a, tile, digit);
    grid_barrier(&a.control->arrivals);
    if (load_relaxed(&a.control->nameless) ||
        !msd_digits_are_even<Threads>(a.small_leaf, a.control->bucket_cursor, leaf_bits, s.begins,
                                      s.levels.warp_sums))
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
