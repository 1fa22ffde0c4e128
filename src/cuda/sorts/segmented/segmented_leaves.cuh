/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting the listed leaves: several to a warp, one to a warp, or one to a block. */
#ifndef CONSORT_SEGMENTED_LEAVES_CUH
#define CONSORT_SEGMENTED_LEAVES_CUH

#include "cuda/device/sorting_network.cuh"
#include "cuda/sorts/segmented/segmented_parts.cuh"
#include "cuda/sorts/segmented/segmented_word_tile.cuh"

template <unsigned Value> struct segmented_constant {
    static constexpr unsigned value = Value;
};

/* Calls visit with the rows of a leaf of `lanes` lanes. */
template <unsigned Items, unsigned Lanes = 2, typename Visit>
static __device__ __forceinline__ void segmented_rows(unsigned lanes, Visit visit)
{
    if constexpr (Lanes < 32) {
        if (lanes > Lanes)
            return segmented_rows<Items, 2 * Lanes>(lanes, visit);
    }
    visit(segmented_constant<Lanes * Items / 32>());
}

/* Sorts a thread's items, of which no more than the first `most` in any thread are less than the
 * last: a class of leaves is as long as half of its places, or longer. */
template <typename T, unsigned N>
static __device__ __forceinline__ void segmented_sort_some(T (&x)[N], uint32_t most)
{
    constexpr unsigned few = N * 5 / 8, some = N * 25 / 32, many = N * 7 / 8;
    if (most <= few)
        odd_even_merge_sort(reinterpret_cast<T(&)[few]>(x));
    else if (most <= some)
        odd_even_merge_sort(reinterpret_cast<T(&)[some]>(x));
    else if (most <= many)
        odd_even_merge_sort(reinterpret_cast<T(&)[many]>(x));
    else
        odd_even_merge_sort(x);
}

/* What all rows of a leaf of `lanes` lanes have in common, up to eight, is worked out once. */
template <unsigned Items, typename Visit>
static __device__ __forceinline__ void segmented_alike(unsigned lanes, Visit visit)
{
    constexpr unsigned least = Items / 16; /* of two lanes */
    const unsigned rows = lanes * Items / 32;
    if (rows >= 8)
        visit(segmented_constant<8>());
    else if (rows == 4)
        visit(segmented_constant<4>());
    else if (least == 2 || rows == 2)
        visit(segmented_constant<2>());
    else
        visit(segmented_constant<least>());
}

/* Which leaf a row belongs to, where `lanes` lanes sort one each; this lane's group has `leaf`. */
template <unsigned Items> struct segmented_rows_of_warp {
    uint64_t leaf;
    unsigned lanes;

    __device__ __forceinline__ segmented_row operator()(unsigned row) const
    {
        const unsigned shift = 31 - (unsigned)__clz((int)(lanes * Items));
        const uint32_t group = (row * 32 + threadIdx.x % 32) >> shift;
        const uint64_t of_row = __shfl_sync(0xffffffffu, leaf, (int)(group * lanes));
        const uint32_t buffer = segmented_leaf_buffer(of_row);
        const bool some = of_row != segmented_no_leaf;
        return {segmented_leaf_start(of_row), some ? segmented_leaf_length(of_row) : 0,
                some ? buffer : 0, group << shift};
    }
};

/* Sorts leaves of keys alone, or of items with values. */
template <typename K, bool Paired, unsigned Items, typename Scope> struct segmented_leaf_sorter;

template <typename K, unsigned Items, typename Scope>
struct segmented_leaf_sorter<K, false, Items, Scope> {
    segmented_tile<K, Items, Scope> tile;

    __device__ __forceinline__ segmented_leaf_sorter(const segmented_arguments &a, void *memory)
        : tile(a, (typename sort_item<K, false>::type *)memory)
    {
    }

    __device__ __forceinline__ void warp(uint64_t leaf, unsigned lanes)
    {
        const bool some = leaf != segmented_no_leaf;
        const uint64_t start = some ? segmented_leaf_start(leaf) : 0;
        const uint32_t length = some ? segmented_leaf_length(leaf) : 0;
        const uint32_t buffer = some ? segmented_leaf_buffer(leaf) : 0;
        const uint32_t after = lanes - 1 - (threadIdx.x & (lanes - 1));
        const uint32_t mine =
            (length + after) >> (31 - __clz((int)lanes)); /* as lanes take turns */
        const K *from = (const K *)tile.a.keys[buffer] + start;
        typename sort_item<K, false>::type x[Items];
        segmented_rows<Items>(
            lanes, [&](auto rows) { tile.template load_leaves<rows.value>(x, from, length); });
        tile.encode(x, buffer == 0 ? mine : 0);
        segmented_sort_some(x, Scope::most(mine, NULL));
        network_merge_lanes(x, lanes);
        tile.threads_to_rows(x);
        segmented_rows<Items>(
            lanes, [&](auto rows) { tile.template store_leaves<rows.value>(start, length); });
    }

