/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long lists of keys that crowd, by passes over all digits: the launch that else counts cells
 * counts digits, the first partition, whose order is free, moves keys by the lowest digit, and a
 * launch behind the levels does the stable passes over the others, by tiles of `lsd`.
 */
#ifndef CONSORT_MSD_SKEW_PASSES_CUH
#define CONSORT_MSD_SKEW_PASSES_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/lsd/lsd_finish.cuh"
#include "cuda/sorts/lsd/lsd_histogram.cuh"
#include "cuda/sorts/msd/msd_codes.cuh"
#include "cuda/sorts/msd/msd_tuning.h"

enum {
    MSD_STRETCHES_AHEAD = 12 /* of a block: 2^23 keys of 4 bytes of an H200's */
};

/* Counters of all digits, several each, which lanes use in turn: up to one for each lane. */
template <typename K> struct msd_digits_storage {
    static constexpr unsigned copies = MSD_CELLS / 2 / (sizeof(K) * LSD_BINS);

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
            if (sizeof(K) != MSD_PREFIX_KEY_BYTES || pass >= cut)
                atomicAdd(&counts[pass][(uint32_t)(code >> (8 * pass)) % LSD_BINS][copy], 1u);
    }
};

/* Keys beyond the end repeat the last. */
template <typename K, unsigned Items>
static __device__ __forceinline__ void msd_load_stretch(const lsd_arguments &a, uint64_t first,
                                                        K (&key)[Items])
{
    const K *keys = (const K *)a.keys_in + first + threadIdx.x;
    if (first + MSD_HISTOGRAM_THREADS * Items <= a.count) {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            key[i] = keys[i * MSD_HISTOGRAM_THREADS];
        return;
    }
    for (unsigned i = 0; i < Items; i++)
        key[i] = ((const K *)
                      a.keys_in)[min(first + i * MSD_HISTOGRAM_THREADS + threadIdx.x, a.count - 1)];
}

template <typename K> static __device__ __forceinline__ uint32_t msd_stretches_of(uint64_t count)
{
    constexpr uint64_t stretch = MSD_HISTOGRAM_THREADS * (32 / sizeof(K));
    return (uint32_t)((count + stretch - 1) / stretch);
}

/* Every `step`-th stretch from number `from` to `end`. The next keys are on their way while these
 * are counted. Numbers are from the list's end on: the first partition then begins with keys that
 * the cache still has (3 of 345 µs, 2^24 u32 zipf, H200). */
template <typename K>
static __device__ __forceinline__ void msd_count_digits(const lsd_arguments &a, uint32_t from,
                                                        uint32_t end, uint32_t step, uint32_t cut,
                                                        msd_digits_storage<K> &s)
{
    constexpr unsigned items = 32 / sizeof(K), copies = msd_digits_storage<K>::copies;
    const codes<K> codec(a.codec);
    const unsigned copy = threadIdx.x % copies;
    const uint64_t stretch = (uint64_t)MSD_HISTOGRAM_THREADS * items;
    const uint32_t last = msd_stretches_of<K>(a.count) - 1;
    K code[items], next[items];
    if (from < end)
        msd_load_stretch(a, (last - from) * stretch, next);
    while (from < end) {
        const uint64_t here = (last - from) * stretch;
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            code[i] = next[i];
        from += step;
        if (from < end)
            msd_load_stretch(a, (last - from) * stretch, next);
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
            if (i * MSD_HISTOGRAM_THREADS + threadIdx.x < left)
                s.count(code[i], copy, cut);
    }
}

enum {
    MSD_COUNTS_APART = 1 /* the row of counts, where others wait for them than who plans */
};

/* Lanes begin at different counters, which are in other banks. */
template <typename K, unsigned Row = 0>
static __device__ __forceinline__ void msd_add_up_digits(const lsd_arguments &a,
                                                         const msd_digits_storage<K> &s)
{
    constexpr unsigned copies = msd_digits_storage<K>::copies;
    for (unsigned i = threadIdx.x; i < sizeof(K) * LSD_BINS; i += MSD_HISTOGRAM_THREADS) {
        const unsigned pass = i / LSD_BINS, digit = i % LSD_BINS;
        uint32_t sum = 0;
        for (unsigned copy = 0; copy < copies; copy++)
            sum += s.counts[pass][digit][(copy + i) % copies];
        if (sum)
            atomicAdd((unsigned long long *)&a.control->bins[pass][Row][digit],
                      (unsigned long long)sum);
    }
}

