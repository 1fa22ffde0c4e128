/* SPDX-License-Identifier: Apache-2.0 */
/* Reading offsets, and listing the work they make: leaves by class. */
#ifndef CONSORT_SEGMENTED_LISTS_CUH
#define CONSORT_SEGMENTED_LISTS_CUH

#include "cuda/device/device.cuh"
#include "cuda/device/flag.cuh"
#include "cuda/sorts/segmented/segmented_layout.h"

static __device__ __forceinline__ uint64_t segmented_offset(const segmented_arguments &a,
                                                            uint64_t index)
{
    return a.offset_bytes == 4 ? ((const uint32_t *)a.offsets)[index]
                               : ((const uint64_t *)a.offsets)[index];
}

/* Numbers of 32 bits where they suffice, else of 64. */
struct segmented_numbers {
    void *first;
    bool wide;

    __device__ __forceinline__ uint64_t get(uint64_t at) const
    {
        return wide ? ((const uint64_t *)first)[at] : ((const uint32_t *)first)[at];
    }

    __device__ __forceinline__ void put(uint64_t at, uint64_t value) const
    {
        if (wide)
            ((uint64_t *)first)[at] = value;
        else
            ((uint32_t *)first)[at] = (uint32_t)value;
    }
};

/* Bad offsets stop the run before anything is written. */
static __device__ __forceinline__ bool segmented_refused(const segmented_arguments &a)
{
    return a.control->bad != 0;
}

/* Whether a launch has nothing to do: refused, or no `work`. Both are asked for at once, as such a
 * launch takes as long as its questions. */
static __device__ __forceinline__ bool segmented_idle(const segmented_arguments &a, uint64_t work)
{
    return (a.control->bad != 0) | (work == 0);
}

static __device__ __forceinline__ uint64_t segmented_leaf(uint64_t start, uint64_t length,
                                                          uint32_t buffer)
{
    return start | (length - 1) << SEGMENTED_LEAF_LENGTH_SHIFT |
           (uint64_t)buffer << SEGMENTED_LEAF_BUFFER_SHIFT;
}

static __device__ __forceinline__ uint64_t segmented_leaf_start(uint64_t leaf)
{
    return leaf & (((uint64_t)1 << SEGMENTED_LEAF_LENGTH_SHIFT) - 1);
}

static __device__ __forceinline__ uint32_t segmented_leaf_length(uint64_t leaf)
{
    return ((uint32_t)(leaf >> SEGMENTED_LEAF_LENGTH_SHIFT) &
            ((1u << SEGMENTED_LEAF_LENGTH_BITS) - 1)) +
           1;
}

static __device__ __forceinline__ uint32_t segmented_leaf_buffer(uint64_t leaf)
{
    return (uint32_t)(leaf >> SEGMENTED_LEAF_BUFFER_SHIFT);
}

/* A word that is no leaf: there is no buffer 3. */
static const uint64_t segmented_no_leaf = ~(uint64_t)0;

/* What a chain of class SEGMENTED_PAIRS holds: two leaves, of which the second may have no items.
 */
static __device__ __forceinline__ uint64_t segmented_pair(uint64_t start, uint64_t first,
                                                          uint64_t second, uint32_t buffer)
{
    return start | (first - 1) << SEGMENTED_PAIR_LENGTH_SHIFT |
           second << SEGMENTED_PAIR_SECOND_SHIFT | (uint64_t)buffer << SEGMENTED_LEAF_BUFFER_SHIFT;
}

static __device__ __forceinline__ uint32_t segmented_second(uint64_t pair)
{
    return (uint32_t)(pair >> SEGMENTED_PAIR_SECOND_SHIFT) &
           ((2u << SEGMENTED_PAIR_LENGTH_BITS) - 1);
}

/* The first of a pair, or the second, which has items. */
static __device__ __forceinline__ uint64_t segmented_of_pair(uint64_t pair, bool second)
{
    const uint64_t start = pair & (((uint64_t)1 << SEGMENTED_PAIR_LENGTH_SHIFT) - 1);
    const uint32_t first = ((uint32_t)(pair >> SEGMENTED_PAIR_LENGTH_SHIFT) &
                            ((1u << SEGMENTED_PAIR_LENGTH_BITS) - 1)) +
                           1;
    return segmented_leaf(second ? start + first : start, second ? segmented_second(pair) : first,
                          segmented_leaf_buffer(pair));
}

/* The most items that class `c` sorts; class −1 is one thread. */
static __device__ __forceinline__ uint32_t segmented_class_items(const segmented_arguments &a,
                                                                 int c)
{
    return c == (int)a.stretched_class ? a.stretched_items : a.thread_items << (c + 1);
}

/* The class that sorts `length` items, more than one thread's and no more than the last class's. */
static __device__ __forceinline__ int segmented_class_of(const segmented_arguments &a,
                                                         uint32_t length)
{
    const int c = 31 - __clz((int)((length - 1) / a.thread_items));
    return c == (int)a.stretched_class + 1 && length <= a.stretched_items ? c - 1 : c;
}

