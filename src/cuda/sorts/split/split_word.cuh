/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items as sorts by splitting compare them: code and index in one word, the code above, or in a
 * structure if they are longer than 16 bytes. Codes alone of 8 and 16 bits are words of 32.
 */
#ifndef CONSORT_SPLIT_WORD_CUH
#define CONSORT_SPLIT_WORD_CUH

#include "cuda/device/item.cuh"
#include "cuda/device/placed_code.cuh"
#include "cuda/sorts/split/split_tuning.h"

template <typename K, typename I, typename W> struct split_packed {
    using type = W;
    static constexpr bool alone = false;

    static __device__ __forceinline__ W of(const item<K, I> &x)
    {
        return (W)x.code << 8 * sizeof(I) | x.index;
    }

    static __device__ __forceinline__ item<K, I> item_of(const W &word)
    {
        return {(K)(word >> 8 * sizeof(I)), (I)word};
    }

    static __device__ __forceinline__ W highest()
    {
        return (W) ~(W)0;
    }

    /* No two items are equal. */
    static __device__ __forceinline__ W next(const W &word)
    {
        return word;
    }
};

template <typename K, typename I> struct split_word;
template <> struct split_word<uint32_t, uint32_t> : split_packed<uint32_t, uint32_t, uint64_t> {
};
template <> struct split_word<uint64_t, uint32_t> : split_packed<uint64_t, uint32_t, uint128> {
};
template <> struct split_word<uint32_t, uint64_t> : split_packed<uint32_t, uint64_t, uint128> {
};
template <> struct split_word<uint64_t, uint64_t> : split_packed<uint64_t, uint64_t, uint128> {
};

template <typename I> struct split_long {
    using type = code_and_place<uint128, I>;
    static constexpr bool alone = false;

    static __device__ __forceinline__ type of(const item<uint128, I> &x)
    {
        return {x.code, x.index};
    }

    static __device__ __forceinline__ item<uint128, I> item_of(const type &word)
    {
        return {word.code, word.place};
    }

    static __device__ __forceinline__ type highest()
    {
        return {(uint128) ~(uint128)0, (I) ~(I)0};
    }

    static __device__ __forceinline__ type next(const type &word)
    {
        return word;
    }
};

template <> struct split_word<uint128, uint32_t> : split_long<uint32_t> {
};
template <> struct split_word<uint128, uint64_t> : split_long<uint64_t> {
};

template <typename K> struct split_word<K, no_index> {
    using type = typename compared_code<K>::type;
    static constexpr bool alone = true;

    static __device__ __forceinline__ type of(const item<K, no_index> &x)
    {
        return x.code;
    }

    static __device__ __forceinline__ item<K, no_index> item_of(type word)
    {
        return {(K)word};
    }

    static __device__ __forceinline__ type highest()
    {
        return (type) ~(type)0;
    }

    /* The least word above, if there is one. */
    static __device__ __forceinline__ type next(type word)
    {
        return word == highest() ? word : (type)(word + 1);
    }
};

template <unsigned Bytes> struct split_shape;
#define SPLIT_SHAPE(bytes, tile, sample, threads, items, blocks)                                   \
    template <> struct split_shape<bytes> {                                                        \
        static constexpr unsigned tile_items = tile, sample_items = sample;                        \
        static constexpr unsigned leaf_threads = threads, leaf_items = items;                      \
        static constexpr unsigned leaf_blocks = blocks;                                            \
    };
SPLIT_SHAPES(SPLIT_SHAPE)

/* What one kind of items is sorted with. */
template <typename K, typename I> struct split_kind {
    using words = split_word<K, I>;
    using word = typename words::type;
    using shape = split_shape<sizeof(word)>;
    using array = item_array<K, I>;
    static constexpr unsigned tile = SPLIT_THREADS * shape::tile_items;
};

#endif
