/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the counting kernel learns from a few keys before it counts: which bits above the cells are
 * constant, and whether some buckets will be too large for leaves, so that counting is in vain.
 */
#ifndef CONSORT_HYBRID_SAMPLE_CUH
#define CONSORT_HYBRID_SAMPLE_CUH

#include "cuda/device/code_range.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/scattered.cuh"
#include "cuda/sorts/hybrid/hybrid_fit.cuh"
#include "cuda/sorts/hybrid/hybrid_tuning.h"

enum {
    /* Keys a thread looks at. Each is a line of its own: two take 1.2 µs more. */
    HYBRID_SAMPLE = 1,
    HYBRID_SAMPLES = HYBRID_SAMPLE * HYBRID_COUNT_THREADS,
    HYBRID_CROWD_BITS = 4, /* by which the sample is counted, beside the finest that leaves have */
    HYBRID_CROWDS = 1 << HYBRID_CROWD_BITS,
    HYBRID_WARPS = HYBRID_COUNT_THREADS / 32
};

struct hybrid_count_storage {
    uint32_t pairs[HYBRID_CELLS / 2]; /* two 16-bit counters a word */
    uint32_t low_digit[2][LSD_BINS / 2];
    uint32_t varying[4];
    uint32_t crowd[HYBRID_CROWDS / 2]; /* the same */
    uint32_t warp_sums[HYBRID_WARPS];
    uint64_t digit_sums[8];
    uint32_t told, unfit;
};

/* Where a code's counter is found. */
template <typename K> struct hybrid_cells {
    static constexpr uint32_t bits = 8 * sizeof(K);
    K common; /* its bits above `lead` */
    uint32_t lead, shift;
    bool crowded; /* by what the sample shows, some buckets are too large, or leaves are no gain */

    __device__ __forceinline__ uint32_t counter_of(K code) const
    {
        return code_window((K)(code << lead), shift);
    }

    /* Of the bits in which keys differ from `common`. */
    __device__ __forceinline__ bool strays(K apart) const
    {
        return lead > 0 && apart >> (bits - lead) != 0;
    }
};

/* Whether so many sampled keys tell that a range holds more keys than leaves of `expected` such
 * keys would: if it did not, the odds were below 2^-36 (Chernoff's bound), for all 2^16 of them
 * 2^-20. */
static __device__ __forceinline__ bool hybrid_beyond_chance(uint32_t seen, float expected)
{
    const float times = (float)seen;
    return times > expected &&
           times * log2f(times / expected) - (times - expected) * 1.442695f > 36.0f;
}

/* Counts a lane's cell; lanes whose cells are all the same would queue up. The count since then is
 * told to one of them. */
static __device__ __forceinline__ uint32_t hybrid_tally(uint32_t *pairs, uint32_t cell)
{
    const uint32_t odd = cell % 2 * 16, first = __shfl_sync(0xffffffffu, cell, 0);
    const bool alike = __all_sync(0xffffffffu, cell == first);
    const uint32_t times = !alike ? 1 : threadIdx.x % 32 == 0 ? 32 : 0;
    if (times == 0)
        return 0;
    return (atomicAdd(&pairs[cell / 2], times << odd) >> odd & 0xffff) + times;
}

/* Whether the sample shows a bucket that is too large, however fine. If not, the counters are all
 * zero again, after a barrier. */
template <typename K>
static __device__ __forceinline__ bool hybrid_sample_crowds(const hybrid_arguments &a,
                                                            const K (&shifted)[HYBRID_SAMPLE],
                                                            hybrid_count_storage &s)
{
    constexpr uint32_t bits = 8 * sizeof(K);
    const uint32_t finest = a.cell_bits;
    const float full = (float)a.leaf * HYBRID_SAMPLES / (float)a.sort.count;
    const float crowd = full * (float)(1u << (finest - HYBRID_CROWD_BITS));
    bool crowded = false;
#pragma unroll
    for (unsigned i = 0; i < HYBRID_SAMPLE; i++) {
        const uint32_t cell = code_window(shifted[i], bits - finest);
        const uint32_t range = code_window(shifted[i], bits - HYBRID_CROWD_BITS);
        crowded |= hybrid_beyond_chance(hybrid_tally(s.pairs, cell), full);
        crowded |= hybrid_beyond_chance(hybrid_tally(s.crowd, range), crowd);
    }
    if (__syncthreads_or(crowded))
        return true;
#pragma unroll
    for (unsigned i = 0; i < HYBRID_SAMPLE; i++)
        atomicAnd(&s.pairs[code_window(shifted[i], bits - finest) / 2], 0u);
    return false;
}

/* The number-th of so many keys that lie about evenly in the list. */
template <typename K, uint32_t Samples>
static __device__ __forceinline__ K hybrid_sampled_key(const hybrid_arguments &a, uint32_t number)
{
    const uint32_t count = (uint32_t)a.sort.count, stride = max(count / Samples, 1u);
    const uint32_t at = number * stride + scattered_place(number, a.seed, stride);
    return ((const K *)a.sort.keys_in)[at < count ? at : number % count];
}

/* What a thread looks at: every block at the same keys, so that all find the same. */
template <typename K> struct hybrid_sample {
    K first, code[HYBRID_SAMPLE];

    __device__ __forceinline__ explicit hybrid_sample(const hybrid_arguments &a)
    {
        first = *(const K *)a.sort.keys_in;
#pragma unroll
        for (unsigned i = 0; i < HYBRID_SAMPLE; i++)
            code[i] =
                hybrid_sampled_key<K, HYBRID_SAMPLES>(a, i * HYBRID_COUNT_THREADS + threadIdx.x);
    }

    /* Becomes codes; returns the bits in which the thread's differ from the first. */
    __device__ __forceinline__ K encode(const codes<K> &codec)
    {
        K varying = 0;
        first = codec.encode(first);
        codec.encode_all(code);
#pragma unroll
        for (unsigned i = 0; i < HYBRID_SAMPLE; i++)
            varying |= (K)(code[i] ^ first);
        return varying;
    }
};

/* Whether passes over the bytes in which keys differ are no more than the steps, to which leaves
 * would come. */
template <typename K>
static __device__ __forceinline__ bool hybrid_few_bytes(const hybrid_arguments &a, K varying)
{
    uint32_t bytes = 0;
#pragma unroll
    for (unsigned i = 0; i < sizeof(K); i++)
        bytes += (code_window(varying, 8 * i) & 0xff) != 0;
    return bytes <= (a.digit_bits > LSD_DIGIT_BITS ? 2u : 1u);
}

/* Counters are zero after a barrier, if they are needed. */
template <typename K>
static __device__ __forceinline__ hybrid_cells<K>
hybrid_find_cells(const hybrid_arguments &a, hybrid_sample<K> sample, hybrid_count_storage &s)
{
    constexpr uint32_t bits = 8 * sizeof(K);
    K varying = sample.encode(codes<K>(a.sort.codec));
    __syncthreads();
    varying = code_any_of_block(varying, s.varying);
    const uint32_t length = code_bit_length(varying), lead = bits - max(length, 1u);
    const K common = lead > 0 ? (K)(sample.first >> (bits - lead) << (bits - lead)) : (K)0;
#pragma unroll
    for (unsigned i = 0; i < HYBRID_SAMPLE; i++)
        sample.code[i] = (K)(sample.code[i] << lead);
    const bool crowded = hybrid_few_bytes(a, varying) || hybrid_sample_crowds(a, sample.code, s);
    return {common, lead, bits - a.digit_bits, crowded};
}

#endif