/* Whether 32 tiny segments, one a lane, are of so different lengths that a network for the longest
 * would do much for nothing: they are less than 5/16 of what it sorts. Those that are not there, as
 * the last group has fewer, do not count. Every lane calls it. */
static __device__ __forceinline__ bool segmented_uneven(uint32_t length, bool there)
{
    const uint32_t longest = __reduce_max_sync(0xffffffffu, length);
    const uint32_t segments = (uint32_t)__popc(__ballot_sync(0xffffffffu, there));
    return longest > 8 && 16 * __reduce_add_sync(0xffffffffu, length) < 5 * segments * longest;
}

/* The warp's segments, of `length` items each, or 0, if they are `there`: where some are tiny and
 * some are not, short ones are not listed, but collected and sorted with each other. So are uneven
 * ones where networks for single keys sort what is collected (segmented_picks.cuh). Every lane
 * calls it. */
struct segmented_mix {
    bool mixed;
    uint32_t most; /* items of what is not listed */

    __device__ __forceinline__ segmented_mix(const segmented_arguments &a, uint64_t length,
                                             bool there)
    {
        const bool tiny = length <= a.tiny_items;
        mixed = __any_sync(0xffffffffu, tiny && length > 0);
        if (__all_sync(0xffffffffu, tiny))
            mixed &= a.collects_uneven && segmented_uneven((uint32_t)length, there);
        most = mixed && __all_sync(0xffffffffu, length <= a.longest_beside) ? a.short_items
                                                                            : a.tiny_items;
    }
};

/* Warps take equal shares of the segments, 32 at a time. */
struct segmented_share {
    uint32_t first, last;

    __device__ __forceinline__ explicit segmented_share(const segmented_arguments &a)
    {
        const uint64_t groups = (a.segment_count + 31) / 32;
        const uint64_t warps = (uint64_t)gridDim.x * (blockDim.x / 32);
        const uint64_t warp = (uint64_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
        first = (uint32_t)(groups * warp / warps);
        last = (uint32_t)(groups * (warp + 1) / warps);
    }
};

/* This lane's segment of a group of 32. */
struct segmented_of_group {
    uint64_t begin, end;
    bool there;

    __device__ __forceinline__ segmented_of_group(const segmented_arguments &a, uint32_t group)
    {
        const uint64_t segment = (uint64_t)group * 32 + threadIdx.x % 32;
        begin = segmented_offset(a, min(segment, a.segment_count));
        end = segmented_offset(a, min(segment + 1, a.segment_count));
        there = segment < a.segment_count;
    }

    /* Its length, if the group is mixed and it is not listed; else 0. */
    __device__ __forceinline__ uint32_t short_one(const segmented_arguments &a) const
    {
        const segmented_mix mix(a, end - begin, there);
        return mix.mixed && end - begin <= mix.most ? (uint32_t)(end - begin) : 0;
    }
};

/* The places of `count` more segments of a list, from the one returned on. Whoever gets the first
 * place of a page gives the list that page; others wait for it. */
static __device__ __forceinline__ uint64_t segmented_reserve(const segmented_arguments &a, int c,
                                                             uint64_t count)
{
    const uint64_t at = atomicAdd((unsigned long long *)&a.control->leaf_count[c], count);
    const uint64_t end = min((at + count - 1) / SEGMENTED_PAGE + 1, (uint64_t)a.page_room);
    uint64_t begun = (at + SEGMENTED_PAGE - 1) / SEGMENTED_PAGE;
    if (begun >= end)
        return at;
    uint32_t page = atomicAdd(&a.control->page_count, (uint32_t)(end - begun));
    for (; begun < end; begun++)
        flag_publish(&a.pages[c * a.page_room + begun], ++page);
    return at;
}

static __device__ __forceinline__ segmented_numbers segmented_listed(const segmented_arguments &a)
{
    return {a.lists, a.list_bytes == 8};
}

static __device__ __forceinline__ void segmented_put(const segmented_arguments &a, int c,
                                                     uint64_t at, uint64_t segment)
{
    if (at / SEGMENTED_PAGE >= a.page_room)
        return;
    const uint32_t *entry = &a.pages[c * a.page_room + at / SEGMENTED_PAGE];
    uint32_t page;
    while ((page = flag_poll(entry)) == 0)
        spin_pause();
    if (page <= a.page_room)
        segmented_listed(a).put((uint64_t)(page - 1) * SEGMENTED_PAGE + at % SEGMENTED_PAGE,
                                segment);
}

/* The leaf that a listed segment is, after the launch that listed it. */
static __device__ __forceinline__ uint64_t segmented_get(const segmented_arguments &a, int c,
                                                         uint64_t at)
{
    const uint64_t page = a.pages[c * a.page_room + at / SEGMENTED_PAGE] - 1;
    const uint64_t segment = segmented_listed(a).get(page * SEGMENTED_PAGE + at % SEGMENTED_PAGE);
    const uint64_t begin = segmented_offset(a, segment);
    return segmented_leaf(begin, segmented_offset(a, segment + 1) - begin, 0);
}

#endif
