/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where tiles begin and end in the lists that they are merged from, as one launch tells the next.
 * A tile's cuts lie where its output will: only its own block writes there, after it has read them,
 * so that they take no memory. The last tile's part may be too short for them: they have a place of
 * their own.
 */
#ifndef CONSORT_MERGE_CUTS_CUH
#define CONSORT_MERGE_CUTS_CUH

#include "cuda/device/device.cuh"
#include "cuda/sorts/merge/merge_layout.h"
#include "cuda/sorts/merge/merge_tuning.h"

/* Of two lists: how much of list a lies before the tile and before the next one. */
struct merge_two_cuts {
    uint64_t begin, end;
    uint32_t crossed; /* whether the cuts cross that the block found whose first is this */
};

/* The same of each of four runs. */
struct merge_four_cuts {
    uint32_t begin[MERGE_FOUR], end[MERGE_FOUR];
};

static_assert(sizeof(merge_two_cuts) <= MERGE_CUT_BYTES, "a tile's cuts");
static_assert(sizeof(merge_four_cuts) <= MERGE_CUT_BYTES, "a tile's cuts");

template <typename Cuts>
static __device__ __forceinline__ Cuts *merge_cuts_of(const merge_arguments &a, uint64_t tile,
                                                      uint32_t tile_keys)
{
    const bool last = (tile + 1) * tile_keys >= a.count;
    return (Cuts *)(last ? a.last_cuts : a.cuts + tile * a.cut_stride);
}

/* Cuts were written before all else that goes through the cache: a tile's are asked for when one
 * begins that is some microseconds ahead of it. */
static __device__ __forceinline__ void merge_ask_for_cuts(const merge_arguments &a, uint64_t tile,
                                                          uint32_t tile_keys)
{
    prefetch_line(merge_cuts_of<const void>(a, tile + MERGE_CUTS_AHEAD, tile_keys));
}

/* Where a tile begins ends the one before it. */
static __device__ __forceinline__ void merge_tell_cut(const merge_arguments &a, uint64_t tile,
                                                      uint32_t tile_keys, uint64_t cut)
{
    merge_cuts_of<merge_two_cuts>(a, tile, tile_keys)->begin = cut;
    if (tile > 0)
        merge_cuts_of<merge_two_cuts>(a, tile - 1, tile_keys)->end = cut;
}

#endif
