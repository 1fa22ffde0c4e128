/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of all digits by blocks that have much shared memory: each counter is there several times,
 * so that lanes do not queue up where keys crowd.
 */
#ifndef CONSORT_LSD_DIGITS_CUH
#define CONSORT_LSD_DIGITS_CUH

#include "cuda/sorts/lsd/lsd_histogram.cuh"
#include "cuda/sorts/lsd/lsd_tuning.h"

enum {
    LSD_DIGIT_COUNTERS = 1 << 15, /* 128 KiB */
    LSD_CUT_KEY_BYTES = 8         /* of keys whose lowest digits may be left out of the count */
};

/* Counters of all digits, several each, which lanes use in turn: up to one for each lane. */
template <typename K> struct lsd_digit_counters {
    static constexpr unsigned copies = LSD_DIGIT_COUNTERS / (sizeof(K) * LSD_BINS);

    union {
        uint32_t counts[sizeof(K)][LSD_BINS][copies];
        lsd_histogram_storage<K> plan;
    };
    uint32_t last;

    /* Of keys of which some have a prefix, all but so many of the lowest. */
    __device__ __forceinline__ void count(K code, unsigned copy, uint32_t cut)
    {
#pragma unroll
        for (unsigned pass = 0; pass < sizeof(K); pass++)
            if (sizeof(K) != LSD_CUT_KEY_BYTES || pass >= cut)
                atomicAdd(&counts[pass][(uint32_t)(code >> (8 * pass)) % LSD_BINS][copy], 1u);
    }
};

/* Keys beyond the end repeat the last. */
template <typename K, unsigned Items>
static __device__ __forceinline__ void lsd_load_stretch(const lsd_arguments &a, uint64_t first,
                                                        K (&key)[Items])
{
    const K *keys = (const K *)a.keys_in + first + threadIdx.x;
    if (first + LSD_HISTOGRAM_THREADS * Items <= a.count) {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            key[i] = keys[i * LSD_HISTOGRAM_THREADS];
        return;
    }
    for (unsigned i = 0; i < Items; i++)
        key[i] = ((const K *)
                      a.keys_in)[min(first + i * LSD_HISTOGRAM_THREADS + threadIdx.x, a.count - 1)];
}

template <typename K> static __device__ __forceinline__ uint32_t lsd_stretches_of(uint64_t count)
{
    constexpr uint64_t stretch = LSD_HISTOGRAM_THREADS * (32 / sizeof(K));
    return (uint32_t)((count + stretch - 1) / stretch);
}

/* Every `step`-th stretch from number `from` to `end`. The next keys are on their way while these
 * are counted. Numbers are from the list's end on: who reads it next begins with keys that the
 * cache still has (3 of 345 µs, 2^24 u32 zipf, H200). */
template <typename K>
static __device__ __forceinline__ void lsd_count_digits(const lsd_arguments &a, uint32_t from,
                                                        uint32_t end, uint32_t step, uint32_t cut,
                                                        lsd_digit_counters<K> &s)
{
    constexpr unsigned items = 32 / sizeof(K), copies = lsd_digit_counters<K>::copies;
    const codes<K> codec(a.codec);
    const unsigned copy = threadIdx.x % copies;
    const uint64_t stretch = (uint64_t)LSD_HISTOGRAM_THREADS * items;
    const uint32_t last = lsd_stretches_of<K>(a.count) - 1;
    K code[items], next[items];
    if (from < end)
        lsd_load_stretch(a, (last - from) * stretch, next);
    while (from < end) {
        const uint64_t here = (last - from) * stretch;
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            code[i] = next[i];
        from += step;
        if (from < end)
            lsd_load_stretch(a, (last - from) * stretch, next);
        codec.encode_all(code);
        const uint64_t left = a.count - here;
        if (left >= stretch) {
#pragma unroll
            for (unsigned i = 0; i < items; i++)
                s.count(code[i], copy, cut);
            continue;
        }
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            if (i * LSD_HISTOGRAM_THREADS + threadIdx.x < left)
                s.count(code[i], copy, cut);
    }
}

/* To so many rows of counts as a key has bytes. Lanes begin at different counters, which are in
 * other banks. */
template <typename K, typename Count>
static __device__ __forceinline__ void lsd_add_digits(const lsd_digit_counters<K> &s, Count *rows)
{
    constexpr unsigned copies = lsd_digit_counters<K>::copies;
    for (unsigned i = threadIdx.x; i < sizeof(K) * LSD_BINS; i += LSD_HISTOGRAM_THREADS) {
        const unsigned pass = i / LSD_BINS, digit = i % LSD_BINS;
        uint32_t sum = 0;
        for (unsigned copy = 0; copy < copies; copy++)
            sum += s.counts[pass][digit][(copy + i) % copies];
        if (sum)
            atomicAdd(&rows[i], (Count)sum);
    }
}

/* To those of a run. */
template <typename K>
static __device__ __forceinline__ void lsd_add_digits(const lsd_arguments &a,
                                                      const lsd_digit_counters<K> &s)
{
    lsd_add_digits<K>(s, (unsigned long long *)a.control->bins);
}

template <typename K>
static __device__ __forceinline__ void lsd_clear_digits(lsd_digit_counters<K> &s)
{
    uint32_t *flat = &s.counts[0][0][0];
    for (unsigned i = threadIdx.x; i < LSD_DIGIT_COUNTERS; i += LSD_HISTOGRAM_THREADS)
        flat[i] = 0;
}

#endif
