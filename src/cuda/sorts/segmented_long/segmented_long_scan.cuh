/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of units' digits where what is moved needs no order within a leaf: digits that follow
 * each other are moved as one where that fills leaves as well. Then tiles leave in longer runs.
 */
#ifndef CONSORT_SEGMENTED_LONG_SCAN_CUH
#define CONSORT_SEGMENTED_LONG_SCAN_CUH

#include "cuda/sorts/segmented/segmented_count.cuh"

enum {
    SEGMENTED_LONG_COARSEST = 3 /* bits of a digit that are left out, at most */
};

struct segmented_long_scan_storage {
    segmented_scan_storage scan;
    uint32_t most[SEGMENTED_LONG_COARSEST + 1]; /* keys of a group of digits */
};

/* Keys of a leaf of whole groups, if all have so many; 0: they do not fit. */
static __device__ __forceinline__ uint32_t segmented_long_packed(uint32_t shared, uint32_t group)
{
    return group > 0 ? shared / group * group : 0;
}

/* How many bits to leave out: the most with which leaves are filled to at least 7/8 of what single
 * digits fill. Between two barriers; `most` is zero before. */
static __device__ __forceinline__ uint32_t segmented_long_coarseness(const segmented_arguments &a,
                                                                     segmented_long_scan_storage &s)
{
    const uint32_t d = threadIdx.x;
#pragma unroll
    for (uint32_t bits = 0; bits <= SEGMENTED_LONG_COARSEST; bits++) {
        uint64_t length = 0;
        if (d % (1u << bits) == 0)
            length = s.scan.split.start[d + (1u << bits)] - s.scan.split.start[d];
        const uint32_t most =
            __reduce_max_sync(0xffffffffu, (uint32_t)min(length, (uint64_t)UINT32_MAX));
        if (d % 32 == 0)
            atomicMax(&s.most[bits], most);
    }
    __syncthreads();
    const uint32_t single = segmented_long_packed(a.shared_items, s.most[0]);
    uint32_t coarse = 0;
#pragma unroll
    for (uint32_t bits = 1; bits <= SEGMENTED_LONG_COARSEST; bits++) {
        const uint32_t packed = segmented_long_packed(a.shared_items, s.most[bits]);
        if (packed > 0 && packed >= single - single / 8)
            coarse = bits;
    }
    return coarse;
}

/* As segmented_scan_bucket(), by a block of as many threads as there are digits. All digits of a
 * group get the places of the group, which are those of its first one. */
static __device__ __forceinline__ void segmented_long_scan_bucket(const segmented_arguments &a,
                                                                  uint32_t level, uint32_t at,
                                                                  segmented_long_scan_storage &s)
{
    segmented_bucket bucket = segmented_bucket_at(a, level, at);
    const uint32_t d = threadIdx.x, units = segmented_units(a, bucket.length);
    const segmented_bins bins = segmented_bins_of(a, bucket, 0);
    uint64_t count = 0;
#pragma unroll 16
    for (uint32_t unit = 0; unit < units; unit++)
        count += bins.get((uint64_t)unit * SEGMENTED_BINS + d);
    const bool settled = __syncthreads_or(count == bucket.length);
    const uint64_t start = block_exclusive_sum_256(count, s.scan.warp_sums);
    if (settled)
        return segmented_stay(a, level, at, bucket);
    s.scan.split.start[d] = start;
    if (d == 0)
        s.scan.split.start[SEGMENTED_BINS] = bucket.length;
    if (d <= SEGMENTED_LONG_COARSEST)
        s.most[d] = 0;
    __syncthreads();
    const uint32_t coarse = segmented_long_coarseness(a, s);
    const uint32_t others = (1u << coarse) - 1, first = d & ~others;
    const uint64_t end = s.scan.split.start[first + others + 1];
    uint64_t place = s.scan.split.start[first];
#pragma unroll 16
    for (uint32_t unit = 0; unit < units; unit++) {
        const uint64_t bin = (uint64_t)unit * SEGMENTED_BINS + d;
        uint64_t more = bins.get(bin);
        for (uint32_t lanes = 1; lanes <= others; lanes *= 2)
            more += __shfl_xor_sync(0xffffffffu, more, (int)lanes);
        bins.put(bin, place);
        place += more;
    }
    __syncthreads();
    if (d != first)
        s.scan.split.start[d] = end;
    bucket.coarse = (uint8_t)coarse;
    if (d == 0)
        segmented_set_bucket(a, level, at, bucket);
    __syncthreads();
    if (segmented_splits_early(a, level))
        segmented_split_early(a, level, bucket, s.scan.split);
    __syncthreads();
}

static __device__ __forceinline__ void
segmented_long_scan(const segmented_arguments &a, uint32_t level, segmented_long_scan_storage &s)
{
    if (segmented_idle(a, segmented_bucket_count(a, level)))
        return;
    for (uint32_t at = blockIdx.x; at < segmented_bucket_count(a, level); at += gridDim.x)
        segmented_long_scan_bucket(a, level, at, s);
}

#endif
