/* SPDX-License-Identifier: Apache-2.0 */
/* Reading offsets, and listing the work they make: leaves by class, large segments as buckets. */
#ifndef CONSORT_SEGMENTED_LISTS_CUH
#define CONSORT_SEGMENTED_LISTS_CUH

#include "cuda/device/device.cuh"
#include "cuda/sorts/segmented/segmented_layout.h"

static __device__ __forceinline__ uint64_t segmented_offset(const segmented_arguments &a,
                                                            uint64_t index)
{
    return a.offset_bytes == 4 ? ((const uint32_t *)a.offsets)[index]
                               : ((const uint64_t *)a.offsets)[index];
}

/* Bad offsets stop the run before anything is written. */
static __device__ __forceinline__ bool segmented_refused(const segmented_arguments &a)
{
    return a.control->bad != 0;
}

static __device__ __forceinline__ uint64_t segmented_leaf(uint64_t start, uint64_t length,
                                                          uint32_t buffer)
{
    return start | (length - 1) << SEGMENTED_LEAF_LENGTH_SHIFT |
           (uint64_t)buffer << SEGMENTED_LEAF_BUFFER_SHIFT;
}

static __device__ __forceinline__ uint64_t segmented_leaf_start(uint64_t leaf)
{
    return leaf & (((uint64_t)1 << SEGMENTED_LEAF_LENGTH_SHIFT) - 1);
}

static __device__ __forceinline__ uint32_t segmented_leaf_length(uint64_t leaf)
{
    return ((uint32_t)(leaf >> SEGMENTED_LEAF_LENGTH_SHIFT) &
            ((1u << SEGMENTED_LEAF_LENGTH_BITS) - 1)) +
           1;
}

static __device__ __forceinline__ uint32_t segmented_leaf_buffer(uint64_t leaf)
{
    return (uint32_t)(leaf >> SEGMENTED_LEAF_BUFFER_SHIFT);
}

/* The most items that class `c` sorts; class −1 is one thread. */
static __device__ __forceinline__ uint32_t segmented_class_items(const segmented_arguments &a,
                                                                 int c)
{
    return a.thread_items << (c + 1);
}

/* The class that sorts `length` items, more than one thread's and no more than the last class's. */
static __device__ __forceinline__ int segmented_class_of(const segmented_arguments &a,
                                                         uint32_t length)
{
    return 31 - __clz((int)((length - 1) / a.thread_items));
}

static __device__ __forceinline__ void segmented_put_leaf(const segmented_arguments &a, int c,
                                                          uint64_t at, uint64_t leaf)
{
    if (at < a.lists[c].room)
        a.lists[c].leaves[(int64_t)at * a.lists[c].step] = leaf;
}

static __device__ __forceinline__ uint64_t segmented_get_leaf(const segmented_arguments &a, int c,
                                                              uint64_t at)
{
    return a.lists[c].leaves[(int64_t)at * a.lists[c].step];
}

static __device__ __forceinline__ void segmented_add_leaf(const segmented_arguments &a, int c,
                                                          uint64_t leaf)
{
    const uint64_t at = atomicAdd((unsigned long long *)&a.control->leaf_count[c], 1ull);
    segmented_put_leaf(a, c, at, leaf);
}

/* For `level` to partition. */
static __device__ __forceinline__ void segmented_add_bucket(const segmented_arguments &a,
                                                            uint32_t level, uint64_t start,
                                                            uint64_t length, uint32_t buffer)
{
    const uint64_t units = (length + a.unit_items - 1) / a.unit_items;
    const uint32_t at = atomicAdd(&a.control->bucket_count[level], 1u);
    const uint32_t first = atomicAdd(&a.control->unit_count[level], (uint32_t)units);
    const uint32_t bins = units > 1 ? (uint32_t)units : 0;
    const uint32_t first_bins = atomicAdd(&a.control->bins_count[level], bins);
    if (at >= a.bucket_room || units > a.unit_room || first > a.unit_room - (uint32_t)units ||
        bins > a.bins_room || first_bins > a.bins_room - bins)
        return;
    a.buckets[level % 2][at] = {start, length, first, buffer, 0, first_bins};
    for (uint32_t unit = 0; unit < units; unit++)
        a.units[level % 2][first + unit] = at;
}

#endif
