/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on codes of every width: bits, words, exchange between lanes, ranges. */
#ifndef CONSORT_CUDA_CODE_RANGE_CUH
#define CONSORT_CUDA_CODE_RANGE_CUH

#include "cuda/device/device.cuh"

template <typename K> static __device__ __forceinline__ K code_lower(K a, K b)
{
    if constexpr (sizeof(K) == 4)
        return min(a, b);
    else
        return b < a ? b : a;
}

template <typename K> static __device__ __forceinline__ K code_higher(K a, K b)
{
    if constexpr (sizeof(K) == 4)
        return max(a, b);
    else
        return a < b ? b : a;
}

/* The 32 bits of `code` from bit `shift` on; the shift is the same for all threads. */
template <typename K> static __device__ __forceinline__ uint32_t code_window(K code, uint32_t shift)
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
template <typename K> static __device__ __forceinline__ uint32_t code_bit_length(K code)
{
    if constexpr (sizeof(K) <= 4) {
        return 32 - (uint32_t)__clz((int)code);
    } else if constexpr (sizeof(K) == 8) {
        return 64 - (uint32_t)__clzll((long long)code);
    } else {
        const uint64_t high = (uint64_t)(code >> 64);
        return high ? 64 + code_bit_length(high) : code_bit_length((uint64_t)code);
    }
}

/* 32 bits of which the upper ones depend on all of a code's. */
template <typename K> static __device__ __forceinline__ uint32_t code_hash(K code)
{
    uint32_t folded = 0;
#pragma unroll
    for (unsigned i = 0; i < sizeof(K) / 4; i++)
        folded = (folded ^ code_window(code, 32 * i)) * 0x9e3779b1u;
    return folded;
}

template <typename K> static __device__ __forceinline__ K code_from_words(const uint64_t *words)
{
    if constexpr (sizeof(K) == 16)
        return (K)((uint128)words[1] << 64 | words[0]);
    else
        return (K)words[0];
}

template <typename K> static __device__ __forceinline__ void code_to_words(K code, uint64_t *words)
{
    words[0] = (uint64_t)code;
    if constexpr (sizeof(K) == 16)
        words[1] = (uint64_t)(code >> 64);
    else
        words[1] = 0;
}

/* The bits that any thread of the block has. `words` is shared memory for those of a code, zero
 * before the block's last barrier. Holds one barrier. */
template <typename K> static __device__ __forceinline__ K code_any_of_block(K code, uint32_t *words)
{
#pragma unroll
    for (unsigned i = 0; i < sizeof(K) / 4; i++) {
        const uint32_t any = __reduce_or_sync(0xffffffffu, code_window(code, 32 * i));
        if (threadIdx.x % 32 == 0 && any)
            atomicOr(&words[i], any);
    }
    __syncthreads();
    for (unsigned i = 0; i < sizeof(K) / 4; i++)
        code |= (K)((K)words[i] << (32 * i));
    return code;
}

/* Shuffles of any width; `shuffle` moves one 64- or 32-bit word. */
template <typename K, typename Shuffle>
static __device__ __forceinline__ K code_by_words(K code, Shuffle shuffle)
{
    if constexpr (sizeof(K) == 16) {
        const uint64_t high = shuffle((uint64_t)(code >> 64));
        const uint64_t low = shuffle((uint64_t)code);
        return (K)((uint128)high << 64 | low);
    } else {
        return shuffle(code);
    }
}

/* Words of 32 bits that a code takes. */
template <typename K> constexpr int code_words = (sizeof(K) + 3) / 4;

/* The bits that any lane has. */
template <typename K> static __device__ __forceinline__ K code_any_of_warp(K bits)
{
    K any = 0;
#pragma unroll
    for (int i = 0; i < code_words<K>; i++)
        any |= (K)((K)__reduce_or_sync(0xffffffffu, code_window(bits, 32 * i)) << 32 * i);
    return any;
}

/* The lowest code of any lane: word by word from the highest on, of lanes that have the lowest so
 * far. (Two reductions of 64 bits, not twenty shuffles.) */
template <typename K> static __device__ __forceinline__ K code_lowest_of_warp(K code)
{
    K lowest = 0;
    bool leads = true;
#pragma unroll
    for (int i = code_words<K> - 1; i >= 0; i--) {
        const uint32_t word = code_window(code, 32 * i);
        const uint32_t least = __reduce_min_sync(0xffffffffu, leads ? word : ~0u);
        leads &= word == least;
        lowest |= (K)((K)least << 32 * i);
    }
    return lowest;
}

/* The lowest and the highest code of some keys. */
template <typename K> struct code_range {
    K low, high;

    __device__ __forceinline__ void clear()
    {
        low = (K) ~(K)0;
        high = 0;
    }

    __device__ __forceinline__ void add(K code)
    {
        low = code_lower(low, code);
        high = code_higher(high, code);
    }

    __device__ __forceinline__ void add(const code_range &other)
    {
        low = code_lower(low, other.low);
        high = code_higher(high, other.high);
    }

    /* All lanes get the range of all lanes. */
    __device__ __forceinline__ void join_warp()
    {
        low = code_lowest_of_warp(low);
        high = (K)~code_lowest_of_warp((K)~high);
    }

    /* All threads get the range of the block; `warps` holds one range a warp and is free again
     * after the next barrier. Holds one barrier. */
    __device__ __forceinline__ void join_block(code_range *warps)
    {
        join_warp();
        if (threadIdx.x % 32 == 0)
            warps[threadIdx.x / 32] = *this;
        __syncthreads();
        add(warps[threadIdx.x % 32 % (blockDim.x / 32)]);
        join_warp();
    }
};

#endif
