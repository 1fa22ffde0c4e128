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

/* A code with 32 bits of its index, of any width, where those do; `Wide`: with 64. */
template <typename K, bool Wide> struct bucket_item : sort_item<K, true> {
    using index_type = uint32_t;
};
template <typename K> struct bucket_item<K, true> {
    using type = uint128;
    using index_type = uint64_t;

    static __device__ __forceinline__ type make(K code, uint64_t index)
    {
        return (type)code << 64 | index;
    }
    static __device__ __forceinline__ K code(type item)
    {
        return (K)(item >> 64);
    }
    static __device__ __forceinline__ uint64_t index(type item)
    {
        return (uint64_t)item;
    }
    static __device__ __forceinline__ type last()
    {
        return ~(type)0;
    }
};
template <> struct bucket_item<uint128, true> : wide_indexed_item<uint128, uint64_t> {
    using index_type = uint64_t;
};

template <typename K, typename I, bool Wide> struct bucket_items {
    using kind = bucket_item<K, Wide>;
    item_array<K, I> array;

    __device__ __forceinline__ typename kind::type load(uint64_t at) const
    {
        return kind::make(array.codes[at], (typename kind::index_type)array.indices[at]);
    }

    __device__ __forceinline__ void store(uint64_t at, const typename kind::type &x) const
    {
        array.codes[at] = kind::code(x);
        array.indices[at] = kind::index(x);
    }
};
template <typename K> struct bucket_items<K, no_index, false> {
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

template <typename Items, typename T>
static __device__ __forceinline__ void bucket_sort_leaf(const Items &from, const Items &to,
                                                        uint64_t begin, uint32_t count, T *tile)
{
    using kind = typename Items::kind;
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
        tile[network_skewed<T, BUCKET_SORT_EACH>(threadIdx.x * BUCKET_SORT_EACH + i)] = x[i];
    __syncthreads();
    for (uint32_t at = threadIdx.x; at < count; at += blockDim.x)
        to.store(begin + at, tile[network_skewed<T, BUCKET_SORT_EACH>(at)]);
    __syncthreads();
}

/* From either array to the items' own. */
template <typename K, typename I, bool Wide>
static __device__ __forceinline__ void bucket_sort_leaves(const bucket_arguments &a,
                                                          unsigned char *shared)
{
    using Items = bucket_items<K, I, Wide>;
    const uint64_t leaves = a.control->leaves;
    const Items to{{(K *)a.arrays[0].codes, (I *)a.arrays[0].indices}};
    for (uint64_t i = blockIdx.x; i < leaves; i += gridDim.x) {
        const bucket_leaf leaf = a.leaves[i];
        const items &source = a.arrays[leaf.buffer];
        const Items from{{(K *)source.codes, (I *)source.indices}};
        bucket_sort_leaf(from, to, leaf.begin, leaf.count, (typename Items::kind::type *)shared);
    }
}

#endif
