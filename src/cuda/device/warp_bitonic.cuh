/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batcher's bitonic network over the registers of a warp: lane l holds items l × Items and the
 * following. Steps inside a lane are exchanges of registers, the others shuffles.
 */
#ifndef CONSORT_CUDA_WARP_BITONIC_CUH
#define CONSORT_CUDA_WARP_BITONIC_CUH

#include "cuda/device/device.cuh"

template <unsigned Items, typename T>
static __device__ __forceinline__ void warp_bitonic_across(T (&item)[Items], unsigned size,
                                                           unsigned lanes)
{
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned i = 0; i < Items; i++) {
        const T other = __shfl_xor_sync(0xffffffffu, item[i], (int)lanes);
        const bool ascending = ((lane * Items + i) & size) == 0;
        const bool keeps_less = ((lane & lanes) == 0) == ascending;
        item[i] = (other < item[i]) == keeps_less ? other : item[i];
    }
}

template <unsigned Items, typename T>
static __device__ __forceinline__ void warp_bitonic_within(T (&item)[Items], unsigned size,
                                                           unsigned stride)
{
    const unsigned first = threadIdx.x % 32 * Items;
#pragma unroll
    for (unsigned i = 0; i < Items; i++) {
        if (i & stride)
            continue;
        const bool ascending = ((first + i) & size) == 0;
        const T a = item[i], b = item[i | stride];
        const bool swapped = (b < a) == ascending;
        item[i] = swapped ? b : a;
        item[i | stride] = swapped ? a : b;
    }
}

/* Sorts 32 × Items different items, or items that are the same in every bit where equal. */
template <unsigned Items, typename T>
static __device__ __forceinline__ void warp_bitonic_sort(T (&item)[Items])
{
    for (unsigned size = 2; size <= 32 * Items; size *= 2) {
        for (unsigned stride = size / 2; stride >= Items; stride /= 2)
            warp_bitonic_across<Items>(item, size, stride / Items);
#pragma unroll
        for (unsigned stride = Items / 2; stride > 0; stride /= 2)
            if (stride < size)
                warp_bitonic_within<Items>(item, size, stride);
    }
}

#endif
