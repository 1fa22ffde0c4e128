/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the digits of a bucket become: buckets of the next level, or leaves, which neighbours share.
 * Links go to where items come from, or, where the first level leaves the input alone, to where
 * nothing is yet: then the scan of this level says so, else somebody after the move.
 */
#ifndef CONSORT_SEGMENTED_SPLIT_CUH
#define CONSORT_SEGMENTED_SPLIT_CUH

#include "cuda/sorts/segmented/segmented_bins.cuh"

struct segmented_split_storage {
    uint64_t start[SEGMENTED_BINS + 1]; /* of each digit's items, in the bucket */
    uint16_t next[SEGMENTED_BINS + 1];  /* a step, or several, of the walk over leaves */
    uint8_t begins[SEGMENTED_BINS];     /* 1: a leaf begins with this digit */
};

/* Whether scans split. */
static __device__ __forceinline__ bool segmented_splits_early(const segmented_arguments &a,
                                                              uint32_t level)
{
    return level == 0 && !a.in_place;
}

/* The digit that begins the leaf after the one that begins with this thread's digit, whose items
 * are more than 0: neighbours share a leaf up to what is best for them, or what a larger one's
 * class sorts. Too few for a link take the next digit, too, if a block sorts both, so that they
 * stand alone only before more than it sorts with them, or last: `few` has no room for others. */
static __device__ __forceinline__ uint32_t segmented_next_leaf(const segmented_arguments &a,
                                                               const segmented_split_storage &s)
{
    const uint32_t d = threadIdx.x;
    const uint64_t length = s.start[d + 1] - s.start[d];
    const uint32_t most = segmented_class_items(a, (int)a.classes - 1);
    uint64_t end = s.start[d] + a.shared_items;
    if (length > most)
        end = s.start[d + 1];
    else if (length > a.shared_items)
        end = s.start[d] + segmented_class_items(a, segmented_class_of(a, (uint32_t)length));
    uint32_t next = d + 1; /* what lies before it fits */
#pragma unroll 1
    for (uint32_t step = SEGMENTED_BINS / 2; step > 0; step /= 2)
        if (next + step <= SEGMENTED_BINS && s.start[next + step] <= end)
            next += step;
    const uint64_t held = s.start[next] - s.start[d];
    if (held > 0 && held < segmented_link_items(a.key_bytes) && next < SEGMENTED_BINS &&
        s.start[next + 1] - s.start[d] <= most)
        next++;
    return next;
}

/* The digit after two leaves, of which the second begins with digit `next`, if a warp sorts each of
 * them, so that they share a word; else `next`. The whole block calls it. */
static __device__ __forceinline__ uint32_t segmented_after_pair(const segmented_arguments &a,
                                                                segmented_split_storage &s,
                                                                uint32_t next)
{
    const uint32_t d = threadIdx.x, warp = segmented_class_items(a, SEGMENTED_PAIRS);
    if (d < SEGMENTED_BINS)
        s.next[d] = (uint16_t)next;
    __syncthreads();
    uint32_t after = next;
    if (d < SEGMENTED_BINS && next < SEGMENTED_BINS) {
        const uint32_t second = s.next[next];
        const bool pair =
            s.start[next] - s.start[d] <= warp && s.start[second] - s.start[next] <= warp;
        after = pair ? second : next;
    }
    __syncthreads();
    return after;
}

/* Marks the digits that begin words of leaves: those that a walk from the first one on, from word
 * to word, steps on. Steps are doubled until all of them lead to the end. The whole block calls it.
 */
static __device__ __forceinline__ void segmented_mark_leaves(segmented_split_storage &s,
                                                             uint32_t next)
{
    const uint32_t d = threadIdx.x;
    const bool owner = d < SEGMENTED_BINS;
    if (d == 0)
        s.next[SEGMENTED_BINS] = SEGMENTED_BINS;
    if (owner) {
        s.begins[d] = d == 0;
        s.next[d] = (uint16_t)next;
    }
    __syncthreads();
    for (;;) {
        const bool begins = owner && s.begins[d];
        const uint32_t to = s.next[min(d, (uint32_t)SEGMENTED_BINS)], beyond = s.next[to];
        if (!__syncthreads_or(to < SEGMENTED_BINS))
            return;
        if (begins && to < SEGMENTED_BINS)
            s.begins[to] = 1;
        if (owner)
            s.next[d] = (uint16_t)beyond;
        __syncthreads();
    }
}

/* `few(start, count, buffer)` is called for items that have no room for a link. The whole block
 * calls it. */
template <typename Few>
static __device__ __forceinline__ void segmented_split(const segmented_arguments &a, uint32_t level,
                                                       const segmented_bucket &bucket,
                                                       segmented_split_storage &s, const Few &few)
{
    const bool owner = threadIdx.x < SEGMENTED_BINS;
    uint32_t next = SEGMENTED_BINS;
    if (owner)
        next = segmented_next_leaf(a, s);
    const uint32_t after = segmented_after_pair(a, s, next);
    segmented_mark_leaves(s, after);
    if (!owner || !s.begins[threadIdx.x])
        return;
    const uint32_t buffer = segmented_other(bucket.buffer);
    const uint64_t start = bucket.start + s.start[threadIdx.x];
    const uint64_t length = s.start[next] - s.start[threadIdx.x];
    const uint32_t second = (uint32_t)(s.start[after] - s.start[next]);
    if (length > segmented_class_items(a, (int)a.classes - 1))
        segmented_settle(a, level, start, length, buffer);
    else if (length > 0 && length + second < segmented_link_items(a.key_bytes))
        few(start, (uint32_t)length + second, buffer);
    else if (length > 0)
        segmented_put_part(a, start, (uint32_t)length, second, buffer);
}

static __device__ __forceinline__ segmented_numbers segmented_few(const segmented_arguments &a)
{
    return {a.few, a.few_bytes == 8};
}

/* Before the move of level 0: items too few for a link are listed, how many and where they start,
 * and sorted when they are in their place, in buffer 1. */
static __device__ __forceinline__ void segmented_split_early(const segmented_arguments &a,
                                                             uint32_t level,
                                                             const segmented_bucket &bucket,
                                                             segmented_split_storage &s)
{
    segmented_split(a, level, bucket, s, [&a](uint64_t start, uint32_t count, uint32_t) {
        segmented_few(a).put(atomicAdd(&a.control->few_count, 1u),
                             start | (uint64_t)count << a.start_bits);
    });
}

#endif
