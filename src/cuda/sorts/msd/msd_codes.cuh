/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on codes of every width that `msd` shares between its kernels. */
#ifndef CONSORT_MSD_CODES_CUH
#define CONSORT_MSD_CODES_CUH

#include "cuda/device/codes.cuh"
#include "cuda/device/ptx.cuh"
#include "cuda/sorts/msd/msd_layout.h"

template <typename K> static __device__ __forceinline__ K msd_lower(K a, K b)
{
    if constexpr (sizeof(K) == 4)
        return min(a, b);
    else
        return b < a ? b : a;
}

template <typename K> static __device__ __forceinline__ K msd_higher(K a, K b)
{
    if constexpr (sizeof(K) == 4)
        return max(a, b);
    else
        return a < b ? b : a;
}

template <typename K> static __device__ __forceinline__ void msd_compare_exchange(K &a, K &b)
{
    const K low = msd_lower(a, b);
    b = msd_higher(a, b);
    a = low;
}

/* The 32 bits of `code` from bit `shift` on; the shift is the same for all threads. */
template <typename K> static __device__ __forceinline__ uint32_t msd_window(K code, uint32_t shift)
{
    if constexpr (sizeof(K) == 16) {
        const uint64_t high = (uint64_t)(code >> 64), low = (uint64_t)code;
        const uint32_t within = shift % 32;
        const uint32_t w0 = (uint32_t)low, w1 = (uint32_t)(low >> 32);
        const uint32_t w2 = (uint32_t)high, w3 = (uint32_t)(high >> 32);
        const uint32_t below = shift < 64 ? (shift < 32 ? w0 : w1) : (shift < 96 ? w2 : w3);
        const uint32_t above = shift < 64 ? (shift < 32 ? w1 : w2) : (shift < 96 ? w3 : 0);
        return __funnelshift_r(below, above, within);
    } else {
        return (uint32_t)(code >> shift);
    }
}

/* Bits of a code: 0 for 0, else one more than the position of the highest bit set. */
template <typename K> static __device__ __forceinline__ uint32_t msd_bit_length(K code)
{
    if constexpr (sizeof(K) == 4) {
        return 32 - (uint32_t)__clz((int)code);
    } else if constexpr (sizeof(K) == 8) {
        return 64 - (uint32_t)__clzll((long long)code);
    } else {
        const uint64_t high = (uint64_t)(code >> 64);
        return high ? 64 + msd_bit_length(high) : msd_bit_length((uint64_t)code);
    }
}

template <typename K> static __device__ __forceinline__ K msd_from_words(const uint64_t *words)
{
    if constexpr (sizeof(K) == 16)
        return (K)((uint128)words[1] << 64 | words[0]);
    else
        return (K)words[0];
}

template <typename K> static __device__ __forceinline__ void msd_to_words(K code, uint64_t *words)
{
    words[0] = (uint64_t)code;
    if constexpr (sizeof(K) == 16)
        words[1] = (uint64_t)(code >> 64);
    else
        words[1] = 0;
}

/* Shuffles of any width; `shuffle` moves one 64- or 32-bit word. */
template <typename K, typename Shuffle>
static __device__ __forceinline__ K msd_by_words(K code, Shuffle shuffle)
{
    if constexpr (sizeof(K) == 16) {
        const uint64_t high = shuffle((uint64_t)(code >> 64));
        const uint64_t low = shuffle((uint64_t)code);
        return (K)((uint128)high << 64 | low);
    } else {
        return shuffle(code);
    }
}

template <typename K> static __device__ __forceinline__ K msd_from_next_lane(K code)
{
    return msd_by_words(code, [](auto word) { return __shfl_down_sync(0xffffffffu, word, 1); });
}

template <typename K> static __device__ __forceinline__ K msd_from_previous_lane(K code)
{
    return msd_by_words(code, [](auto word) { return __shfl_up_sync(0xffffffffu, word, 1); });
}

template <typename K> static __device__ __forceinline__ K msd_from_lane_xor(K code, int mask)
{
    return msd_by_words(code, [=](auto word) { return __shfl_xor_sync(0xffffffffu, word, mask); });
}

