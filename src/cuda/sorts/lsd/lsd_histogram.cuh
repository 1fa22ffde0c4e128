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
    float warp_shares[8];
    float likeness[sizeof(K)];
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

/* How likely two keys are to agree in a digit; the last of threads 0…255, which hold one digit
 * value's count each, has the sum. */
static __device__ __forceinline__ float lsd_likeness(uint64_t count, uint64_t keys,
                                                     float *warp_sums)
{
    const float share = (float)count / (float)max(keys, (uint64_t)1);
    return block_exclusive_sum_256(share * share, warp_sums) + share * share;
}

/* The number of lowest passes to leave out: the fewest of the others after which, were digits
 * independent, at most one key in 64 would agree with another. */
static __device__ __forceinline__ uint32_t lsd_cut(const lsd_arguments &a, const float *likeness)
{
    float alike = (float)a.count;
    for (unsigned pass = a.passes; pass > a.cuttable; pass--)
        alike *= likeness[pass - 1];
    uint32_t cut = a.cuttable;
    for (; cut > 0 && alike > 1.0f / 64; cut--)
        alike *= likeness[cut - 1];
    return cut;
}

static __device__ __forceinline__ void lsd_number_steps(const lsd_arguments &a, uint32_t agreed,
                                                        uint32_t cut)
{
    int32_t steps = 0;
    for (unsigned pass = 0; pass < a.passes; pass++) {
        const bool skipped = (agreed >> pass & 1) || pass < cut;
        a.control->step[pass] = skipped ? LSD_SKIPPED : steps;
        steps += !skipped;
    }
    a.control->step_count = steps;
    a.control->cut = cut;
}

/* Threads 0…255 hold one digit value's count each; replaces counts by places. */
template <typename K>
static __device__ __forceinline__ void lsd_plan_passes(const lsd_arguments &a,
                                                       lsd_histogram_storage<K> &s)
{
    uint32_t agreed = 0;
    for (unsigned pass = 0; pass < a.passes; pass++) {
        uint64_t count = 0;
        if (threadIdx.x < LSD_BINS)
            count = load_relaxed(&a.control->bins[pass][0][threadIdx.x]);
        agreed |= (uint32_t)(__syncthreads_or(count == a.count) != 0) << pass;
        const uint64_t place = block_exclusive_sum_256(count, s.warp_sums);
        if (threadIdx.x < LSD_BINS)
            a.control->bins[pass][0][threadIdx.x] = place;
        __syncthreads();
        if (a.cuttable) {
            const float likeness = lsd_likeness(count, a.count, s.warp_shares);
            if (threadIdx.x == LSD_BINS - 1)
                s.likeness[pass] = likeness;
            __syncthreads();
        }
    }
    if (threadIdx.x == 0)
        lsd_number_steps(a, agreed, a.cuttable ? lsd_cut(a, s.likeness) : 0);
}

template <typename K>
static __device__ __forceinline__ void lsd_histogram(const lsd_arguments &a,
                                                     lsd_histogram_storage<K> &s)
{
    if (a.control->leaves)
        return;
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
        lsd_plan_passes<K>(a, s);
    }
}

#endif
