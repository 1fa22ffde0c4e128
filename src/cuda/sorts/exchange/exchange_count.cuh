/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counting for a selection by digits, from the highest on: one round for all ranks that are looked
 * for. Codes that may be asked for again can be kept, so that later rounds need not look for them
 * among the rest. Before there may be a count of classes, by codes of a sample that stand close
 * around the ranks; then only what lies between those is kept.
 */
#ifndef CONSORT_EXCHANGE_COUNT_CUH
#define CONSORT_EXCHANGE_COUNT_CUH

#include "cuda/device/digit_crowd.cuh"
#include "cuda/device/key_array.cuh"
#include "cuda/sorts/exchange/exchange_search.cuh"

/* Shared by a block. A warp gathers codes by itself: those on their way to `kept`, so that few
 * places are taken at once, and, behind the counters, those whose class a table does not tell, so
 * that all lanes look for one at the same time. */
template <typename K> struct exchange_count_storage {
    static constexpr uint32_t room = EXCHANGE_KEPT_BYTES / sizeof(K);
    K codes[EXCHANGE_MOST_RANGES];
    K kept[EXCHANGE_COUNT_THREADS / 32][room];
    uint8_t table[1 << EXCHANGE_TABLE_BITS];
    uint32_t keeps[EXCHANGE_CLASSES / 32];
};

template <typename K, unsigned Way> struct exchange_counter {
    static constexpr unsigned per_word = key_array<K>::per_word, ahead = 4; /* words a thread */
    using storage = exchange_count_storage<K>;
    const exchange_count &a;
    storage &s;
    const ordered_codes<K> codec;
    const exchange_search<K> search;
    uint32_t *bins;
    K *doubts;
    uint32_t gathered, waiting; /* codes of this warp, kept and doubtful */

    __device__ __forceinline__ exchange_counter(const exchange_count &arguments, storage &shared,
                                                uint32_t *counters)
        : a(arguments), s(shared), codec(arguments.codec), search(arguments.codes, shared.codes),
          bins(counters), doubts(NULL), gathered(0), waiting(0)
    {
        if (Way != EXCHANGE_CLASSED)
            return;
        if (threadIdx.x < EXCHANGE_CLASSES / 32)
            s.keeps[threadIdx.x] = a.keeps[threadIdx.x];
        doubts = (K *)(bins + 32 * (2 * a.codes.count + 1)) + threadIdx.x / 32 * EXCHANGE_DOUBTS;
        __syncthreads();
        search.tabulate(s.table);
        for (uint32_t i = threadIdx.x; i < 1u << EXCHANGE_TABLE_BITS; i += blockDim.x)
            if (keeps(s.table[i])) /* written by the same thread */
                s.table[i] = EXCHANGE_UNCLEAR;
    }

    __device__ __forceinline__ bool keeps(uint32_t found) const
    {
        return s.keeps[found / 32] >> found % 32 & 1;
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

    /* The whole warp: what it gathered goes to memory. */
    __device__ __forceinline__ void flush()
    {
        if (gathered == 0)
            return;
        __syncwarp();
        uint64_t place = 0;
        if (lane_id() == 0)
            place = atomic_add_relaxed(a.cursor, (uint64_t)gathered);
        place = __shfl_sync(0xffffffffu, place, 0);
        for (uint32_t i = lane_id(); i < gathered; i += 32)
            ((K *)a.kept)[place + i] = s.kept[threadIdx.x / 32][i];
        __syncwarp();
        gathered = 0;
    }

    /* The whole warp; `lanes` have a code to keep. */
    __device__ __forceinline__ void keep(K code, uint32_t lanes)
    {
        if (lanes >> lane_id() & 1)
            s.kept[threadIdx.x / 32][gathered + __popc(lanes & lanemask_lt())] = code;
        gathered += __popc(lanes);
        if (gathered > storage::room - 32)
            flush();
    }

    /* The whole warp; what is not there has no key. */
    __device__ __forceinline__ void add_prefixed(K code, bool there)
    {
        const K prefix = shifted(code, a.shift + a.bits);
        const uint32_t row = search.lower(prefix);
        there = there && search.is_at(row, prefix);
        const uint32_t lanes = __ballot_sync(0xffffffffu, there);
        if (lanes == 0)
            return;
        const uint32_t bin = row << a.bits | digit_of(code);
        if (__popc(lanes) >= DIGIT_CROWD)
            add_crowd(bin, there, lanes);
        else if (there)
            atomicAdd(&bins[bin], 1u);
        if (a.kept)
            keep(code, lanes);
    }

    /* Each lane has its own counter of a class: there are few classes, and lanes would queue up. */
    template <unsigned Count>
    __device__ __forceinline__ void add_classed(const K (&code)[Count], bool there)
    {
        uint32_t found[Count];
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            found[i] = s.table[code_window(code[i], search.table_shift())];
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            if (there && found[i] != EXCHANGE_UNCLEAR)
                atomicAdd(&bins[found[i] * 32 + lane_id()], 1u);
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            doubt(code[i], __ballot_sync(0xffffffffu, there && found[i] == EXCHANGE_UNCLEAR));
    }

    /* The whole warp; `lanes` have a code of which the table says nothing. */
    __device__ __forceinline__ void doubt(K code, uint32_t lanes)
    {
        if (lanes == 0)
            return;
        if (lanes >> lane_id() & 1)
            doubts[waiting + __popc(lanes & lanemask_lt())] = code;
        waiting += __popc(lanes);
        if (waiting >= 32)
            settle();
    }

    /* The whole warp: classes of the last codes that wait, one a lane. */
    __device__ __forceinline__ void settle()
    {
        const uint32_t count = min(waiting, 32u);
        const bool there = lane_id() < count;
        waiting -= count;
        __syncwarp();
        const K code = there ? doubts[waiting + lane_id()] : (K)0;
        __syncwarp();
        const uint32_t found = search.class_of(code);
        if (there)
            atomicAdd(&bins[found * 32 + lane_id()], 1u);
        const uint32_t lanes = __ballot_sync(0xffffffffu, there && keeps(found));
        if (lanes)
            keep(code, lanes);
    }

    template <unsigned Count>
    __device__ __forceinline__ void add_digits(const K (&code)[Count], bool there) const
    {
        const uint32_t lanes = __ballot_sync(0xffffffffu, there);
        if (lanes == 0xffffffffu && digit_crowds(digit_of(code[0]))) {
#pragma unroll
            for (unsigned i = 0; i < Count; i++)
                add_crowd(digit_of(code[i]), true, lanes);
        } else if (there) {
#pragma unroll
            for (unsigned i = 0; i < Count; i++)
                atomicAdd(&bins[digit_of(code[i])], 1u);
        }
    }

    template <unsigned Count> __device__ __forceinline__ void add(K (&key)[Count], bool there)
    {
        codec.encode_all(key);
        if constexpr (Way == EXCHANGE_DIGITS) {
            add_digits(key, there);
        } else if constexpr (Way == EXCHANGE_CLASSED) {
            add_classed(key, there);
        } else {
#pragma unroll
            for (unsigned i = 0; i < Count; i++)
                add_prefixed(key[i], there);
        }
    }

    /* Steps of the whole block, so that all lanes are there; some words are on their way at once.
     */
    __device__ __forceinline__ void add_words(const key_array<K> &keys)
    {
        const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
        for (uint64_t first = (uint64_t)blockIdx.x * blockDim.x; first < keys.words;
             first += ahead * stride) {
            const uint64_t w = first + threadIdx.x;
            uint4 word[ahead];
#pragma unroll
            for (unsigned i = 0; i < ahead; i++)
                word[i] = w + i * stride < keys.words ? keys.written_word(w + i * stride)
                                                      : make_uint4(0, 0, 0, 0);
#pragma unroll
            for (unsigned i = 0; i < ahead; i++) {
                K key[per_word];
                key_array<K>::split(word[i], key);
                add(key, w + i * stride < keys.words);
            }
        }
    }

    __device__ __forceinline__ void add_range(const key_array<K> &keys, uint64_t begin,
                                              uint64_t end)
    {
        const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
        for (uint64_t first = begin + (uint64_t)blockIdx.x * blockDim.x; first < end;
             first += stride) {
            const uint64_t i = first + threadIdx.x;
            K key[1] = {i < end ? keys.at(i) : (K)0};
            add(key, i < end);
        }
    }
};

/* The counters of a block, `each` of them for a bin, go to device memory. */
static __device__ __forceinline__ void
exchange_add_bins(const exchange_count &a, const uint32_t *bins, uint32_t count, uint32_t each)
{
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        uint32_t sum = 0;
        for (uint32_t j = 0; j < each; j++)
            sum += bins[i * each + (i + j) % each];
        if (sum > 0)
            atomic_add_relaxed(&a.bins[i], (uint64_t)sum);
    }
}

