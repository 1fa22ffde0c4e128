/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Level one: the points between which blocks merge. The first key of each segment of a has its
 * pivot, the number of keys of b that go before it. Between two pivots b is as long as it likes:
 * there every segment's length of b is a point, too, whose place in a is looked for in that one
 * segment of a. So no block gets more than a segment of either list.
 */
#ifndef CONSORT_MERGE_LISTS_CUTS_CUH
#define CONSORT_MERGE_LISTS_CUTS_CUH

#include "cuda/device/merge_path.cuh"
#include "cuda/sorts/merge/merge_keys.cuh"
#include "cuda/sorts/merge_lists/merge_lists_layout.h"

static __device__ __forceinline__ uint64_t merge_lists_b_count(const merge_lists_arguments &l)
{
    return l.merge.count - l.merge.a_count;
}

/* What the threads of a block found, in order. */
using merge_lists_found = uint64_t[MERGE_LISTS_CUT_THREADS];

/* Thread t of a block looks for this one: its first is the last of the block before. */
static __device__ __forceinline__ uint64_t merge_lists_own()
{
    return (uint64_t)blockIdx.x * (MERGE_LISTS_CUT_THREADS - 1) + threadIdx.x;
}

/* The block's neighbours that exist must not fall. */
static __device__ __forceinline__ void merge_lists_tell(uint64_t own, bool exists,
                                                        merge_lists_found &found, uint32_t *crossed)
{
    found[threadIdx.x] = own;
    __syncthreads();
    const bool any = __syncthreads_or(exists && threadIdx.x > 0 && own < found[threadIdx.x - 1]);
    if (threadIdx.x == 0)
        crossed[blockIdx.x] = any;
}

/* Keys of b that are equal go behind a's: those before a key are lower. b's keys before a's first
 * belong to its segment. */
template <typename K>
static __device__ __forceinline__ void merge_lists_find_pivots(const merge_lists_arguments &l,
                                                               merge_lists_found &found)
{
    const merge_keys<K> keys(l.merge);
    const K *a = (const K *)l.merge.keys[0], *b = (const K *)l.merge.keys[1];
    const uint64_t segment = merge_lists_own();
    const bool exists = segment < l.a_segments;
    uint64_t pivot = 0;
    if (exists && segment > 0) {
        const auto first = keys.compared(a[segment * MERGE_LISTS_SEGMENT]);
        pivot = first_reached<uint64_t>(0, merge_lists_b_count(l),
                                        [&](uint64_t i) { return !(keys.compared(b[i]) < first); });
    }
    if (exists && (threadIdx.x > 0 || blockIdx.x == 0))
        l.pivots[segment] = pivot;
    merge_lists_tell(pivot, exists, found, l.crossed_pivots);
}

/* Before the first cut of a's segment k lie the cuts of k segments of a and of all segments of b
 * that begin before its pivot; before that of b's segment j, j of b's and those of all of a's
 * segments up to the one whose piece of b it cuts. So each cut knows its number. */
static __device__ __forceinline__ void merge_lists_put_a_cut(const merge_lists_arguments &l)
{
    const uint64_t segment = (uint64_t)blockIdx.x * MERGE_LISTS_CUT_THREADS + threadIdx.x;
    if (segment >= l.a_segments)
        return;
    const uint64_t pivot = l.pivots[segment];
    const uint64_t before = (pivot + MERGE_LISTS_SEGMENT - 1) / MERGE_LISTS_SEGMENT;
    l.cuts[segment + before] = {segment * MERGE_LISTS_SEGMENT, pivot};
}

template <typename K>
static __device__ __forceinline__ merge_lists_cut merge_lists_b_cut(const merge_lists_arguments &l,
                                                                    uint64_t place,
                                                                    uint64_t a_segment)
{
    const merge_keys<K> keys(l.merge);
    const K *a = (const K *)l.merge.keys[0], *b = (const K *)l.merge.keys[1];
    const uint64_t low = a_segment * MERGE_LISTS_SEGMENT, next = low + MERGE_LISTS_SEGMENT;
    const uint64_t high = next < l.merge.a_count ? next : l.merge.a_count;
    const auto first = keys.compared(b[place]);
    return {
        first_reached<uint64_t>(low, high, [&](uint64_t i) { return first < keys.compared(a[i]); }),
        place};
}

template <typename K>
static __device__ __forceinline__ void merge_lists_find_cuts(const merge_lists_arguments &l,
                                                             merge_lists_found &found)
{
    merge_lists_put_a_cut(l);
    const uint64_t segment = merge_lists_own(), place = segment * MERGE_LISTS_SEGMENT;
    const bool exists = segment < l.b_segments;
    merge_lists_cut cut = {0, place};
    if (exists) {
        const uint64_t behind = first_reached<uint64_t>(
            1, l.a_segments, [&](uint64_t i) { return l.pivots[i] > place; });
        cut = merge_lists_b_cut<K>(l, place, behind - 1);
        if (threadIdx.x > 0 || blockIdx.x == 0)
            l.cuts[behind + segment] = cut;
    }
    merge_lists_tell(cut.a, exists, found, l.crossed_cuts);
}

/* Lists that are not sorted must still give a permutation: what falls is lifted, one after the
 * other. Lists that are sorted cost a look at one word for each block. */
template <typename Next>
static __device__ __forceinline__ void merge_lists_lift(const uint32_t *crossed, uint64_t blocks,
                                                        uint64_t count, Next next)
{
    bool any = false;
    for (uint64_t i = threadIdx.x; i < blocks; i += MERGE_LISTS_STRAIGHTEN_THREADS)
        any |= crossed[i] != 0;
    if (!__syncthreads_or(any) || threadIdx.x != 0)
        return;
    uint64_t low = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t &own = next(i);
        own = low = own < low ? low : own;
    }
}

#endif
