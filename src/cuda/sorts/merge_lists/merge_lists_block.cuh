/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Level two: a block merges the pieces between two points, at most a segment of either list. Each
 * thread takes four neighbouring keys of a: it finds the first one's rank in b by binary search and
 * the others' from there on. Keys of b go between: how many of a's lie before them follows from
 * a's ranks alone, so that no two items get one place, whatever the keys are.
 */
#ifndef CONSORT_MERGE_LISTS_BLOCK_CUH
#define CONSORT_MERGE_LISTS_BLOCK_CUH

#include "cuda/sorts/merge/merge_input.cuh"
#include "cuda/sorts/merge/merge_output.cuh"
#include "cuda/sorts/merge_lists/merge_lists_layout.h"

/* As merge_output.cuh wants it. */
template <typename K> struct merge_lists_block {
    static constexpr unsigned threads = MERGE_LISTS_THREADS, keys = 2 * MERGE_LISTS_SEGMENT;
    using word = typename merge_keys<K>::word;

    struct alignas(16) storage {
        word codes[keys];
        uint16_t places[keys];
        uint16_t ranks[MERGE_LISTS_SEGMENT]; /* of a's keys in b */
    };

    storage &s;

    __device__ __forceinline__ explicit merge_lists_block(storage &memory) : s(memory)
    {
    }

    __device__ __forceinline__ uint32_t place(uint32_t i) const
    {
        return s.places[i];
    }

    __device__ __forceinline__ word code(uint32_t i) const
    {
        return s.codes[s.places[i]];
    }
};

/* The next place from `low` on that is reached: near it, if the lists are of like density, else
 * anywhere. The paper scans on, which one thread may do for a whole segment. */
template <typename Reached>
static __device__ __forceinline__ uint32_t merge_lists_scan(uint32_t low, uint32_t high,
                                                            Reached reached)
{
    constexpr uint32_t steps = 8;
    for (uint32_t i = 0; i < steps; i++, low++)
        if (low >= high || reached(low))
            return low;
    return first_reached<uint32_t>(low, high, reached);
}

/* Calls put(i, first) for this thread's keys i < count: first is the lowest place of the other
 * `other` that `reached(i, place)` calls reached. */
template <typename Reached, typename Put>
static __device__ __forceinline__ void merge_lists_four(uint32_t count, uint32_t other,
                                                        Reached reached, Put put)
{
    uint32_t i = threadIdx.x * MERGE_LISTS_KEYS;
    const uint32_t end = count < i + MERGE_LISTS_KEYS ? count : i + MERGE_LISTS_KEYS;
    if (i >= end)
        return;
    uint32_t first = first_reached<uint32_t>(0, other, [&](uint32_t at) { return reached(i, at); });
    put(i, first);
    for (i++; i < end; i++) {
        first = merge_lists_scan(first, other, [&](uint32_t at) { return reached(i, at); });
        put(i, first);
    }
}

/* A thread's ranks rise; those of lists that are not sorted need not from thread to thread. */
template <typename K>
static __device__ __forceinline__ void
merge_lists_lift_ranks(typename merge_lists_block<K>::storage &s, uint32_t a_items)
{
    const uint32_t first = threadIdx.x * MERGE_LISTS_KEYS;
    const bool falls = threadIdx.x > 0 && first < a_items && s.ranks[first] < s.ranks[first - 1];
    if (!__syncthreads_or(falls))
        return;
    if (threadIdx.x == 0)
        for (uint32_t i = 1; i < a_items; i++)
            if (s.ranks[i] < s.ranks[i - 1])
                s.ranks[i] = s.ranks[i - 1];
    __syncthreads();
}

template <typename K>
static __device__ __forceinline__ void merge_lists_place(typename merge_lists_block<K>::storage &s,
                                                         const merge_window &window)
{
    const uint32_t a_items = window.a_items, b_items = window.filled - a_items;
    merge_lists_four(
        a_items, b_items,
        [&](uint32_t i, uint32_t at) { return !(s.codes[a_items + at] < s.codes[i]); },
        [&](uint32_t i, uint32_t rank) { s.ranks[i] = (uint16_t)rank; });
    __syncthreads();
    merge_lists_lift_ranks<K>(s, a_items);
    merge_lists_four(
        b_items, a_items, [&](uint32_t i, uint32_t at) { return s.ranks[at] > i; },
        [&](uint32_t i, uint32_t before) { s.places[i + before] = (uint16_t)(a_items + i); });
    for (uint32_t i = threadIdx.x; i < a_items; i += MERGE_LISTS_THREADS)
        s.places[i + s.ranks[i]] = (uint16_t)i;
    for (uint32_t i = window.filled + threadIdx.x; i < merge_lists_block<K>::keys;
         i += MERGE_LISTS_THREADS)
        s.places[i] = 0; /* read, but not written out */
}

static __device__ __forceinline__ merge_window merge_lists_window(const merge_lists_arguments &l)
{
    const merge_lists_cut from = l.cuts[blockIdx.x];
    merge_lists_cut to = {l.merge.a_count, l.merge.count - l.merge.a_count};
    if (blockIdx.x + 1 < gridDim.x)
        to = l.cuts[blockIdx.x + 1];
    const uint32_t a_items = (uint32_t)(to.a - from.a);
    return {from.a, from.b, from.a + from.b, a_items, a_items + (uint32_t)(to.b - from.b)};
}

template <typename K>
static __device__ __forceinline__ void merge_lists_merge(const merge_lists_arguments &l,
                                                         typename merge_lists_block<K>::storage &s)
{
    using block_type = merge_lists_block<K>;
    const merge_keys<K> keys(l.merge);
    const block_type block(s);
    const merge_window window = merge_lists_window(l);
    const K *from_a = (const K *)l.merge.keys[0] + window.a_first;
    const K *from_b = (const K *)l.merge.keys[1] + window.b_first - window.a_items;
    typename block_type::word code[block_type::keys / block_type::threads];
    merge_load_tile<K, block_type::threads>(keys, from_a, from_b, window.a_items, window.filled,
                                            code);
#pragma unroll
    for (unsigned i = 0; i < block_type::keys / block_type::threads; i++)
        s.codes[merge_output<block_type::threads>(i)] = code[i];
    __syncthreads();
    merge_lists_place<K>(s, window);
    __syncthreads();
    merge_store_tile<K, true>(l.merge, block, window);
}

#endif
