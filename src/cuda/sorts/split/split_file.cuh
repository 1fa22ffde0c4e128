/* SPDX-License-Identifier: Apache-2.0 */
/* Where the parts of a split segment go: to the leaves, back to the queue, or nowhere. */
#ifndef CONSORT_SPLIT_FILE_CUH
#define CONSORT_SPLIT_FILE_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/sorts/split/split_layout.h"

static __device__ __forceinline__ void split_file(const split_arguments &a, uint64_t begin,
                                                  uint64_t count, uint32_t depth, uint32_t state)
{
    split_control *control = a.control;
    if (count == 0 || state == SPLIT_EQUAL)
        return; /* equal items are in place already */
    if (count <= a.leaf) {
        a.leaves[atomicAdd(&control->leaves, 1u)] = {begin, (uint32_t)count, state & SPLIT_SPARE};
    } else if (depth >= a.levels && !(state & SPLIT_EQUAL)) {
        a.stuck[atomicAdd(&control->stuck, 1u)] = {begin, count, depth, state};
        atomic_add_relaxed(&control->fallback, count);
    } else {
        a.queue[atomicAdd(&control->tail, 1u) % a.queue_capacity] = {begin, count, depth, state};
    }
}

/* In shared memory. */
struct split_group_storage {
    uint64_t begin[SPLIT_MOST_PARTS + 2];
    uint32_t states[SPLIT_MOST_PARTS];
    uint32_t warp_sums[8];
};

/* One part, known to the thread of its number. */
struct split_part {
    uint64_t begin, count; /* in the segment */
    bool equal;
};

/*
 * Files the parts of a segment; every thread of the block calls it. Parts above half a leaf go
 * alone; of the others, neighbours that begin in the same half leaf of the segment go together: at
 * most a leaf, and for each leaf of items in groups at most 6 of them, for each part above a leaf
 * 2, and 2 more.
 */
static __device__ __forceinline__ void split_file_parts(const split_arguments &a,
                                                        const split_segment &segment,
                                                        uint32_t parts, const split_part &part,
                                                        split_group_storage &s)
{
    const uint32_t half = a.leaf / 2, t = threadIdx.x, depth = segment.depth + 1;
    const uint32_t spare = ~segment.state & SPLIT_SPARE;
    if (t < parts)
        s.begin[t] = part.begin;
    if (t == 0)
        s.begin[parts] = segment.count;
    __syncthreads();
    const bool first = t == 0, inside = t < parts;
    const uint64_t before = first || !inside ? 0 : s.begin[t - 1];
    const bool starts = inside && (first || part.count > half || part.begin - before > half ||
                                   part.begin / half != before / half);
    const uint32_t group = block_exclusive_sum_256(starts ? 1u : 0u, s.warp_sums);
    const uint32_t groups = (uint32_t)__syncthreads_count(starts);
    if (starts) {
        s.begin[group] = part.begin;
        s.states[group] = part.equal && part.count > half ? spare | SPLIT_EQUAL : spare;
    }
    if (t == 0)
        s.begin[groups] = segment.count;
    __syncthreads();
    if (t < groups)
        split_file(a, segment.begin + s.begin[t], s.begin[t + 1] - s.begin[t], depth, s.states[t]);
    if (t == 0)
        atomicMax(&a.control->depth, depth);
    __syncthreads();
}

#endif