    __device__ __forceinline__ void block(const segmented_row &row)
    {
        typename sort_item<K, false>::type x[Items];
        tile.load_one(x, row);
        Scope::sort(x, blockDim.x, tile.tile, row.length);
        tile.threads_to_rows(x);
        tile.store_one(row);
    }
};

template <typename K, unsigned Items, typename Scope>
struct segmented_leaf_sorter<K, true, Items, Scope> {
    segmented_word_tile<K, Items, Scope> tile;

    __device__ __forceinline__ segmented_leaf_sorter(const segmented_arguments &a, void *memory)
        : tile(a, (unsigned char *)memory)
    {
    }

    __device__ __forceinline__ void warp(uint64_t leaf, unsigned lanes)
    {
        const segmented_rows_of_warp<Items> row_of{leaf, lanes};
        tile.order.begin(lanes, leaf == segmented_no_leaf ? 0 : segmented_leaf_length(leaf));
        segmented_alike<Items>(lanes, [&](auto rows) { tile.template load<rows.value>(row_of); });
        tile.order.sort(0);
        segmented_alike<Items>(lanes, [&](auto rows) { tile.template finish<rows.value>(row_of); });
    }

    __device__ __forceinline__ void block(const segmented_row &row)
    {
        const auto row_of = [=](unsigned) { return row; };
        tile.order.begin(blockDim.x, row.length);
        tile.template load<segmented_rows_at_once>(row_of);
        tile.order.sort(row.length);
        tile.template finish<segmented_rows_at_once>(row_of);
    }
};

/* Of how many segments a list can be: 2^32 that are longer than what one thread sorts fit no GPU's
 * memory, but of single bytes. Nvcc spills half as many words of pairs of 32 bits as with 64. */
template <typename K, bool Paired> struct segmented_list_size {
    using type = uint32_t;
};

template <> struct segmented_list_size<uint8_t, false> {
    using type = uint64_t;
};

/* Lists, by so many blocks. */
template <typename K, bool Paired, unsigned Items>
static __device__ __forceinline__ void segmented_warps(const segmented_arguments &a,
                                                       uint32_t blocks, void *shared)
{
    if (segmented_refused(a))
        return;
    using size = typename segmented_list_size<K, Paired>::type;
    const unsigned warps = blockDim.x / 32, lane = threadIdx.x % 32;
    segmented_leaf_sorter<K, Paired, Items, segmented_warp_scope> sorter(a, shared);
    for (int c = SEGMENTED_WARP_CLASSES - 1; c >= 0; c--) {
        const unsigned lanes = 2u << c, leaves = 32 / lanes;
        const size count = (size)a.control->leaf_count[c];
        for (size first = (blockIdx.x * warps + threadIdx.x / 32) * leaves; first < count;
             first += blocks * warps * leaves) {
            const size at = first + lane / lanes;
            sorter.warp(at < count ? segmented_get(a, c, at) : segmented_no_leaf, lanes);
        }
    }
}

/* Parts that a warp sorts, two in a word, by blocks of their own: with the loop over lists in one
 * block nvcc keeps what both need in registers, and spills five times as many. */
template <typename K, bool Paired, unsigned Items>
static __device__ __forceinline__ void segmented_parts(const segmented_arguments &a, uint32_t block,
                                                       segmented_chain *chains, void *shared)
{
    constexpr int c = SEGMENTED_PAIRS;
    if (segmented_idle(a, segmented_part_count(a, c)))
        return;
    segmented_chain &chain = chains[threadIdx.x / 32];
    segmented_leaf_sorter<K, Paired, Items, segmented_warp_scope> sorter(a, shared);
    if (threadIdx.x % 32 == 0)
        chain.begin(a, c, (block * blockDim.x + threadIdx.x) / 32);
    __syncwarp();
    uint64_t word;
    for (bool second = false;
         (word = second ? chain.word : chain.take<segmented_warp_scope>(a, c)) != 0;) {
        const bool more = !second && segmented_second(word) > 0;
        sorter.warp(segmented_of_pair(word, second), 32);
        second = more;
    }
}

/* Class `c`, whose leaves take this block's threads together. */
template <typename K, bool Paired, unsigned Items>
static __device__ __forceinline__ void segmented_blocks(const segmented_arguments &a, int c,
                                                        segmented_chain &chain, void *shared)
{
    const uint32_t count = (uint32_t)a.control->leaf_count[c];
    if (segmented_idle(a, (uint64_t)count + segmented_part_count(a, c)))
        return;
    segmented_leaf_sorter<K, Paired, Items, segmented_block_scope> sorter(a, shared);
    if (threadIdx.x == 0)
        chain.begin(a, c, blockIdx.x);
    __syncthreads();
    uint64_t leaf;
    for (uint32_t at = blockIdx.x; segmented_block_word(a, c, at, count, chain, leaf);
         at += gridDim.x)
        sorter.block({segmented_leaf_start(leaf), segmented_leaf_length(leaf),
                      segmented_leaf_buffer(leaf), 0});
}

#endif