/* The lowest and the highest code of some keys. */
template <typename K> struct msd_range {
    K low, high;

    __device__ __forceinline__ void clear()
    {
        low = (K) ~(K)0;
        high = 0;
    }

    __device__ __forceinline__ void add(K code)
    {
        low = msd_lower(low, code);
        high = msd_higher(high, code);
    }

    __device__ __forceinline__ void add(const msd_range &other)
    {
        low = msd_lower(low, other.low);
        high = msd_higher(high, other.high);
    }

    /* All lanes get the range of all lanes. */
    __device__ __forceinline__ void join_warp()
    {
#pragma unroll
        for (int mask = 16; mask > 0; mask /= 2) {
            low = msd_lower(low, msd_from_lane_xor(low, mask));
            high = msd_higher(high, msd_from_lane_xor(high, mask));
        }
    }

    /* All threads get the range of the block; `warps` holds one range a warp and is free again
     * after the next barrier. Holds one barrier. */
    __device__ __forceinline__ void join_block(msd_range *warps)
    {
        join_warp();
        if (threadIdx.x % 32 == 0)
            warps[threadIdx.x / 32] = *this;
        __syncthreads();
        for (unsigned warp = 0; warp < blockDim.x / 32; warp++)
            add(warps[warp]);
    }
};

/* Code to digit: bits of the distance to a base. */
template <typename K> struct msd_linear_digit {
    K base;
    uint32_t shift, mask;

    __device__ __forceinline__ uint32_t operator()(K code) const
    {
        return msd_window((K)(code - base), shift) & mask;
    }
};

/* Code to digit by a table over ranges of equal width; codes outside belong to its ends. */
template <typename K> struct msd_tabled_digit {
    K base, widest;
    uint32_t shift;
    const unsigned char *table;

    __device__ __forceinline__ uint32_t operator()(K code) const
    {
        const K distance = msd_higher(code, base) - base;
        return table[msd_window(msd_lower(distance, widest), shift)];
    }
};

/* The widest distance from a base within so many bits. */
template <typename K> static __device__ __forceinline__ K msd_ones(uint32_t bits)
{
    return bits >= 8 * sizeof(K) ? (K) ~(K)0 : (K)(((K)1 << bits) - 1);
}

/* Keys too many for a leaf, all of whose codes lie in [low, high]. */
template <typename K> struct msd_segment {
    K low, high;
    uint32_t begin, count, buffer, reserved;
};

/* Digits that split a segment into at most 256 parts, the first and the last not empty if its
 * bounds are exact. */
template <typename K>
static __device__ __forceinline__ msd_linear_digit<K> msd_digit_of(const msd_segment<K> &segment)
{
    const uint32_t bits = msd_bit_length((K)(segment.high - segment.low));
    const uint32_t shift = bits > MSD_DIGIT_BITS ? bits - MSD_DIGIT_BITS : 0;
    return {segment.low, shift, MSD_DIGITS - 1};
}

/* What kernels find in the control block. */
template <typename K>
static __device__ __forceinline__ msd_linear_digit<K> msd_cell_of(const msd_arguments &a)
{
    return {msd_from_words<K>(a.control->base), a.control->shift, MSD_CELLS - 1};
}

/* A bucket that needs no further digit goes to the leaves, any other to the queue. */
template <typename K>
static __device__ __forceinline__ void msd_file(const msd_arguments &a, uint32_t begin,
                                                uint32_t count, uint32_t buffer, K low, K high)
{
    msd_control *control = a.control;
    if (count == 0)
        return;
    if (count > a.large_leaf) {
        const uint32_t at = atomicAdd(&control->queue_tail, 1u) % a.queue_capacity;
        ((msd_segment<K> *)a.queue)[at] = {low, high, begin, count, buffer, 0};
        return;
    }
    const msd_leaf leaf = {begin, count | buffer << 31};
    if (count <= a.small_leaf)
        a.leaves[atomicAdd(&control->small_leaves, 1u)] = leaf;
    else
        a.leaves[a.leaf_capacity - 1 - atomicAdd(&control->large_leaves, 1u)] = leaf;
}

#endif
