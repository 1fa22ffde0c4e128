/* SPDX-License-Identifier: Apache-2.0 */
/* What short lists of one launch share: memory, the part of each block, and leaves of digits. */
#ifndef CONSORT_MSD_SHORT_DIGITS_CUH
#define CONSORT_MSD_SHORT_DIGITS_CUH

#include "cuda/sorts/msd/msd_few.cuh"
#include "cuda/sorts/msd/msd_leaves.cuh"
#include "cuda/sorts/msd/msd_levels.cuh"
#include "cuda/sorts/msd/msd_skew.cuh"

template <typename K, unsigned Threads, unsigned Items, typename Local> struct msd_whole_storage {
    union {
        msd_levels_storage<K, Threads, Items> levels;
        msd_passes_storage<K, Threads, Items> passes;
        msd_skew_storage skew;
        msd_few_storage<K, Threads> few;
        typename Local::storage leaf;
    };
    code_range<K> ranges[Threads / 32];
    uint32_t begins[MSD_DIGITS + 1]; /* of digits */
    msd_fitted fitted;
};

/* The block's keys, as many for each but the last. */
struct msd_whole_share {
    uint32_t first, count;

    static __device__ __forceinline__ msd_whole_share of(uint32_t count)
    {
        const uint32_t each = (count + gridDim.x - 1) / gridDim.x;
        const uint32_t first = min(blockIdx.x * each, count);
        return {first, min(each, count - first)};
    }
};

/* Digits of a leaf of at most so many keys: as many neighbours as make about half of one, so that
 * there is a leaf for each block. */
static __device__ __forceinline__ uint32_t msd_leaf_digit_bits(uint64_t count, uint32_t most)
{
    uint32_t bits = 0;
    while (bits < MSD_DIGIT_BITS && count >> (MSD_DIGIT_BITS - bits - 1) <= most / 2)
        bits++;
    return bits;
}

/* By every block, which know how many keys of each there are: where digits begin, and whether of so
 * many together none has more keys than a leaf may. */
template <unsigned Threads>
static __device__ __forceinline__ bool msd_digits_are_even(uint32_t most, const uint32_t *keys,
                                                           uint32_t leaf_bits, uint32_t *begins,
                                                           uint32_t *warp_sums)
{
    const uint32_t digit = threadIdx.x;
    const uint32_t count = digit < MSD_DIGITS ? __ldcg(&keys[digit]) : 0;
    const uint32_t before = block_exclusive_sum_256(count, warp_sums);
    if (digit < MSD_DIGITS)
        begins[digit] = before;
    if (digit == MSD_DIGITS - 1)
        begins[MSD_DIGITS] = before + count;
    __syncthreads();
    const bool too_large = digit < (uint32_t)MSD_DIGITS >> leaf_bits &&
                           begins[(digit + 1) << leaf_bits] - begins[digit << leaf_bits] > most;
    return !__syncthreads_or(too_large);
}

/* Leaves of neighbouring digits, where their keys have moved to: sort(local, leaf, to) ends with a
 * barrier. */
template <typename K, typename Local, typename Sort>
static __device__ __forceinline__ void msd_sort_digits(const msd_arguments &a, uint32_t leaf_bits,
                                                       const uint32_t *begins,
                                                       typename Local::storage &s, const Sort &sort)
{
    Local local(a, s);
    for (uint32_t leaf = blockIdx.x; leaf < (uint32_t)MSD_DIGITS >> leaf_bits; leaf += gridDim.x) {
        const uint32_t begin = begins[leaf << leaf_bits];
        const uint32_t count = begins[(leaf + 1) << leaf_bits] - begin;
        if (count == 0)
            continue;
        local.load((const K *)a.buffers[0] + begin, count);
        sort(local, leaf, (K *)a.out + begin);
    }
}

#endif
