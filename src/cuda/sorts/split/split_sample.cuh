/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted samples of a segment's items, which do not depend on the order in which blocks run. */
#ifndef CONSORT_SPLIT_SAMPLE_CUH
#define CONSORT_SPLIT_SAMPLE_CUH

#include "cuda/sorts/split/split_leaf.cuh"

/* Spreads all bits over all (the finalizer of MurmurHash3, A. Appleby, public domain). */
static __device__ __forceinline__ uint64_t split_mix(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

/* Item `i` of a sample of `count`: one from each of so many equal stretches of the segment. */
static __device__ __forceinline__ uint64_t split_position(const split_segment &segment, uint32_t i,
                                                          uint32_t count)
{
    const uint64_t stretch = segment.count / count;
    const uint64_t seed = (segment.begin + segment.depth) * 0x9e3779b97f4a7c15u;
    return segment.begin + i * stretch + split_mix(seed + i) % stretch;
}

/* Leaves a sorted sample of `count` items, at most Block::keys, in the block's shared memory. */
template <typename K, typename I, typename Block>
static __device__ __forceinline__ void split_sort_sample(const split_arguments &a,
                                                         const split_segment &segment,
                                                         uint32_t count, Block &block)
{
    using kind = split_kind<K, I>;
    using words = typename kind::words;
    const item_array<K, I> from = split_array<K, I>(a, segment.state & SPLIT_SPARE);
    typename kind::word item[kind::shape::sample_items];
    split_load_rows<words>(item, count, [&](uint32_t i) {
        return words::of(from.load(split_position(segment, i, count)));
    });
    split_sort_rows(block, item, count);
    block.store(item);
    __syncthreads();
}

#endif