template <typename K, unsigned Way>
static __device__ __forceinline__ void
exchange_count_way(const exchange_count &a, exchange_count_storage<K> &s, uint32_t *bins)
{
    const uint32_t each = Way == EXCHANGE_CLASSED ? 32 : 1;
    const uint32_t all = Way == EXCHANGE_CLASSED  ? 2 * a.codes.count + 1
                         : Way == EXCHANGE_DIGITS ? 1u << a.bits
                                                  : a.codes.count << a.bits;
    for (uint32_t i = threadIdx.x; i < all * each; i += blockDim.x)
        bins[i] = 0;
    exchange_counter<K, Way> counter(a, s, bins);
    __syncthreads();
    const key_array<K> keys(a.keys, a.count);
    counter.add_range(keys, 0, keys.head);
    counter.add_words(keys);
    counter.add_range(keys, keys.first_of_word(keys.words), keys.count);
    if (Way == EXCHANGE_CLASSED)
        counter.settle();
    counter.flush();
    __syncthreads();
    exchange_add_bins(a, bins, all, each);
}

template <typename K>
static __device__ __forceinline__ void
exchange_count_keys(const exchange_count &a, exchange_count_storage<K> &s, uint32_t *bins)
{
    if (a.way == EXCHANGE_DIGITS)
        exchange_count_way<K, EXCHANGE_DIGITS>(a, s, bins);
    else if (a.way == EXCHANGE_PREFIXED)
        exchange_count_way<K, EXCHANGE_PREFIXED>(a, s, bins);
    else
        exchange_count_way<K, EXCHANGE_CLASSED>(a, s, bins);
}

/* From each stretch of the keys one at a place that no pattern of theirs follows. */
template <typename K>
static __device__ __forceinline__ void exchange_take_sample(const exchange_sample &a)
{
    const ordered_codes<K> codec(a.codec);
    const key_array<K> keys(a.keys, a.count);
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < a.samples; i += step) {
        const uint64_t drawn = (i + 1) * 0x9e3779b97f4a7c15u >> 32;
        const uint64_t at = i * a.stride + (drawn * a.stride >> 32);
        ((K *)a.codes)[i] = codec.encode(keys.at(min(at, a.count - 1)));
    }
}

#endif
