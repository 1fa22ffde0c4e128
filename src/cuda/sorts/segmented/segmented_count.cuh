/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large segments, first two thirds of a level: count each unit's digits, then scan them for each
 * bucket, so that all know where its items go. Buckets are split
 * from the most significant digit on, as in E. Stehle and H.-A. Jacobsen, "A Memory
 * Bandwidth-Efficient Hybrid Radix Sort on GPUs", SIGMOD 2017; here every segment is a bucket to
 * begin with.
 */
#ifndef CONSORT_SEGMENTED_COUNT_CUH
#define CONSORT_SEGMENTED_COUNT_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/sorts/segmented/segmented_split.cuh"
#include "cuda/sorts/segmented/segmented_tuning.h"

enum {
    SEGMENTED_COUNT_COPIES = 8 /* of the bins, so that warps meet less often in one */
};

template <typename K>
static __device__ __forceinline__ K segmented_code(const segmented_arguments &a,
                                                   const codes<K> &codec, uint32_t buffer,
                                                   uint64_t at)
{
    const K key = ((const K *)a.keys[buffer])[at];
    return buffer == 0 ? codec.encode(key) : key;
}

static __device__ __forceinline__ void segmented_clear_counts(uint32_t (*bins)[SEGMENTED_BINS])
{
    for (unsigned i = threadIdx.x; i < SEGMENTED_COUNT_COPIES * SEGMENTED_BINS; i += blockDim.x)
        bins[i / SEGMENTED_BINS][i % SEGMENTED_BINS] = 0;
}

static __device__ __forceinline__ void segmented_put_counts(const segmented_bins &sums,
                                                            uint32_t (*bins)[SEGMENTED_BINS])
{
    for (unsigned d = threadIdx.x; d < SEGMENTED_BINS; d += blockDim.x) {
        uint32_t sum = 0;
#pragma unroll
        for (unsigned copy = 0; copy < SEGMENTED_COUNT_COPIES; copy++)
            sum += bins[copy][d];
        sums.put(d, sum);
    }
}

template <typename K>
static __device__ __forceinline__ void segmented_count(const segmented_arguments &a, uint32_t level,
                                                       uint32_t (*bins)[SEGMENTED_BINS])
{
    if (segmented_idle(a, segmented_unit_count(a, level)))
        return;
    constexpr unsigned items = 8;
    if (level == 0)
        segmented_clear_chains(a);
    const codes<K> codec(a.codec);
    const code_byte<K> digit(a.levels - 1 - level);
    uint32_t *mine = bins[threadIdx.x / 32 % SEGMENTED_COUNT_COPIES];
    for (uint32_t unit = blockIdx.x; unit < segmented_unit_count(a, level); unit += gridDim.x) {
        const segmented_unit u = segmented_unit_of(a, level, unit);
        const segmented_bucket &bucket = u.bucket;
        const uint32_t buffer = bucket.buffer;
        const segmented_bins sums = segmented_bins_of(a, bucket, u.number);
        segmented_clear_counts(bins);
        __syncthreads();
        for (uint32_t first = 0; first < u.length; first += items * blockDim.x) {
            K code[items];
#pragma unroll
            for (unsigned i = 0; i < items; i++) {
                const uint32_t at = first + i * blockDim.x + threadIdx.x;
                code[i] = at < u.length ? segmented_code(a, codec, buffer, u.start + at) : (K)0;
            }
#pragma unroll
            for (unsigned i = 0; i < items; i++)
                if (first + i * blockDim.x + threadIdx.x < u.length)
                    atomicAdd(&mine[digit(code[i])], 1u);
        }
        __syncthreads();
        segmented_put_counts(sums, bins);
        __syncthreads();
    }
}

struct segmented_scan_storage {
    segmented_split_storage split;
    uint64_t warp_sums[8];
};

/* One bucket: the places of all its units' digits. Threads 0…255 own a digit each. */
static __device__ __forceinline__ void segmented_scan_bucket(const segmented_arguments &a,
                                                             uint32_t level, uint32_t at,
                                                             segmented_scan_storage &s)
{
    segmented_bucket bucket = segmented_bucket_at(a, level, at);
    const bool owner = threadIdx.x < SEGMENTED_BINS;
    const uint32_t units = segmented_units(a, bucket.length);
    const uint32_t own_units = owner ? units : 0;
    const segmented_bins bins = segmented_bins_of(a, bucket, 0);
    uint64_t count = 0;
#pragma unroll 16
    for (uint32_t unit = 0; unit < own_units; unit++)
        count += bins.get((uint64_t)unit * SEGMENTED_BINS + threadIdx.x);
    const bool settled = __syncthreads_or(count == bucket.length);
    uint64_t place = block_exclusive_sum_256(count, s.warp_sums);
    if (settled)
        return segmented_stay(a, level, at, bucket);
    if (owner)
        s.split.start[threadIdx.x] = place;
    if (threadIdx.x == 0)
        s.split.start[SEGMENTED_BINS] = bucket.length;
#pragma unroll 16
    for (uint32_t unit = 0; unit < own_units; unit++) {
        const uint64_t bin = (uint64_t)unit * SEGMENTED_BINS + threadIdx.x;
        const uint64_t more = bins.get(bin);
        bins.put(bin, place);
        place += more;
    }
    __syncthreads();
    if (segmented_splits_early(a, level))
        segmented_split_early(a, level, bucket, s.split);
    __syncthreads();
}

static __device__ __forceinline__ void segmented_scan(const segmented_arguments &a, uint32_t level,
                                                      segmented_scan_storage &s)
{
    if (segmented_idle(a, segmented_bucket_count(a, level)))
        return;
    for (uint32_t at = blockIdx.x; at < segmented_bucket_count(a, level); at += gridDim.x)
        segmented_scan_bucket(a, level, at, s);
}

#endif
