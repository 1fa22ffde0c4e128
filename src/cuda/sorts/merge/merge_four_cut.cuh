/* SPDX-License-Identifier: Apache-2.0 */
/* Where tiles of output begin in the four runs that they are merged from. */
#ifndef CONSORT_MERGE_FOUR_CUT_CUH
#define CONSORT_MERGE_FOUR_CUT_CUH

#include "cuda/device/multi_co_rank.cuh"
#include "cuda/sorts/merge/merge_cuts.cuh"
#include "cuda/sorts/merge/merge_keys.cuh"
#include "cuda/sorts/merge/merge_tuning.h"

/* The four runs, one after the other, that make the output around a tile. Of a last group some may
 * be missing. */
struct merge_group {
    uint64_t first, run, items;

    __device__ __forceinline__ merge_group(const merge_arguments &a, uint64_t tile,
                                           uint32_t tile_keys)
        : first((tile & ~(MERGE_FOUR * a.run_tiles - 1)) * tile_keys), run(a.run_tiles * tile_keys)
    {
        const uint64_t left = a.count - first;
        items = left < MERGE_FOUR * run ? left : MERGE_FOUR * run;
    }

    __device__ __forceinline__ uint64_t count(unsigned list) const
    {
        const uint64_t begin = list * run;
        const uint64_t left = items > begin ? items - begin : 0;
        return left < run ? left : run;
    }
};

/* One of the runs. */
template <typename K> struct merge_group_run {
    using word = typename merge_keys<K>::word;
    const merge_keys<K> keys;
    const uint64_t count;
    const K *in;

    __device__ __forceinline__ merge_group_run(const merge_arguments &a, const merge_group &group,
                                               unsigned list)
        : keys(a), count(group.count(list)),
          in((const K *)a.keys[0] + group.first + list * group.run)
    {
    }

    __device__ __forceinline__ word at(uint64_t index) const
    {
        return keys.compared(in[index]);
    }
};

/* Four lanes find a tile's. Runs are shorter than 2^32 items. */
template <typename K>
static __device__ __forceinline__ void merge_cut_four_runs(const merge_arguments &a,
                                                           uint32_t tile_keys)
{
    const uint64_t place = (uint64_t)blockIdx.x * MERGE_CUT_THREADS + threadIdx.x;
    const uint64_t tile = place / MERGE_FOUR;
    const bool exists = tile * tile_keys < a.count;
    const merge_group group(a, exists ? tile : 0, tile_keys);
    const merge_group_run<K> run(a, group, threadIdx.x % MERGE_FOUR);
    const uint64_t rank = exists ? tile * tile_keys - group.first : 0;
    const uint64_t most = MERGE_FOUR * group.run < a.count ? MERGE_FOUR * group.run : a.count;
    const multi_co_rank<MERGE_FOUR, merge_group_run<K>> begin(run, rank, most);
    if (!exists)
        return;
    const unsigned list = threadIdx.x % MERGE_FOUR;
    merge_cuts_of<merge_four_cuts>(a, tile, tile_keys)->begin[list] = (uint32_t)begin.taken;
    if (tile > 0)
        merge_cuts_of<merge_four_cuts>(a, tile - 1, tile_keys)->end[list] = (uint32_t)begin.taken;
}

#endif
