/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short segments among longer ones: what a warp has collected is sorted at once, so that the time
 * does not depend on how their lengths are mixed. The highest bits of an item's word
 * (segmented_words.cuh) are its segment's number in the tile, so that one network sorts every
 * segment by itself.
 */
#ifndef CONSORT_SEGMENTED_RUNS_CUH
#define CONSORT_SEGMENTED_RUNS_CUH

#include "cuda/sorts/segmented/segmented_collect.cuh"
#include "cuda/sorts/segmented/segmented_word_tile.cuh"

template <unsigned Items>
using segmented_run_storage = segmented_collect_storage<Items, SEGMENTED_RUN_SEGMENTS>;

template <typename K, unsigned Items> struct segmented_run_warp {
    static constexpr bool reads_ahead = false; /* for want of registers */

    segmented_word_tile<K, Items, segmented_run_scope> tile;
    segmented_collected<Items, SEGMENTED_RUN_SEGMENTS> collected;

    __device__ __forceinline__ segmented_run_warp(const segmented_arguments &a,
                                                  segmented_run_storage<Items> &shared,
                                                  unsigned char *memory)
        : tile(a, memory), collected(shared)
    {
    }

    __device__ __forceinline__ uint32_t add(uint64_t begin, uint32_t length)
    {
        return collected.add(begin, length, [](bool, uint32_t) {});
    }

    /* What has been added. */
    __device__ __forceinline__ void sort()
    {
        if (collected.segments == 0)
            return;
        const uint32_t items = collected.items;
        __syncwarp();
        if (collected.whole)
            sort_rows<segmented_rows_at_once>([&](unsigned) {
                return segmented_row{collected.first, items, 0, 0};
            });
        else
            sort_rows<1>([&](unsigned row) {
                const uint32_t before =
                    __shfl_sync(0xffffffffu, tile.order.first_rank, (int)(row * 32 / Items));
                return segmented_row{collected.first + collected.skipped(row, before), items, 0, 0};
            });
        __syncwarp();
        collected.clear();
    }

  private:
    template <unsigned Alike, typename RowOf>
    __device__ __forceinline__ void sort_rows(RowOf row_of)
    {
        tile.order.begin(32, collected.items);
        tile.order.rank(collected.s.begins, collected.segments);
        tile.template load<Alike>(row_of);
        tile.order.sort(0);
        tile.template finish<Alike>(row_of);
    }
};

template <typename K, unsigned Items>
static __device__ __forceinline__ void
segmented_runs(const segmented_arguments &a, segmented_run_storage<Items> *shared, void *memory)
{
    if (segmented_idle(a, a.control->mixed))
        return;
    segmented_run_warp<K, Items> run(a, shared[threadIdx.x / 32], (unsigned char *)memory);
    segmented_collect_share(a, run);
}

#endif
