/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items of comparison sorts: a key code, alone or with its position in the input. With a position
 * no two items are equal, so that any sort of items is a stable sort of keys.
 *
 * Codes and positions lie in two arrays; item_array reads and writes both, in device or shared
 * memory. padded_item_array leaves one place free after every 32, so that threads whose items are a
 * power of two apart do not meet in one bank of shared memory.
 */
#ifndef CONSORT_CUDA_ITEM_CUH
#define CONSORT_CUDA_ITEM_CUH

#include "cuda/device/device.cuh"

struct no_index {
};

template <typename K, typename I> struct item {
    K code;
    I index;

    __device__ __forceinline__ bool before(const item &other) const
    {
        return code < other.code || (code == other.code && index < other.index);
    }

    /* Complemented items are in descending order. `mask` is 0 or ~0. */
    __device__ __forceinline__ void flip(uint32_t mask)
    {
        code ^= (K)((K)0 - (K)(mask & 1));
        index ^= (I)((I)0 - (I)(mask & 1));
    }

    /* No item comes after it. */
    static __device__ __forceinline__ item highest()
    {
        return {(K) ~(K)0, (I) ~(I)0};
    }
};

template <typename K> struct item<K, no_index> {
    K code;

    __device__ __forceinline__ bool before(const item &other) const
    {
        return code < other.code;
    }

    __device__ __forceinline__ void flip(uint32_t mask)
    {
        code ^= (K)((K)0 - (K)(mask & 1));
    }

    static __device__ __forceinline__ item highest()
    {
        return {(K) ~(K)0};
    }
};

template <typename K, typename I> struct item_array {
    using type = item<K, I>;
    K *codes;
    I *indices;

    __device__ __forceinline__ type load(uint64_t i) const
    {
        return {codes[i], indices[i]};
    }

    __device__ __forceinline__ void store(uint64_t i, const type &x) const
    {
        codes[i] = x.code;
        indices[i] = x.index;
    }
};

template <typename K> struct item_array<K, no_index> {
    using type = item<K, no_index>;
    K *codes;
    no_index *indices;

    __device__ __forceinline__ type load(uint64_t i) const
    {
        return {codes[i]};
    }

    __device__ __forceinline__ void store(uint64_t i, const type &x) const
    {
        codes[i] = x.code;
    }
};

template <typename K, typename I> struct padded_item_array {
    using type = item<K, I>;
    item_array<K, I> items;

    /* Over dynamic shared memory with room for item_shared_bytes(…) of `count` items. */
    __device__ __forceinline__ padded_item_array(unsigned char *shared, uint32_t count)
        : items{(K *)shared, (I *)(shared + (count + count / 32) * sizeof(K))}
    {
    }

    static __device__ __forceinline__ uint32_t place(uint32_t i)
    {
        return i + i / 32;
    }

    __device__ __forceinline__ type load(uint32_t i) const
    {
        return items.load(place(i));
    }

    __device__ __forceinline__ void store(uint32_t i, const type &x) const
    {
        items.store(place(i), x);
    }
};

#endif
