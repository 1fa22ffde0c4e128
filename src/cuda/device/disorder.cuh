/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions over neighbouring keys: whether one comes before its predecessor, and how far from it
 * they lie. Every lane of a warp calls them. */
#ifndef CONSORT_CUDA_DISORDER_CUH
#define CONSORT_CUDA_DISORDER_CUH

#include "cuda/device/warp_reduce.cuh"

/* True if one of this lane's codes comes before the one in front of it. Lanes hold consecutive
 * codes, N each; `last` is the code in front of the first lane's, and becomes the last lane's last,
 * ready for the row that follows. */
template <typename K, unsigned N>
static __device__ __forceinline__ bool disorder_in_row(const K (&code)[N], K &last)
{
    K before = warp_shift_up(code[N - 1]);
    if (threadIdx.x % 32 == 0)
        before = last;
    bool disordered = code[0] < before;
#pragma unroll
    for (unsigned i = 1; i < N; i++)
        disordered |= code[i] < code[i - 1];
    last = warp_last(code[N - 1]);
    return disordered;
}

/* This lane's part of Σ |position(a[j]) − position(a[j − 1])| over N rows of 32 consecutive keys:
 * lane l holds key l of each row, and `left` of lane 0 is the key in front of the row. Distances
 * that are not numbers count nothing. */
template <typename K, unsigned N, typename Position>
static __device__ __forceinline__ double disorder_sum(const K (&code)[N], const K (&left)[N],
                                                      Position position)
{
    double sum = 0.0;
#pragma unroll
    for (unsigned i = 0; i < N; i++) {
        const double here = position(code[i]);
        double before = __shfl_up_sync(0xffffffffu, here, 1);
        if (threadIdx.x % 32 == 0)
            before = position(left[i]);
        const double distance = fabs(here - before);
        sum += distance >= 0.0 ? distance : 0.0;
    }
    return sum;
}

#endif
