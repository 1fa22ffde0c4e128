/* SPDX-License-Identifier: Apache-2.0 */
/* Codes in rising order in shared memory, and where another code stands among them. */
#ifndef CONSORT_EXCHANGE_SEARCH_CUH
#define CONSORT_EXCHANGE_SEARCH_CUH

#include "cuda/device/code_range.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/sorts/exchange/exchange_layout.h"

template <typename K> struct exchange_search {
    const K *codes; /* EXCHANGE_MOST_RANGES, those that are not there the highest */
    uint32_t count, first_step;

    /* The whole block calls it; a barrier must follow before the first question. */
    __device__ __forceinline__ exchange_search(const exchange_codes &all, K *shared)
        : codes(shared), count(all.count), first_step(0)
    {
        for (uint32_t i = threadIdx.x; i < EXCHANGE_MOST_RANGES; i += blockDim.x)
            shared[i] = i < count ? code_from_words<K>(all.words[i]) : (K) ~(K)0;
        if (count > 0)
            first_step = 1u << (31 - __clz((int)count));
    }

    /* How many codes are lower. */
    __device__ __forceinline__ uint32_t lower(K code) const
    {
        uint32_t place = 0;
        for (uint32_t step = first_step; step > 0; step /= 2)
            if (codes[place + step - 1] < code)
                place += step;
        return place;
    }

    __device__ __forceinline__ bool is_at(uint32_t place, K code) const
    {
        return place < count && codes[place] == code;
    }

    /* 2 s: between codes s − 1 and s; 2 s + 1: equal to code s. */
    __device__ __forceinline__ uint32_t class_of(K code) const
    {
        const uint32_t place = lower(code);
        return 2 * place + (is_at(place, code) ? 1 : 0);
    }
};

#endif
