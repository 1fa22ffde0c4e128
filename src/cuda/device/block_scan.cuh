/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix sums over the threads of a block. */
#ifndef CONSORT_CUDA_BLOCK_SCAN_CUH
#define CONSORT_CUDA_BLOCK_SCAN_CUH

#include "cuda/device/device.cuh"

template <typename T> static __device__ __forceinline__ T warp_inclusive_sum(T value)
{
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned delta = 1; delta < 32; delta *= 2) {
        T other = __shfl_up_sync(0xffffffffu, value, delta);
        if (lane >= delta)
            value += other;
    }
    return value;
}

/*
 * The sum of `value` over all lower threads, for the first 256 threads of a block that all call it;
 * `warp_sums` is shared memory for 8 values, reusable after the block's next barrier. Holds one
 * barrier.
 */
template <typename T>
static __device__ __forceinline__ T block_exclusive_sum_256(T value, T *warp_sums)
{
    T inclusive = 0;
    if (threadIdx.x < 256) {
        inclusive = warp_inclusive_sum(value);
        if (threadIdx.x % 32 == 31)
            warp_sums[threadIdx.x / 32] = inclusive;
    }
    __syncthreads();
    if (threadIdx.x >= 256)
        return 0;
    T before = 0;
#pragma unroll
    for (unsigned warp = 0; warp < 8; warp++)
        before += warp < threadIdx.x / 32 ? warp_sums[warp] : (T)0;
    return before + inclusive - value;
}

/*
 * The same for all threads of a block of a multiple of 32: also the sum over the whole block.
 * `warp_sums` has a place for each warp. Holds two barriers: the memory is free again after.
 */
template <unsigned Warps, typename T>
static __device__ __forceinline__ T block_exclusive_sum(T value, T *warp_sums, T *total)
{
    const T inclusive = warp_inclusive_sum(value);
    if (threadIdx.x % 32 == 31)
        warp_sums[threadIdx.x / 32] = inclusive;
    __syncthreads();
    T before = 0, sum = 0;
#pragma unroll
    for (unsigned warp = 0; warp < Warps; warp++) {
        before += warp < threadIdx.x / 32 ? warp_sums[warp] : (T)0;
        sum += warp_sums[warp];
    }
    __syncthreads();
    *total = sum;
    return before + inclusive - value;
}

#endif
