/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short segments among longer ones: a warp takes them as they come, as many as fill its tile, and
 * sorts all of them at once, so that the time does not depend on how their lengths are mixed. The
 * highest bits of an item's word (segmented_words.cuh) are its segment's number in the tile, so
 * that one network sorts every segment by itself. Where nothing lies between them they are one
 * stretch of the array; else an item is found by its segment, of which a bit for each place tells
 * where one begins.
 */
#ifndef CONSORT_SEGMENTED_RUNS_CUH
#define CONSORT_SEGMENTED_RUNS_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/ptx.cuh"
#include "cuda/sorts/segmented/segmented_word_tile.cuh"

template <unsigned Items> struct segmented_run_storage {
    uint32_t begins[Items];                   /* a bit for each place */
    uint32_t skipped[SEGMENTED_RUN_SEGMENTS]; /* items of the array between the segment and the
                                               * tile's first that are not in the tile */
};

template <typename K, unsigned Items> struct segmented_run_warp {
    using storage = segmented_run_storage<Items>;
    static constexpr uint32_t places = 32 * Items;
    static_assert(SEGMENTED_RUN_MOST <= places, "an empty tile has room for any short segment");

    storage &s;
    segmented_word_tile<K, Items, segmented_run_scope> tile;
    uint64_t first = 0; /* item of the tile, in the array */
    uint32_t segments = 0, items = 0;
    bool whole = true; /* they are one stretch of the array */

    __device__ __forceinline__ segmented_run_warp(const segmented_arguments &a, storage &shared,
                                                  unsigned char *memory)
        : s(shared), tile(a, memory)
    {
        clear();
    }

    /* Takes this lane's segment, of length 0 if it has none, and those of the others, in order, as
     * many as there is room for. Returns the lanes whose segments are left. */
    __device__ __forceinline__ uint32_t add(uint64_t begin, uint32_t length)
    {
        const uint32_t those = __ballot_sync(0xffffffffu, length > 0);
        if (those == 0)
            return 0;
        const uint64_t lowest = __shfl_sync(0xffffffffu, begin, __ffs((int)those) - 1);
        if (segments == 0)
            first = lowest;
        const uint32_t end = items + warp_inclusive_sum(length);
        const uint32_t number = segments + (uint32_t)__popc(those & lanemask_lt());
        const uint64_t skipped = begin - first - (end - length);
        const uint32_t gaps = __ballot_sync(0xffffffffu, length > 0 && skipped > 0);
        bool waits = false; /* behind a stretch that is worth its own tile */
        if (whole && gaps != 0) {
            const uint32_t before = __shfl_sync(0xffffffffu, end - length, __ffs((int)gaps) - 1);
            waits = before >= places / 2 && skipped > 0;
        }
        const bool fits = length > 0 && end <= places && number < SEGMENTED_RUN_SEGMENTS &&
                          skipped >> 32 == 0 && !waits;
        const uint32_t taken = __ballot_sync(0xffffffffu, fits);
        if (fits) {
            const uint32_t place = end - length;
            atomicOr(&s.begins[place / 32], 1u << place % 32);
            s.skipped[number] = (uint32_t)skipped;
        }
        if (taken != 0)
            items = __shfl_sync(0xffffffffu, end, 31 - __clz((int)taken));
        segments += (uint32_t)__popc(taken);
        whole &= (gaps & taken) == 0;
        return those & ~taken;
    }

    /* What has been added. */
    __device__ __forceinline__ void sort()
    {
        if (segments == 0)
            return;
        __syncwarp();
        if (whole)
            sort_rows<segmented_rows_at_once>([&](unsigned) {
                return segmented_row{first, items, 0, 0};
            });
        else
            sort_rows<1>([&](unsigned row) {
                return segmented_row{first + s.skipped[segment_of(row)], items, 0, 0};
            });
        __syncwarp();
        clear();
        segments = items = 0;
        whole = true;
    }

  private:
    __device__ __forceinline__ void clear()
    {
        if (threadIdx.x % 32 < Items)
            s.begins[threadIdx.x % 32] = 0;
        __syncwarp();
    }

    template <unsigned Alike, typename RowOf>
    __device__ __forceinline__ void sort_rows(RowOf row_of)
    {
        tile.order.begin(32, items);
        tile.order.rank(s.begins, segments);
        tile.template load<Alike>(row_of);
        tile.order.sort(0);
        tile.template finish<Alike>(row_of);
    }

    /* Whose item this lane's place of a row is; the last one's beyond the end. */
    __device__ __forceinline__ uint32_t segment_of(unsigned row) const
    {
        const uint32_t before =
            __shfl_sync(0xffffffffu, tile.order.first_rank, (int)(row * 32 / Items));
        return before + (uint32_t)__popc(s.begins[row] & lanemask_le()) - 1;
    }
};

template <typename K, unsigned Items>
static __device__ __forceinline__ void
segmented_runs(const segmented_arguments &a, segmented_run_storage<Items> *shared, void *memory)
{
    if (segmented_refused(a) || !a.control->mixed)
        return;
    const segmented_share share(a);
    segmented_run_warp<K, Items> run(a, shared[threadIdx.x / 32], (unsigned char *)memory);
    uint32_t left = ~0u; /* lanes whose segments have not been taken */
#pragma unroll 1
    for (uint32_t group = share.first; group < share.last;) {
        uint64_t begin;
        const uint32_t length = segmented_short_one(a, group, begin);
        left = run.add(begin, left >> threadIdx.x % 32 & 1 ? length : 0);
        if (left == 0) {
            left = ~0u;
            if (++group < share.last)
                continue;
        }
        run.sort();
    }
}

#endif
