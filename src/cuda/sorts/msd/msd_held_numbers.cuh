/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of floats whose blocks hold all keys in registers. Their highest digits, mostly exponents,
 * are never even, but those of the numbers may be: a sample, which all blocks take, says where
 * numbers lie, and digits are parts of that range, all as long.
 */
#ifndef CONSORT_MSD_HELD_NUMBERS_CUH
#define CONSORT_MSD_HELD_NUMBERS_CUH

#include "cuda/sorts/msd/msd_skew.cuh"
#include "cuda/sorts/msd/msd_values.cuh"

/* Key to digit: numbers beyond the range belong to the first and the last. Keys become codes. */
template <typename K> struct msd_number_digit {
    static constexpr bool of_keys = true;
    msd_value_map<K> map;
    msd_codec<K> codec;

    __device__ __forceinline__ uint32_t operator()(K key) const
    {
        return (uint32_t)map.inner_place(key) & (map.cells - 1);
    }

    __device__ __forceinline__ K moved(K key) const
    {
        return codec.encode_straight(key);
    }
};

/* Whether a sample, of which a thread has one key, seems even in parts of its range, and the range
 * of its codes. Asked before anything is loaded or worked out exactly: of lists that are not it is
 * all they pay. `parts`: as many counters. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ bool msd_numbers_seem_even(const msd_arguments &a, K sampled,
                                                             code_range<K> *warp_ranges,
                                                             uint32_t *parts, code_range<K> *range)
{
    using number = msd_number<K>;
    const codes<K> codec(a.codec);
    if (threadIdx.x < MSD_SAMPLE_PARTS)
        parts[threadIdx.x] = 0;
    range->clear();
    range->add(codec.encode(sampled));
    range->join_block(warp_ranges);
    const auto low = number::of(codec.decode(range->low));
    const auto width = number::of(codec.decode(range->high)) - low;
    const auto part = (number::of(sampled) - low) / width * MSD_SAMPLE_PARTS;
    if (part >= 0 && part <= MSD_SAMPLE_PARTS) /* else there is something that is no number */
        atomicAdd(&parts[min((uint32_t)part, MSD_SAMPLE_PARTS - 1u)], 1u);
    else
        atomicAdd(&parts[0], Threads);
    return msd_parts_are_even<Threads>(parts);
}

/* Of the block's keys, as they came. Returns where in each digit those of the block begin, by its
 * cursor; a key that is no number is noted. */
template <typename K, typename Tile>
static __device__ __forceinline__ uint32_t msd_count_held(const msd_arguments &a, Tile &tile,
                                                          const msd_number_digit<K> &digit,
                                                          uint32_t *cursors)
{
    tile.clear_bins();
    bool none = false;
    tile.for_each([&](uint32_t, K key) { none |= msd_value_map<K>::is_nan(key); });
    if (none)
        store_relaxed(&a.control->nameless, 1u);
    __syncthreads();
    tile.count_keys(digit);
    __syncthreads();
    return tile.find_places(cursors);
}

#endif
