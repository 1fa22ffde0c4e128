/* SPDX-License-Identifier: Apache-2.0 */
/* Large segments: their units, and where a unit's counts of digits stand. */
#ifndef CONSORT_SEGMENTED_BINS_CUH
#define CONSORT_SEGMENTED_BINS_CUH

#include "cuda/sorts/segmented/segmented_parts.cuh"

/* The items of a unit: consecutive tiles of one bucket, or all of it. */
struct segmented_unit {
    uint64_t start;
    uint32_t length;
    uint32_t number; /* in the bucket */
    segmented_bucket bucket;
};

/* Of a level's units, the first are those of buckets that have several. */
static __device__ __forceinline__ uint32_t segmented_unit_count(const segmented_arguments &a,
                                                                uint32_t level)
{
    return a.control->unit_count[level] + a.control->single_count[level];
}

static __device__ __forceinline__ segmented_unit segmented_unit_of(const segmented_arguments &a,
                                                                   uint32_t level, uint32_t unit)
{
    const uint32_t shared = a.control->unit_count[level];
    if (unit >= shared) {
        const segmented_bucket single = segmented_of_single(a, a.singles[level % 2][unit - shared]);
        return {single.start, (uint32_t)single.length, 0, single};
    }
    const segmented_bucket &bucket = a.shared[level % 2][a.units[level % 2][unit]];
    const uint32_t number = unit - bucket.first_unit;
    const uint32_t items = segmented_items_of_unit(a, bucket.length);
    const uint64_t skipped = (uint64_t)number * items, left = bucket.length - skipped;
    return {bucket.start + skipped, (uint32_t)min(left, (uint64_t)items), number, bucket};
}

/* A unit's items of each digit, then where they go in the bucket. */
using segmented_bins = segmented_numbers;

/* Bins among the items of a bucket that starts there, of which nobody needs any in this buffer. */
static __device__ __forceinline__ segmented_bins segmented_bins_at(const segmented_arguments &a,
                                                                   uint32_t buffer, uint64_t start)
{
    const char *target = (const char *)a.keys[buffer] + start * a.key_bytes;
    return {(void *)(((uintptr_t)target + 7) & ~(uintptr_t)7), a.bin_bytes == 8};
}

/* A bucket's unit `number`: its bins. Those of a bucket of one unit lie where the bucket is going
 * to, which nobody else uses, and from where the one block that moves it has read them before it
 * writes. */
static __device__ __forceinline__ segmented_bins segmented_bins_of(const segmented_arguments &a,
                                                                   const segmented_bucket &bucket,
                                                                   uint32_t number)
{
    const bool wide = a.bin_bytes == 8;
    if (segmented_has_units(a, bucket.length)) {
        const uint64_t before = ((uint64_t)bucket.first_unit + number) * SEGMENTED_BINS;
        return {(char *)a.bins + before * a.bin_bytes, wide};
    }
    return segmented_bins_at(a, segmented_other(bucket.buffer), bucket.start);
}

#endif
