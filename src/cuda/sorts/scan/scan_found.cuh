/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which disorder comes first. Blocks go through the array together, so that what is left to read
 * once a disorder is known is a stretch of the whole grid.
 */
#ifndef CONSORT_SCAN_FOUND_CUH
#define CONSORT_SCAN_FOUND_CUH

#include "cuda/device/ptx.cuh"
#include "cuda/device/warp_reduce.cuh"
#include "cuda/sorts/scan/scan_layout.h"

enum : uint64_t {
    SCAN_NONE = UINT64_MAX
};

/* Every lane of the warp calls it; SCAN_NONE where there is nothing to tell. */
static __device__ __forceinline__ void scan_tell(scan_control *control, uint64_t disorder)
{
    if (!__any_sync(0xffffffffu, disorder != SCAN_NONE))
        return;
    const uint64_t least = warp_min(disorder);
    if (threadIdx.x % 32 == 0)
        atomicMax((unsigned long long *)&control->earliest,
                  (unsigned long long)(SCAN_NONE - least));
}

/* True, for the whole warp, if a disorder before item `first` is known. */
static __device__ __forceinline__ bool scan_passed(const scan_control *control, uint64_t first)
{
    const uint64_t earliest = SCAN_NONE - load_relaxed(&control->earliest);
    return warp_from_lane(earliest, 0) < first;
}

/* Items first … last − 1, one a thread: tells those for which `disorder_at` is true. */
template <typename DisorderAt>
static __device__ __forceinline__ void scan_each(scan_control *control, uint64_t first,
                                                 uint64_t last, DisorderAt disorder_at)
{
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t from = first; from < last; from += threads) {
        const uint64_t i = from + (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
        if (from > first && scan_passed(control, from))
            return;
        scan_tell(control, i < last && disorder_at(i) ? i : SCAN_NONE);
    }
}

/* The block that finishes last writes the outcome: status, buffer and position. */
static __device__ __forceinline__ void scan_finish(scan_control *control, void *outcome,
                                                   uint64_t count, uint32_t *last)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        *last = atomicAdd(&control->finished_blocks, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!*last || threadIdx.x != 0)
        return;
    __threadfence();
    const uint64_t disorder = SCAN_NONE - load_relaxed(&control->earliest);
    ((int32_t *)outcome)[0] = 0;
    ((int32_t *)outcome)[1] = 1;
    ((uint64_t *)outcome)[1] = disorder == SCAN_NONE ? count : disorder;
}

#endif
