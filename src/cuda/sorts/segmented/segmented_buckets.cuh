/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large segments, and parts of them that are still large, as buckets of a level. There may be one
 * for so many items as no block sorts, so that the records of those of one unit are words of 64
 * bits: units are so small that a length takes the bits that the start leaves. The few buckets of
 * several units have records in full.
 */
#ifndef CONSORT_SEGMENTED_BUCKETS_CUH
#define CONSORT_SEGMENTED_BUCKETS_CUH

#include "cuda/sorts/segmented/segmented_lists.cuh"

/* Whether so many items are several units. */
static __device__ __forceinline__ bool segmented_has_units(const segmented_arguments &a,
                                                           uint64_t length)
{
    return length >= 2 * (uint64_t)a.unit_items;
}

/* Of each of several units but the last: whole tiles, as few as there can be of so many units. */
static __device__ __forceinline__ uint32_t segmented_items_of_unit(const segmented_arguments &a,
                                                                   uint64_t length)
{
    const uint64_t units = length / a.unit_items, each = (length + units - 1) / units;
    return (uint32_t)((each + a.tile_items - 1) / a.tile_items) * a.tile_items;
}

static __device__ __forceinline__ uint32_t segmented_units(const segmented_arguments &a,
                                                           uint64_t length)
{
    if (!segmented_has_units(a, length))
        return 1;
    const uint32_t items = segmented_items_of_unit(a, length);
    return (uint32_t)((length + items - 1) / items);
}

/* A bucket of one unit, in a word. */
static __device__ __forceinline__ uint64_t segmented_single(const segmented_arguments &a,
                                                            const segmented_bucket &bucket)
{
    return bucket.start | bucket.length << a.start_bits |
           (uint64_t)bucket.coarse << SEGMENTED_SINGLE_COARSE_SHIFT |
           (uint64_t)bucket.settled << SEGMENTED_SINGLE_SETTLED_SHIFT |
           (uint64_t)bucket.buffer << SEGMENTED_SINGLE_BUFFER_SHIFT;
}

static __device__ __forceinline__ segmented_bucket segmented_of_single(const segmented_arguments &a,
                                                                       uint64_t word)
{
    const uint64_t known = word & (((uint64_t)1 << SEGMENTED_SINGLE_COARSE_SHIFT) - 1);
    return {known & (((uint64_t)1 << a.start_bits) - 1),
            known >> a.start_bits,
            0,
            (uint8_t)(word >> SEGMENTED_SINGLE_BUFFER_SHIFT),
            (uint8_t)(word >> SEGMENTED_SINGLE_SETTLED_SHIFT & 1),
            (uint8_t)(word >> SEGMENTED_SINGLE_COARSE_SHIFT & 3)};
}

static __device__ __forceinline__ void
segmented_add_shared(const segmented_arguments &a, uint32_t level, segmented_bucket &bucket)
{
    const uint32_t units = segmented_units(a, bucket.length);
    const uint32_t at = atomicAdd(&a.control->shared_count[level], 1u);
    bucket.first_unit = atomicAdd(&a.control->unit_count[level], units);
    if (at >= a.unit_room / 2 || units > a.unit_room || bucket.first_unit > a.unit_room - units)
        return;
    for (uint32_t unit = 0; unit < units; unit++)
        a.units[level % 2][bucket.first_unit + unit] = at;
    a.shared[level % 2][at] = bucket;
}

/* For `level` to partition. What has no room is of offsets that are refused. */
static __device__ __forceinline__ void segmented_add_bucket(const segmented_arguments &a,
                                                            uint32_t level, uint64_t start,
                                                            uint64_t length, uint32_t buffer)
{
    segmented_bucket bucket = {start, length, 0, (uint8_t)buffer, 0, 0};
    if (segmented_has_units(a, length))
        return segmented_add_shared(a, level, bucket);
    const uint32_t at = atomicAdd(&a.control->single_count[level], 1u);
    if (at < a.bucket_room)
        a.singles[level % 2][at] = segmented_single(a, bucket);
}

static __device__ __forceinline__ uint32_t segmented_bucket_count(const segmented_arguments &a,
                                                                  uint32_t level)
{
    return a.control->shared_count[level] + a.control->single_count[level];
}

/* Number `i` of them: those of several units are the first. */
static __device__ __forceinline__ segmented_bucket segmented_bucket_at(const segmented_arguments &a,
                                                                       uint32_t level, uint32_t i)
{
    const uint32_t shared = a.control->shared_count[level];
    return i < shared ? a.shared[level % 2][i]
                      : segmented_of_single(a, a.singles[level % 2][i - shared]);
}

/* Notes what has been found out about it. */
static __device__ __forceinline__ void segmented_set_bucket(const segmented_arguments &a,
                                                            uint32_t level, uint32_t i,
                                                            const segmented_bucket &bucket)
{
    const uint32_t shared = a.control->shared_count[level];
    if (i < shared)
        a.shared[level % 2][i] = bucket;
    else
        a.singles[level % 2][i - shared] = segmented_single(a, bucket);
}

#endif
