/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counting for a selection by digits, from the highest on: one round for all ranks that are looked
 * for. What a round counts, later rounds need not look for among the rest: it can be kept.
 */
#ifndef CONSORT_EXCHANGE_COUNT_CUH
#define CONSORT_EXCHANGE_COUNT_CUH

#include "cuda/device/digit_crowd.cuh"
#include "cuda/device/key_array.cuh"
#include "cuda/sorts/exchange/exchange_search.cuh"

template <typename K> struct exchange_counter {
    const exchange_count &a;
    const ordered_codes<K> codec;
    const exchange_search<K> prefixes;
    uint32_t *bins;

    __device__ __forceinline__ exchange_counter(const exchange_count &arguments, K *shared,
                                                uint32_t *counters)
        : a(arguments), codec(arguments.codec), prefixes(arguments.prefixes, shared), bins(counters)
    {
    }

    /* A shift by all bits of a word is undefined. */
    static __device__ __forceinline__ K shifted(K code, uint32_t shift)
    {
        return shift < 8 * sizeof(K) ? (K)(code >> shift) : (K)0;
    }

    /* Every lane of the warp calls it; what is not there has no key. Lanes that crowd at one
     * counter let one of them add. */
    __device__ __forceinline__ void add(K key, bool there) const
    {
        const K code = codec.encode(key);
        uint32_t row = 0;
        if (a.prefixed) {
            const K prefix = shifted(code, a.shift + a.bits);
            row = prefixes.lower(prefix);
            there = there && prefixes.is_at(row, prefix);
        }
        const uint32_t lanes = __ballot_sync(0xffffffffu, there);
        if (lanes == 0)
            return;
        const uint32_t digit = code_window(code, a.shift) & ((1u << a.bits) - 1);
        const uint32_t bin = row << a.bits | digit;
        const uint32_t first = __shfl_sync(0xffffffffu, bin, __ffs((int)lanes) - 1);
        const uint32_t alike = __ballot_sync(0xffffffffu, there && bin == first);
        if (__popc(alike) >= DIGIT_CROWD) {
            if (lane_id() == (uint32_t)__ffs((int)alike) - 1)
                atomicAdd(&bins[bin], (uint32_t)__popc(alike));
            if (there && bin != first)
                atomicAdd(&bins[bin], 1u);
        } else if (there) {
            atomicAdd(&bins[bin], 1u);
        }
        if (a.kept)
            keep(code, there, lanes);
    }

    __device__ __forceinline__ void keep(K code, bool there, uint32_t lanes) const
    {
        const unsigned leader = __ffs((int)lanes) - 1;
        uint64_t place = 0;
        if (lane_id() == leader)
            place = atomic_add_relaxed(a.cursor, (uint64_t)__popc(lanes));
        place = __shfl_sync(0xffffffffu, place, leader) + __popc(lanes & lanemask_lt());
        if (there)
            ((K *)a.kept)[place] = code;
    }

    /* Rounds of the whole block, so that all lanes are there. */
    __device__ __forceinline__ void add_words(const key_array<K> &keys) const
    {
        constexpr unsigned per_word = key_array<K>::per_word;
        const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
        const uint64_t whole = (keys.words + blockDim.x - 1) / blockDim.x * blockDim.x;
        for (uint64_t w = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; w < whole; w += stride) {
            const bool there = w < keys.words;
            K key[per_word];
            key_array<K>::split(there ? keys.written_word(w) : make_uint4(0, 0, 0, 0), key);
#pragma unroll
            for (unsigned i = 0; i < per_word; i++)
                add(key[i], there);
        }
    }

    __device__ __forceinline__ void add_range(const key_array<K> &keys, uint64_t first,
                                              uint64_t end) const
    {
        const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
        const uint64_t begin = first + (uint64_t)blockIdx.x * blockDim.x;
        for (uint64_t block = begin; block < end; block += stride) {
            const uint64_t i = block + threadIdx.x;
            add(i < end ? keys.at(i) : (K)0, i < end);
        }
    }
};

template <typename K>
static __device__ __forceinline__ void exchange_count_keys(const exchange_count &a, K *shared,
                                                           uint32_t *bins)
{
    const uint32_t rows = a.prefixed ? a.prefixes.count : 1;
    const uint32_t all = rows << a.bits;
    for (uint32_t i = threadIdx.x; i < all; i += blockDim.x)
        bins[i] = 0;
    const exchange_counter<K> counter(a, shared, bins);
    __syncthreads();
    const key_array<K> keys(a.keys, a.count);
    counter.add_range(keys, 0, keys.head);
    counter.add_words(keys);
    counter.add_range(keys, keys.first_of_word(keys.words), keys.count);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < all; i += blockDim.x)
        if (bins[i] > 0)
            atomic_add_relaxed(&a.bins[i], (uint64_t)bins[i]);
}

#endif
