/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short segments among longer ones, collected: a warp takes them as they come, as many as its tile
 * of 32 · `Rows` places has room for, `Most` at most. Where nothing lies between them they are one
 * stretch of the array; else an item is found by its segment, of which a bit for each place tells
 * where one begins.
 */
#ifndef CONSORT_SEGMENTED_COLLECT_CUH
#define CONSORT_SEGMENTED_COLLECT_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/ptx.cuh"
#include "cuda/sorts/segmented/segmented_lists.cuh"

template <unsigned Rows, unsigned Most> struct segmented_collect_storage {
    uint32_t begins[Rows];  /* a bit for each place */
    uint32_t skipped[Most]; /* items of the array between the segment and the tile's first that are
                             * not in the tile */
};

template <unsigned Rows, unsigned Most> struct segmented_collected {
    using storage = segmented_collect_storage<Rows, Most>;
    static constexpr uint32_t places = 32 * Rows;
    static_assert(SEGMENTED_RUN_MOST <= places, "an empty tile has room for any short segment");

    storage &s;
    uint64_t first = 0; /* item of the tile, in the array */
    uint32_t segments = 0, items = 0;
    bool whole = true; /* they are one stretch of the array */

    __device__ __forceinline__ explicit segmented_collected(storage &shared) : s(shared)
    {
        clear();
    }

    /* Takes this lane's segment, of length 0 if it has none, and those of the others, in order, as
     * many as there is room for; calls taken(place) if it is one of them. Returns the lanes whose
     * segments are left. */
    template <typename Taken>
    __device__ __forceinline__ uint32_t add(uint64_t begin, uint32_t length, Taken taken)
    {
        const uint32_t those = __ballot_sync(0xffffffffu, length > 0);
        if (those == 0)
            return 0;
        const uint64_t lowest = __shfl_sync(0xffffffffu, begin, __ffs((int)those) - 1);
        if (segments == 0)
            first = lowest;
        const uint32_t end = items + warp_inclusive_sum(length), place = end - length;
        const uint32_t number = segments + (uint32_t)__popc(those & lanemask_lt());
        const uint64_t gap = begin - first - place;
        const uint32_t gaps = __ballot_sync(0xffffffffu, length > 0 && gap > 0);
        bool waits = false; /* behind a stretch that is worth its own tile */
        if (whole && gaps != 0) {
            const uint32_t before = __shfl_sync(0xffffffffu, place, __ffs((int)gaps) - 1);
            waits = before >= places / 2 && gap > 0;
        }
        const bool fits = length > 0 && end <= places && number < Most && gap >> 31 == 0 && !waits;
        const uint32_t takes = __ballot_sync(0xffffffffu, fits);
        if (fits) {
            atomicOr(&s.begins[place / 32], 1u << place % 32);
            s.skipped[number] = (uint32_t)gap;
        }
        taken(fits, place);
        if (takes != 0)
            items = __shfl_sync(0xffffffffu, end, 31 - __clz((int)takes));
        segments += (uint32_t)__popc(takes);
        whole &= (gaps & takes) == 0;
        return those & ~takes;
    }

    __device__ __forceinline__ void clear()
    {
        if (threadIdx.x % 32 < Rows)
            s.begins[threadIdx.x % 32] = 0;
        segments = items = 0;
        whole = true;
        __syncwarp();
    }

    /* How many items of the array between the tile's first and this lane's of a row are not in the
     * tile, if `before` segments begin before the row. */
    __device__ __forceinline__ uint32_t skipped(uint32_t row, uint32_t before) const
    {
        return s.skipped[before + (uint32_t)__popc(s.begins[row] & lanemask_le()) - 1];
    }
};

/* Collects and sorts the segments of this warp's share. */
template <typename Collector>
static __device__ __forceinline__ void segmented_collect_share(const segmented_arguments &a,
                                                               Collector &collector)
{
    const segmented_share share(a);
    uint32_t left = ~0u; /* lanes whose segments have not been taken */
    segmented_of_group segment(a, share.first), next = segment;
#pragma unroll 1
    for (uint32_t group = share.first; group < share.last;) {
        if (Collector::reads_ahead && left == ~0u)
            next = segmented_of_group(a, group + 1);
        const uint32_t length = segment.short_one(a);
        left = collector.add(segment.begin, left >> threadIdx.x % 32 & 1 ? length : 0);
        if (left == 0) {
            left = ~0u;
            segment = Collector::reads_ahead ? next : segmented_of_group(a, group + 1);
            if (++group < share.last)
                continue;
        }
        collector.sort();
    }
}

#endif
