/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The histograms of all digits in one read of the keys; the block that finishes last turns them
 * into places and decides which passes move keys at all.
 */
#ifndef CONSORT_LSD_HISTOGRAM_CUH
#define CONSORT_LSD_HISTOGRAM_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/ptx.cuh"
#include "cuda/sorts/lsd/lsd_layout.h"

template <typename K> struct lsd_histogram_storage {
    uint32_t bins[sizeof(K)][LSD_BINS];
    uint64_t warp_sums[8];
    uint32_t last;
};

template <typename K>
static __device__ __forceinline__ void lsd_count_keys(const lsd_arguments &a,
                                                      uint32_t (*bins)[LSD_BINS])
{
    constexpr unsigned items = 16 / sizeof(K) < 4 ? 4 : 16 / sizeof(K);
    const codes<K> codec(a.codec);
    const K *keys = (const K *)a.keys_in;
    const uint64_t tile = (uint64_t)blockDim.x * items;
    for (uint64_t first = blockIdx.x * tile; first < a.count; first += gridDim.x * tile) {
        K code[items];
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            const uint64_t at = first + i * blockDim.x + threadIdx.x;
            code[i] = at < a.count ? keys[at] : (K)0;
        }
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            if (first + i * blockDim.x + threadIdx.x >= a.count)
                continue;
            const K key = codec.encode(code[i]);
#pragma unroll
            for (unsigned pass = 0; pass < sizeof(K); pass++)
                if (pass < a.passes)
                    atomicAdd(&bins[pass][(uint32_t)(key >> (8 * pass)) & (LSD_BINS - 1)], 1u);
        }
    }
}

/* Threads 0…255 hold one digit value's count each; replaces counts by places. */
static __device__ __forceinline__ void lsd_plan_passes(const lsd_arguments &a, uint64_t *warp_sums)
{
    int32_t steps = 0;
    for (unsigned pass = 0; pass < a.passes; pass++) {
        uint64_t count = 0;
        if (threadIdx.x < LSD_BINS)
            count = load_relaxed(&a.control->bins[pass][0][threadIdx.x]);
        const bool all_agree = __syncthreads_or(count == a.count);
        const uint64_t place = block_exclusive_sum_256(count, warp_sums);
        if (threadIdx.x < LSD_BINS)
            a.control->bins[pass][0][threadIdx.x] = place;
        if (threadIdx.x == 0)
            a.control->step[pass] = all_agree ? LSD_SKIPPED : steps;
        steps += !all_agree;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        a.control->step_count = steps;
}

template <typename K>
static __device__ __forceinline__ void lsd_histogram(const lsd_arguments &a,
                                                     lsd_histogram_storage<K> &s)
{
    uint32_t *flat = &s.bins[0][0];
    for (unsigned i = threadIdx.x; i < a.passes * LSD_BINS; i += blockDim.x)
        flat[i] = 0;
    __syncthreads();
    lsd_count_keys<K>(a, s.bins);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < a.passes * LSD_BINS; i += blockDim.x)
        if (flat[i])
            atomicAdd((unsigned long long *)&a.control->bins[i / LSD_BINS][0][i % LSD_BINS],
                      (unsigned long long)flat[i]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        s.last = atomicAdd(&a.control->finished_blocks, 1u) == gridDim.x - 1;
    __syncthreads();
    if (s.last) {
        __threadfence();
        lsd_plan_passes(a, s.warp_sums);
    }
}

#endif
