/* SPDX-License-Identifier: Apache-2.0 */
/* Two codes of 16 bits in a word, compared and exchanged at once: code_range.cuh for pairs. */
#ifndef CONSORT_CUDA_HALF_PAIR_CUH
#define CONSORT_CUDA_HALF_PAIR_CUH

#include "cuda/device/device.cuh"

struct half_pair {
    uint32_t word;
};

#ifdef __CUDACC__

static __device__ __forceinline__ half_pair code_lower(half_pair a, half_pair b)
{
    return {__vminu2(a.word, b.word)};
}

static __device__ __forceinline__ half_pair code_higher(half_pair a, half_pair b)
{
    return {__vmaxu2(a.word, b.word)};
}

#else

static inline half_pair code_lower(half_pair a, half_pair b)
{
    return {min(a.word & 0xffff, b.word & 0xffff) | min(a.word >> 16, b.word >> 16) << 16};
}

static inline half_pair code_higher(half_pair a, half_pair b)
{
    return {max(a.word & 0xffff, b.word & 0xffff) | max(a.word >> 16, b.word >> 16) << 16};
}

#endif

/* Of both lists, whose items are halves of words. */
struct half_pair_order {
    __device__ __forceinline__ bool in_order(half_pair item, half_pair next, uint32_t) const
    {
        return code_lower(item, next).word == item.word;
    }
};

template <typename Shuffle>
static __device__ __forceinline__ half_pair code_by_words(half_pair pair, Shuffle shuffle)
{
    return {shuffle(pair.word)};
}

#endif
