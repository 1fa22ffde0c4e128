/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix sums over the warps of a block, each of which has one value. */
#ifndef CONSORT_CUDA_BLOCK_WARP_SCAN_CUH
#define CONSORT_CUDA_BLOCK_WARP_SCAN_CUH

#include "cuda/device/block_scan.cuh"

/*
 * What the lower warps add up to, and all of them, for a block of any number of warps whose lanes
 * all know their warp's value. `warp_sums` is shared memory for 32 values, free again after the
 * block's next barrier. Holds one barrier.
 */
template <typename T>
static __device__ __forceinline__ T block_sum_of_lower_warps(T warp_value, T *warp_sums, T *total)
{
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        warp_sums[warp] = warp_value;
    __syncthreads();
    const T inclusive = warp_inclusive_sum(lane < blockDim.x / 32 ? warp_sums[lane] : (T)0);
    *total = __shfl_sync(0xffffffffu, inclusive, 31);
    return __shfl_sync(0xffffffffu, inclusive, warp) - warp_value;
}

#endif
