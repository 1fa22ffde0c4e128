/* SPDX-License-Identifier: Apache-2.0 */
/* From counts to sorted keys: bins become ends, by which the output is written. */
#ifndef CONSORT_COUNTING_EXPAND_CUH
#define CONSORT_COUNTING_EXPAND_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/expansion.cuh"
#include "cuda/sorts/counting/counting_layout.h"

static __device__ __forceinline__ void counting_tell_outcome(const counting_arguments &a)
{
    if (a.outcome && threadIdx.x == 0) {
        ((int32_t *)a.outcome)[0] = 0; /* CONSORT_OK */
        ((int32_t *)a.outcome)[1] = 1;
    }
}

/*
 * One block replaces counts by ends. Every warp owns a stretch of bins and goes over it twice, with
 * all lanes on neighbouring bins: for its sum, and, when the block has scanned the sums, for the
 * ends. (A thread with bins of its own reads a line of memory for each: 150 µs on an H200.)
 */
static __device__ __forceinline__ void counting_scan(const counting_arguments &a,
                                                     uint64_t *warp_sums)
{
    constexpr unsigned warps = COUNTING_THREADS / 32, batch = 8;
    const unsigned each = a.bin_count / warps, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint64_t *bins = a.bins + warp * each;
    uint64_t sum = 0;
#pragma unroll batch
    for (unsigned bin = lane; bin < each; bin += 32)
        sum += bins[bin];
    const uint64_t inclusive = warp_inclusive_sum(sum);
    if (lane == 31)
        warp_sums[warp] = inclusive;
    __syncthreads();
    uint64_t before = 0;
    for (unsigned other = 0; other < warp; other++)
        before += warp_sums[other];
    for (unsigned first = 0; first < each; first += 32 * batch) {
        uint64_t count[batch];
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            const unsigned bin = first + i * 32 + lane;
            count[i] = bin < each ? bins[bin] : 0;
        }
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            const unsigned bin = first + i * 32 + lane;
            const uint64_t end = before + warp_inclusive_sum(count[i]);
            if (bin < each)
                bins[bin] = end;
            before = __shfl_sync(0xffffffffu, end, 31);
        }
    }
    counting_tell_outcome(a);
}

template <typename K> struct counting_key_of {
    const codes<K> codec;

    __device__ __forceinline__ K operator()(uint32_t code) const
    {
        return codec.decode((K)code);
    }
};

template <typename K>
static __device__ __forceinline__ void counting_expand(const counting_arguments &a)
{
    const expansion<K, uint64_t, counting_key_of<K>> all = {
        (K *)a.out, a.bins, a.bin_count - 1, {codes<K>(a.codec)}};
    all.write_all(a.count);
}

#endif
