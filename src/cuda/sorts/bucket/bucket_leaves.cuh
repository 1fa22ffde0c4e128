/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buckets of up to M items, each sorted by a block: 16 items a thread in registers, Batcher's
 * networks among them, across lanes by shuffles, and across warps, where M takes more than one,
 * through shared memory (device/sort_network.cuh). Padding, as the paper has it, comes after every
 * item or is the same bits; it is not written back.
 */
#ifndef CONSORT_BUCKET_LEAVES_CUH
#define CONSORT_BUCKET_LEAVES_CUH

#include "cuda/device/item.cuh"
#include "cuda/device/sort_network.cuh"
#include "cuda/sorts/bucket/bucket_layout.h"

/* Items with an index of any width: the list has fewer than 2^32, so 32 bits of it do. */
template <typename K, typename I> struct bucket_items {
    using kind = sort_item<K, true>;
    item_array<K, I> array;

    __device__ __forceinline__ typename kind::type load(uint64_t at) const
    {
        return kind::make(array.codes[at], (uint32_t)array.indices[at]);
    }

    __device__ __forceinline__ void store(uint64_t at, const typename kind::type &x) const
    {
        array.codes[at] = kind::code(x);
        array.indices[at] = kind::index(x);
    }
};
template <typename K> struct bucket_items<K, no_index> {
    using kind = sort_item<K, false>;
    item_array<K, no_index> array;

    __device__ __forceinline__ typename kind::type load(uint64_t at) const
    {
        return kind::make(array.codes[at], 0);
    }

    __device__ __forceinline__ void store(uint64_t at, const typename kind::type &x) const
    {
        array.codes[at] = kind::code(x);
    }
};

/* The threads that hold `count` items, a power of two, and at most a warp. */
static __device__ __forceinline__ uint32_t bucket_lanes(uint32_t count)
{
    const uint32_t lanes = (count + BUCKET_SORT_EACH - 1) / BUCKET_SORT_EACH;
    return lanes > 16 ? 32 : lanes > 1 ? 1u << (32 - __clz((int)(lanes - 1))) : 1;
}

template <typename K, typename I, typename T>
static __device__ __forceinline__ void bucket_sort_leaf(const bucket_items<K, I> &from,
                                                        const bucket_items<K, I> &to,
                                                        uint64_t begin, uint32_t count, T *tile)
{
    using kind = typename bucket_items<K, I>::kind;
    const uint32_t threads = blockDim.x > 32 ? blockDim.x : bucket_lanes(count);
    T x[BUCKET_SORT_EACH];
#pragma unroll
    for (uint32_t i = 0; i < BUCKET_SORT_EACH; i++) {
        const uint32_t at = i * threads + threadIdx.x;
        x[i] = threadIdx.x < threads && at < count ? from.load(begin + at) : kind::last();
    }
    network_sort<BUCKET_SORT_EACH, 0>(x);
    network_merge_lanes(x, threads < 32 ? threads : 32);
    if (blockDim.x > 32)
        network_merge_warps(x, tile, blockDim.x * BUCKET_SORT_EACH);
#pragma unroll
    for (uint32_t i = 0; i < BUCKET_SORT_EACH; i++)
        tile[network_skewed<BUCKET_SORT_EACH>(threadIdx.x * BUCKET_SORT_EACH + i)] = x[i];
    __syncthreads();
    for (uint32_t at = threadIdx.x; at < count; at += blockDim.x)
        to.store(begin + at, tile[network_skewed<BUCKET_SORT_EACH>(at)]);
    __syncthreads();
}

/* From either array to the items' own. */
template <typename K, typename I>
static __device__ __forceinline__ void bucket_sort_leaves(const bucket_arguments &a,
                                                          unsigned char *shared)
{
    using T = typename bucket_items<K, I>::kind::type;
    const uint32_t leaves = a.control->leaves;
    const bucket_items<K, I> to{{(K *)a.arrays[0].codes, (I *)a.arrays[0].indices}};
    for (uint32_t i = blockIdx.x; i < leaves; i += gridDim.x) {
        const bucket_leaf leaf = a.leaves[i];
        const items &source = a.arrays[leaf.count_and_buffer >> 31];
        const bucket_items<K, I> from{{(K *)source.codes, (I *)source.indices}};
        bucket_sort_leaf(from, to, leaf.begin, leaf.count_and_buffer & 0x7fffffffu, (T *)shared);
    }
}

#endif
