/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions and shifts over the 32 lanes of a warp, for words of any width up to 128 bits. Every
 * lane calls them. */
#ifndef CONSORT_CUDA_WARP_REDUCE_CUH
#define CONSORT_CUDA_WARP_REDUCE_CUH

#include "cuda/device/device.cuh"

/* Shuffles exchange 32 or 64 bits. */
template <typename T> static __device__ __forceinline__ T warp_from_lane(T value, unsigned lane)
{
    if constexpr (sizeof(T) == 16) {
        const uint64_t low = __shfl_sync(0xffffffffu, (uint64_t)value, (int)lane);
        const uint64_t high = __shfl_sync(0xffffffffu, (uint64_t)(value >> 64), (int)lane);
        return (T)high << 64 | low;
    } else if constexpr (sizeof(T) == 8) {
        return (T)__shfl_sync(0xffffffffu, (uint64_t)value, (int)lane);
    } else {
        return (T)__shfl_sync(0xffffffffu, (uint32_t)value, (int)lane);
    }
}

/* Lane i gets what lane i − 1 has; lane 0 its own. */
template <typename T> static __device__ __forceinline__ T warp_shift_up(T value)
{
    const unsigned lane = threadIdx.x % 32;
    return warp_from_lane(value, lane > 0 ? lane - 1 : 0);
}

/* What the last lane has. */
template <typename T> static __device__ __forceinline__ T warp_last(T value)
{
    return warp_from_lane(value, 31);
}

static __device__ __forceinline__ uint64_t warp_min(uint64_t value)
{
#pragma unroll
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        const uint64_t other = __shfl_xor_sync(0xffffffffu, value, (int)delta);
        value = other < value ? other : value;
    }
    return value;
}

#endif
