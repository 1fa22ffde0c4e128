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

/* Codes on their way to `kept`: a block gathers them here, so that few places are taken at once. */
template <typename K> struct exchange_kept {
    static constexpr uint32_t step = EXCHANGE_COUNT_THREADS * sizeof(uint4) / sizeof(K);
    K codes[2 * step]; /* those of one step fit behind half of it */
    uint32_t filled;
    uint64_t place;
};

template <typename K> struct exchange_counter {
    const exchange_count &a;
    const ordered_codes<K> codec;
    const exchange_search<K> prefixes;
    exchange_kept<K> &kept;
    uint32_t *bins;

    __device__ __forceinline__ exchange_counter(const exchange_count &arguments, K *shared,
                                                exchange_kept<K> &gathered, uint32_t *counters)
        : a(arguments), codec(arguments.codec), prefixes(arguments.prefixes, shared),
          kept(gathered), bins(counters)
    {
        if (threadIdx.x == 0)
            kept.filled = 0;
    }

    /* A shift by all bits of a word is undefined. */
    static __device__ __forceinline__ K shifted(K code, uint32_t shift)
    {
        return shift < 8 * sizeof(K) ? (K)(code >> shift) : (K)0;
    }

    __device__ __forceinline__ uint32_t digit_of(K code) const
    {
        return code_window(code, a.shift) & ((1u << a.bits) - 1);
    }

    /* Lanes with the first one's bin let it add for them. `lanes` are those that are there. */
    __device__ __forceinline__ void add_crowd(uint32_t bin, bool there, uint32_t lanes) const
    {
        const unsigned leader = __ffs((int)lanes) - 1;
        const uint32_t first = __shfl_sync(0xffffffffu, bin, leader);
        const uint32_t alike = __ballot_sync(0xffffffffu, there && bin == first);
        if (lane_id() == leader)
            atomicAdd(&bins[bin], (uint32_t)__popc(alike));
        if (there && bin != first)
            atomicAdd(&bins[bin], 1u);
    }

    __device__ __forceinline__ void keep(K code, bool there, uint32_t lanes) const
    {
        const unsigned leader = __ffs((int)lanes) - 1;
        uint32_t place = 0;
        if (lane_id() == leader)
            place = atomicAdd(&kept.filled, (uint32_t)__popc(lanes));
        place = __shfl_sync(0xffffffffu, place, leader) + __popc(lanes & lanemask_lt());
        if (there)
            kept.codes[place] = code;
    }

    /* Every lane of the warp calls it; what is not there has no key. */
    __device__ __forceinline__ void add_prefixed(K key, bool there) const
    {
        const K code = codec.encode(key);
        const K prefix = shifted(code, a.shift + a.bits);
        const uint32_t row = prefixes.lower(prefix);
        there = there && prefixes.is_at(row, prefix);
        const uint32_t lanes = __ballot_sync(0xffffffffu, there);
        if (lanes == 0)
            return;
        const uint32_t bin = row << a.bits | digit_of(code);
        if (__popc(lanes) >= DIGIT_CROWD)
            add_crowd(bin, there, lanes);
        else if (there)
            atomicAdd(&bins[bin], 1u);
        if (a.kept)
            keep(code, there, lanes);
    }

    template <unsigned Count>
    __device__ __forceinline__ void add_all(const K (&key)[Count], bool there) const
    {
        if (a.prefixed) {
#pragma unroll
            for (unsigned i = 0; i < Count; i++)
                add_prefixed(key[i], there);
            return;
        }
        const uint32_t lanes = __ballot_sync(0xffffffffu, there);
        uint32_t bin[Count];
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            bin[i] = digit_of(codec.encode(key[i]));
        if (lanes == 0xffffffffu && digit_crowds(bin[0])) {
#pragma unroll
            for (unsigned i = 0; i < Count; i++)
                add_crowd(bin[i], true, lanes);
        } else if (there) {
#pragma unroll
            for (unsigned i = 0; i < Count; i++)
                atomicAdd(&bins[bin[i]], 1u);
        }
    }

    /* The whole block: what was gathered goes to memory, if there might be no room for a step. */
    __device__ __forceinline__ void flush(uint32_t least) const
    {
        if (!a.kept)
            return;
        __syncthreads();
        const uint32_t count = kept.filled;
        __syncthreads(); /* all have read it before anybody adds more */
        if (count < least || count == 0)
            return;
        if (threadIdx.x == 0)
            kept.place = atomic_add_relaxed(a.cursor, (uint64_t)count);
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
            ((K *)a.kept)[kept.place + i] = kept.codes[i];
        __syncthreads();
        if (threadIdx.x == 0)
            kept.filled = 0;
        __syncthreads();
    }

    /* Steps of the whole block, so that all lanes are there. */
    __device__ __forceinline__ void add_words(const key_array<K> &keys) const
    {
        const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
        for (uint64_t first = (uint64_t)blockIdx.x * blockDim.x; first < keys.words;
             first += stride) {
            const uint64_t w = first + threadIdx.x;
            K key[key_array<K>::per_word];
            key_array<K>::split(w < keys.words ? keys.written_word(w) : make_uint4(0, 0, 0, 0),
                                key);
            add_all(key, w < keys.words);
            flush(exchange_kept<K>::step);
        }
    }

    __device__ __forceinline__ void add_range(const key_array<K> &keys, uint64_t begin,
                                              uint64_t end) const
    {
        const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
        for (uint64_t first = begin + (uint64_t)blockIdx.x * blockDim.x; first < end;
             first += stride) {
            const uint64_t i = first + threadIdx.x;
            const K key[1] = {i < end ? keys.at(i) : (K)0};
            add_all(key, i < end);
            flush(exchange_kept<K>::step);
        }
    }
};

template <typename K>
static __device__ __forceinline__ void exchange_count_keys(const exchange_count &a, K *shared,
                                                           exchange_kept<K> &kept, uint32_t *bins)
{
    const uint32_t rows = a.prefixed ? a.prefixes.count : 1;
    const uint32_t all = rows << a.bits;
    for (uint32_t i = threadIdx.x; i < all; i += blockDim.x)
        bins[i] = 0;
    const exchange_counter<K> counter(a, shared, kept, bins);
    __syncthreads();
    const key_array<K> keys(a.keys, a.count);
    counter.add_range(keys, 0, keys.head);
    counter.add_words(keys);
    counter.add_range(keys, keys.first_of_word(keys.words), keys.count);
    counter.flush(0);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < all; i += blockDim.x)
        if (bins[i] > 0)
            atomic_add_relaxed(&a.bins[i], (uint64_t)bins[i]);
}

#endif