template <typename K>
static __device__ __forceinline__ void msd_clear_digits(msd_digits_storage<K> &s)
{
    uint32_t *flat = &s.counts[0][0][0];
    for (unsigned i = threadIdx.x; i < MSD_CELLS / 2; i += MSD_HISTOGRAM_THREADS)
        flat[i] = 0;
}

/* By all blocks together: look-back words are left empty for step 1. */
static __device__ __forceinline__ void msd_clear_lookback(const lsd_arguments &a,
                                                          uint32_t pass_keys)
{
    const uint32_t words = (uint32_t)((a.count + pass_keys - 1) / pass_keys) * LSD_BINS;
    for (uint32_t i = blockIdx.x * MSD_HISTOGRAM_THREADS + threadIdx.x; i < words;
         i += gridDim.x * MSD_HISTOGRAM_THREADS)
        a.lookback[i] = lsd_status(1).empty << LSD_COUNT_BITS;
}

/* By one block, when all digits are counted: plans passes, of which the first partition will be
 * one. (There are at least two: more bits of the sampled keys differ than one digit has, or they
 * would have been counted.) */
template <typename K>
static __device__ __forceinline__ void msd_plan_passes(const lsd_arguments &a, msd_control *control,
                                                       msd_digits_storage<K> &s)
{
    lsd_plan_passes<K>(a, s.plan);
    __syncthreads();
    uint32_t pass = 0;
    while (a.control->step[pass] != 0)
        pass++;
    if (threadIdx.x < LSD_BINS)
        control->bucket_cursor[threadIdx.x] = (uint32_t)a.control->bins[pass][0][threadIdx.x];
    if (threadIdx.x == 0) {
        control->mode = MSD_PASSES;
        code_to_words((K)0, control->base);
        control->shift = LSD_DIGIT_BITS * pass;
    }
}

/* By each of some blocks, of which this has a number: counts digits of the first stretches, as many
 * as can be read while a sample is judged. Not inlined, for the sake of what counts cells. So it
 * finds its shared memory by itself, as additions to what a pointer points to are slower. */
template <typename K>
__attribute__((noinline)) static __device__ void msd_count_ahead(const lsd_arguments &a,
                                                                 uint32_t rank, uint32_t blocks)
{
    SHARED_DYNAMIC(storage, msd_digits_storage<K>);
    msd_digits_storage<K> &s = *storage;
    __syncthreads();
    msd_clear_digits<K>(s);
    __syncthreads();
    const uint32_t end = min(msd_stretches_of<K>(a.count), blocks * MSD_STRETCHES_AHEAD);
    msd_count_digits<K>(a, rank, end, blocks, 0, s);
}

/* By all blocks, of which so many, all but the first, have counted ahead: counts digits, all but
 * `cut`; the block that is done last plans. Not inlined, either. */
template <typename K>
__attribute__((noinline)) static __device__ void
msd_prepare_passes(const lsd_arguments &a, uint32_t pass_keys, uint32_t ahead, uint32_t cut,
                   msd_control *control)
{
    SHARED_DYNAMIC(storage, msd_digits_storage<K>);
    msd_digits_storage<K> &s = *storage;
    msd_clear_lookback(a, pass_keys);
    if (blockIdx.x < gridDim.x - ahead)
        msd_clear_digits<K>(s);
    __syncthreads();
    msd_count_digits<K>(a, ahead * MSD_STRETCHES_AHEAD + blockIdx.x, msd_stretches_of<K>(a.count),
                        gridDim.x, cut, s);
    __syncthreads();
    msd_add_up_digits<K>(a, s);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        s.last = atomicAdd(&a.control->finished_blocks, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!s.last)
        return;
    __threadfence();
    if (threadIdx.x == 0)
        a.control->cut = cut;
    msd_plan_passes<K>(a, control, s);
}

#endif
