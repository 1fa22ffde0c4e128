/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counting the digits of units, as segmented_count() does, but the next keys are on their way while
 * some are counted. Levels after the first have no registers for that.
 */
#ifndef CONSORT_SEGMENTED_LONG_COUNT_CUH
#define CONSORT_SEGMENTED_LONG_COUNT_CUH

#include "cuda/sorts/msd/msd_codes.cuh"
#include "cuda/sorts/segmented/segmented_count.cuh"

template <typename K> struct segmented_long_counter {
    static constexpr unsigned items = sizeof(K) > 4 ? 4 : 8;
    static constexpr uint32_t step = SEGMENTED_TILE_THREADS * items;

    const msd_codec<K> codec;
    const code_byte<K> digit;
    uint32_t *const bins;

    __device__ __forceinline__ segmented_long_counter(const segmented_arguments &a, uint32_t level,
                                                      uint32_t *own)
        : codec(a.codec), digit(a.levels - 1 - level), bins(own)
    {
    }

    static __device__ __forceinline__ void load(K (&key)[items], const K *from, uint32_t count)
    {
        if (count >= step) {
#pragma unroll
            for (unsigned i = 0; i < items; i++)
                key[i] = from[i * SEGMENTED_TILE_THREADS + threadIdx.x];
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            if (i * SEGMENTED_TILE_THREADS + threadIdx.x < count)
                key[i] = from[i * SEGMENTED_TILE_THREADS + threadIdx.x];
    }

    __device__ __forceinline__ void add(const K (&code)[items], uint32_t count) const
    {
        if (count >= step) {
#pragma unroll
            for (unsigned i = 0; i < items; i++)
                atomicAdd(&bins[digit(code[i])], 1u);
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            if (i * SEGMENTED_TILE_THREADS + threadIdx.x < count)
                atomicAdd(&bins[digit(code[i])], 1u);
    }

    __device__ __forceinline__ void count(const K *from, uint32_t length, bool raw) const
    {
        K next[items];
        load(next, from, length);
        for (;;) {
            K code[items];
#pragma unroll
            for (unsigned i = 0; i < items; i++)
                code[i] = next[i];
            const bool more = length > step;
            if (more)
                load(next, from += step, length - step);
            if (raw)
                codec.encode_all(code);
            add(code, length);
            if (!more)
                return;
            length -= step;
        }
    }
};

template <typename K>
static __device__ __forceinline__ void
segmented_long_count(const segmented_arguments &a, uint32_t level, uint32_t (*bins)[SEGMENTED_BINS])
{
    if (segmented_idle(a, segmented_unit_count(a, level)))
        return;
    if (level == 0)
        segmented_clear_chains(a);
    const segmented_long_counter<K> counter(a, level,
                                            bins[threadIdx.x / 32 % SEGMENTED_COUNT_COPIES]);
    for (uint32_t unit = blockIdx.x; unit < segmented_unit_count(a, level); unit += gridDim.x) {
        const segmented_unit u = segmented_unit_of(a, level, unit);
        const segmented_bucket &bucket = u.bucket;
        segmented_clear_counts(bins);
        __syncthreads();
        counter.count((const K *)a.keys[bucket.buffer] + u.start, u.length, bucket.buffer == 0);
        __syncthreads();
        segmented_put_counts(segmented_bins_of(a, bucket, u.number), bins);
        __syncthreads();
    }
}

#endif
