/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places: how many items a slice has, where it begins, and which of its items one is. They have 32
 * bits as long as those do for the whole list, else 64. What moves items is made for both
 * (template parameter P); the few kernels between go by bucket_arguments.wide.
 */
#ifndef CONSORT_BUCKET_PLACES_CUH
#define CONSORT_BUCKET_PLACES_CUH

#include "cuda/device/ptx.cuh"
#include "cuda/sorts/bucket/bucket_layout.h"

/* What slice `slice` of the batch has. */
static __device__ __forceinline__ uint64_t bucket_slice_place(const bucket_arguments &a,
                                                              uint64_t slice)
{
    return a.wide ? ((const uint64_t *)a.slices)[slice] : ((const uint32_t *)a.slices)[slice];
}

static __device__ __forceinline__ void bucket_set_slice_place(const bucket_arguments &a,
                                                              uint64_t slice, uint64_t place)
{
    if (a.wide)
        ((uint64_t *)a.slices)[slice] = place;
    else
        ((uint32_t *)a.slices)[slice] = (uint32_t)place;
}

/* Adds to a slice; returns what it had. */
static __device__ __forceinline__ uint32_t bucket_add(uint32_t *place, uint32_t count)
{
    return atomicAdd(place, count);
}

static __device__ __forceinline__ uint64_t bucket_add(uint64_t *place, uint32_t count)
{
    return atomic_add_relaxed(place, (uint64_t)count);
}

#endif
