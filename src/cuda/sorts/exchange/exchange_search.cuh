/* SPDX-License-Identifier: Apache-2.0 */
/* Codes in rising order in shared memory, and where another code stands among them. */
#ifndef CONSORT_EXCHANGE_SEARCH_CUH
#define CONSORT_EXCHANGE_SEARCH_CUH

#include "cuda/device/code_range.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/sorts/exchange/exchange_layout.h"

template <typename K> struct exchange_search {
    /* EXCHANGE_MOST_RANGES, those that are not there the highest; with one class a code those
     * before, none being 0, so that what equals a code is behind it. */
    const K *codes;
    uint32_t count, each, first_step;

    /* The whole block calls it; a barrier must follow before the first question. */
    __device__ __forceinline__ exchange_search(const exchange_codes &all, K *shared)
        : codes(shared), count(all.count), each(all.each), first_step(0)
    {
        for (uint32_t i = threadIdx.x; i < EXCHANGE_MOST_RANGES; i += blockDim.x)
            shared[i] = i < count ? (K)(code_from_words<K>(all.words[i]) - (each == 1)) : (K) ~(K)0;
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

    /* The class of each code that begins with so many bits as a table has, if they tell it; else
     * UNCLEAR. The whole block calls it, after a barrier, and another must follow. */
    __device__ __forceinline__ void tabulate(uint8_t *table) const
    {
        const uint32_t shift = table_shift();
        for (uint32_t i = threadIdx.x; i < 1u << EXCHANGE_TABLE_BITS; i += blockDim.x) {
            const K low = (K)((K)i << shift);
            const K high = (K)(low | (K)(((K)1 << shift) - 1));
            const uint32_t first = class_of(low);
            table[i] = (uint8_t)(first == class_of(high) ? first : (uint32_t)EXCHANGE_UNCLEAR);
        }
    }

    static __device__ __forceinline__ constexpr uint32_t table_shift()
    {
        return 8 * sizeof(K) > EXCHANGE_TABLE_BITS ? 8 * sizeof(K) - EXCHANGE_TABLE_BITS : 0;
    }

    /* Classes of some codes; what the table does not tell is looked for together. */
    template <unsigned Count>
    __device__ __forceinline__ void find(const K (&code)[Count], const uint8_t *table,
                                         uint32_t (&found)[Count]) const
    {
        bool clear = true;
#pragma unroll
        for (unsigned i = 0; i < Count; i++) {
            found[i] = table[code_window(code[i], table_shift())];
            clear = clear && found[i] != EXCHANGE_UNCLEAR;
        }
        if (clear)
            return;
        uint32_t place[Count] = {};
        for (uint32_t step = first_step; step > 0; step /= 2)
#pragma unroll
            for (unsigned i = 0; i < Count; i++)
                if (codes[place[i] + step - 1] < code[i])
                    place[i] += step;
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            if (found[i] == EXCHANGE_UNCLEAR)
                found[i] = class_at(place[i], code[i]);
    }

    /* 2 s: between codes s − 1 and s; 2 s + 1: equal to code s. With one class a code s: not before
     * code s − 1, but before code s. */
    __device__ __forceinline__ uint32_t class_of(K code) const
    {
        return class_at(lower(code), code);
    }

    __device__ __forceinline__ uint32_t class_at(uint32_t place, K code) const
    {
        return each == 1 ? place : 2 * place + (is_at(place, code) ? 1 : 0);
    }
};

#endif
