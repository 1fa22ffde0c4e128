/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves: a block merge-sorts each in shared memory, and writes it where it belongs. */
#ifndef CONSORT_SPLIT_LEAF_CUH
#define CONSORT_SPLIT_LEAF_CUH

#include "cuda/device/block_merge.cuh"
#include "cuda/sorts/split/split_batch.cuh"

/* Loads `filled` items so that the first threads hold them all, each a full row but the last. */
template <typename Words, unsigned Items, typename Load>
static __device__ __forceinline__ void split_load_rows(typename Words::type (&item)[Items],
                                                       uint32_t filled, const Load &load)
{
    const uint32_t active = (filled + Items - 1) / Items;
#pragma unroll
    for (unsigned i = 0; i < Items; i++) {
        const uint32_t at = i * active + threadIdx.x;
        item[i] = Words::highest();
        if (threadIdx.x < active && at < filled)
            item[i] = load(at);
    }
}

/* Groups of at most a warp need not wait for the block. */
static __device__ __forceinline__ void split_meet(unsigned group)
{
    if (group <= 32)
        __syncwarp();
    else
        __syncthreads();
}

/*
 * Block::sort for items that split_load_rows loaded: threads beyond them hold nothing but the
 * highest word, and merges that would move nothing else are left out.
 */
template <typename Block, unsigned Items>
static __device__ __forceinline__ void
split_sort_rows(Block &block, typename Block::item_type (&item)[Items], uint32_t filled)
{
    const uint32_t thread = threadIdx.x;
    if (thread * Items < filled)
        odd_even_merge_sort(item);
#pragma unroll 1
    for (unsigned group = 2; group / 2 * Items < filled; group *= 2) {
        const unsigned half = group / 2 * Items, base = thread / group * group * Items;
        const unsigned diagonal = thread % group * Items;
        const bool merges = base + half < filled, last = (thread + 1) % group == 0;
        uint32_t own = 0, next;
        block.store(item);
        split_meet(group);
        if (merges)
            own = block.cut(base, half, half, diagonal);
        if (group <= 32) {
            next = __shfl_down_sync(0xffffffffu, own, 1);
        } else {
            block.s.cuts[thread] = (uint16_t)own;
            __syncthreads();
            next = block.s.cuts[last ? thread : thread + 1];
        }
        next = last ? half : next;
        if (merges && base + diagonal < filled)
            block.template merge<false>(item, base + own, base + half + diagonal - own, next - own);
        split_meet(group);
    }
}

template <typename K, typename I, typename Block>
static __device__ __forceinline__ void split_sort_leaf(const split_arguments &a, Block &block,
                                                       const split_leaf &leaf)
{
    using kind = split_kind<K, I>;
    using words = typename kind::words;
    const item_array<K, I> from = split_array<K, I>(a, leaf.state & SPLIT_SPARE);
    const item_array<K, I> to = split_array<K, I>(a, 0);
    typename kind::word item[kind::shape::leaf_items];
    split_load_rows<words>(item, leaf.count,
                           [&](uint32_t i) { return words::of(from.load(leaf.begin + i)); });
    split_sort_rows(block, item, leaf.count);
    block.store(item);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < leaf.count; i += kind::shape::leaf_threads)
        to.store(leaf.begin + i, words::item_of(block.code(i)));
}

/* Leaves differ in length, so that blocks draw them one by one, the next while one is sorted. */
template <typename K, typename I, typename Block>
static __device__ __forceinline__ void split_sort_leaves(const split_arguments &a, Block &block,
                                                         uint32_t *ticket)
{
    if (a.count <= a.leaf) {
        split_sort_leaf<K, I>(a, block, {0, (uint32_t)a.count, 0});
        return;
    }
    const uint32_t leaves = a.control->leaves;
    if (threadIdx.x == 0)
        *ticket = atomicAdd(&a.control->ticket, 1u);
    __syncthreads();
    for (uint32_t number = *ticket; number < leaves;) {
        uint32_t next = 0;
        if (threadIdx.x == 0)
            next = atomicAdd(&a.control->ticket, 1u);
        split_sort_leaf<K, I>(a, block, a.leaves[number]);
        __syncthreads();
        if (threadIdx.x == 0)
            *ticket = next;
        __syncthreads();
        number = *ticket;
    }
}

#endif
