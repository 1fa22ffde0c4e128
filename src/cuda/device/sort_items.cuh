/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sorting networks move: a key code alone, or a code with the item's index below it. With the
 * index no two items are equal, so that a network, which is not stable, gives the stable order.
 */
#ifndef CONSORT_CUDA_SORT_ITEMS_CUH
#define CONSORT_CUDA_SORT_ITEMS_CUH

#include "cuda/device/device.cuh"

template <typename Code, typename Index = uint32_t> struct indexed_code {
    Code code;
    Index index;
};

/* Narrow items are padded to a register; codes of 8 to 32 bits hold the index in the same word. */
template <typename K, bool Paired> struct sort_item {
    using type = uint32_t;
    static constexpr unsigned index_bits = Paired ? 16 : 0;

    static __device__ __forceinline__ type make(K code, uint32_t index)
    {
        return Paired ? (type)code << index_bits | index : (type)code;
    }
    static __device__ __forceinline__ K code(type item)
    {
        return (K)(item >> index_bits);
    }
    static __device__ __forceinline__ uint32_t index(type item)
    {
        return item & 0xffff;
    }
    /* Orders after every item, or is equal to it in all bits. */
    static __device__ __forceinline__ type last()
    {
        return ~(type)0;
    }
};

template <> struct sort_item<uint32_t, true> {
    using type = uint64_t;

    static __device__ __forceinline__ type make(uint32_t code, uint32_t index)
    {
        return (type)code << 32 | index;
    }
    static __device__ __forceinline__ uint32_t code(type item)
    {
        return (uint32_t)(item >> 32);
    }
    static __device__ __forceinline__ uint32_t index(type item)
    {
        return (uint32_t)item;
    }
    static __device__ __forceinline__ type last()
    {
        return ~(type)0;
    }
};

template <typename K> struct wide_item {
    using type = K;

    static __device__ __forceinline__ type make(K code, uint32_t)
    {
        return code;
    }
    static __device__ __forceinline__ K code(type item)
    {
        return item;
    }
    static __device__ __forceinline__ uint32_t index(type)
    {
        return 0;
    }
    static __device__ __forceinline__ type last()
    {
        return ~(type)0;
    }
};
template <> struct sort_item<uint64_t, false> : wide_item<uint64_t> {
};
template <> struct sort_item<uint128, false> : wide_item<uint128> {
};

template <typename Code, typename Index = uint32_t> struct wide_indexed_item {
    using type = indexed_code<Code, Index>;

    static __device__ __forceinline__ type make(Code code, Index index)
    {
        return {code, index};
    }
    static __device__ __forceinline__ Code code(type item)
    {
        return item.code;
    }
    static __device__ __forceinline__ Index index(type item)
    {
        return item.index;
    }
    static __device__ __forceinline__ type last()
    {
        return {(Code) ~(Code)0, (Index) ~(Index)0};
    }
};
template <> struct sort_item<uint64_t, true> : wide_indexed_item<uint64_t> {
};
template <> struct sort_item<uint128, true> : wide_indexed_item<uint128> {
};

template <typename T> static __device__ __forceinline__ bool item_before(T a, T b)
{
    return a < b;
}

template <typename Code, typename Index>
static __device__ __forceinline__ bool item_before(indexed_code<Code, Index> a,
                                                   indexed_code<Code, Index> b)
{
    return a.code < b.code || (a.code == b.code && a.index < b.index);
}

/* Puts the two in order. */
template <typename T> static __device__ __forceinline__ void item_exchange(T &a, T &b)
{
    const bool swap = item_before(b, a);
    const T first = swap ? b : a;
    b = swap ? a : b;
    a = first;
}

static __device__ __forceinline__ void item_exchange(uint32_t &a, uint32_t &b)
{
    const uint32_t first = min(a, b);
    b = max(a, b);
    a = first;
}

/* Fields one by one: a choice between structs goes through memory. */
template <typename Code, typename Index>
static __device__ __forceinline__ void item_exchange(indexed_code<Code, Index> &a,
                                                     indexed_code<Code, Index> &b)
{
    const bool swap = item_before(b, a);
    const Code code = swap ? b.code : a.code;
    const Index index = swap ? b.index : a.index;
    b.code = swap ? a.code : b.code;
    b.index = swap ? a.index : b.index;
    a.code = code;
    a.index = index;
}

/* What sorting_network.cuh calls for them. */
template <typename Code, typename Index>
static __device__ __forceinline__ void compare_exchange(indexed_code<Code, Index> &a,
                                                        indexed_code<Code, Index> &b)
{
    item_exchange(a, b);
}

/* The later of the two if `later`, else the earlier. */
template <typename T> static __device__ __forceinline__ T item_choose(T mine, T other, bool later)
{
    return item_before(other, mine) != later ? other : mine;
}

static __device__ __forceinline__ uint32_t item_choose(uint32_t mine, uint32_t other, bool later)
{
    return later ? max(mine, other) : min(mine, other);
}

template <typename Code, typename Index>
static __device__ __forceinline__ indexed_code<Code, Index>
item_choose(indexed_code<Code, Index> mine, indexed_code<Code, Index> other, bool later)
{
    const bool take = item_before(other, mine) != later;
    return {take ? other.code : mine.code, take ? other.index : mine.index};
}

/* The item of the lane whose number differs by the bits of `lanes`. Every lane calls it. */
template <typename T> static __device__ __forceinline__ T item_shuffle(T item, unsigned lanes)
{
    return __shfl_xor_sync(0xffffffffu, item, lanes);
}

static __device__ __forceinline__ uint128 item_shuffle(uint128 item, unsigned lanes)
{
    const uint64_t low = item_shuffle((uint64_t)item, lanes);
    return (uint128)item_shuffle((uint64_t)(item >> 64), lanes) << 64 | low;
}

template <typename Code, typename Index>
static __device__ __forceinline__ indexed_code<Code, Index>
item_shuffle(indexed_code<Code, Index> item, unsigned lanes)
{
    return {item_shuffle(item.code, lanes), item_shuffle(item.index, lanes)};
}

#endif
