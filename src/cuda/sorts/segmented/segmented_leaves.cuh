/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting the listed leaves: several to a warp, one to a warp, or one to a block. */
#ifndef CONSORT_SEGMENTED_LEAVES_CUH
#define CONSORT_SEGMENTED_LEAVES_CUH

#include "cuda/sorts/segmented/segmented_word_tile.cuh"

template <unsigned Value> struct segmented_constant {
    static constexpr unsigned value = Value;
};

/* What `rows` rows of a leaf have in common, up to eight, is worked out once. */
template <typename Visit>
static __device__ __forceinline__ void segmented_alike(unsigned rows, Visit visit)
{
    if (rows >= 8)
        visit(segmented_constant<8>());
    else if (rows == 4)
        visit(segmented_constant<4>());
    else if (rows == 2)
        visit(segmented_constant<2>());
    else
        visit(segmented_constant<1>());
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
        const segmented_rows_of_warp<Items> row_of{leaf, lanes};
        typename sort_item<K, false>::type x[Items];
        segmented_alike(lanes * Items / 32,
                        [&](auto rows) { tile.template load<rows.value>(row_of); });
        tile.rows_to_threads(x);
        Scope::sort(x, lanes, tile.tile, 0);
        tile.threads_to_rows(x);
        segmented_alike(lanes * Items / 32,
                        [&](auto rows) { tile.template store<rows.value>(row_of); });
    }

    __device__ __forceinline__ void block(const segmented_row &row)
    {
        typename sort_item<K, false>::type x[Items];
        tile.load_one(x, row);
        Scope::sort(x, blockDim.x, tile.tile, row.length);
        tile.threads_to_rows(x);
        tile.template store<segmented_rows_at_once>([=](unsigned) { return row; });
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
        segmented_alike(lanes * Items / 32,
                        [&](auto rows) { tile.template load<rows.value>(row_of); });
        tile.order.sort(0);
        segmented_alike(lanes * Items / 32,
                        [&](auto rows) { tile.template finish<rows.value>(row_of); });
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

template <typename K, bool Paired, unsigned Items>
static __device__ __forceinline__ void segmented_warps(const segmented_arguments &a, void *shared)
{
    if (segmented_refused(a))
        return;
    const unsigned warps = blockDim.x / 32, lane = threadIdx.x % 32;
    segmented_leaf_sorter<K, Paired, Items, segmented_warp_scope> sorter(a, shared);
    for (int c = SEGMENTED_WARP_CLASSES - 1; c >= 0; c--) {
        const unsigned lanes = 2u << c, leaves = 32 / lanes;
        const uint64_t count = a.control->leaf_count[c];
        bool second = false; /* of a pair */
        for (uint64_t first = ((uint64_t)blockIdx.x * warps + threadIdx.x / 32) * leaves;
             first < count; first += second ? 0 : (uint64_t)gridDim.x * warps * leaves) {
            const uint64_t at = first + lane / lanes;
            const uint64_t word = at < count ? segmented_get(a, c, at) : segmented_no_leaf;
            const bool pair = c == SEGMENTED_PAIRS;
            const bool more = pair && !second && segmented_second(word) > 0;
            sorter.warp(pair ? segmented_of_pair(word, second) : word, lanes);
            second = more;
        }
    }
}

/* Class `c`, whose leaves take this block's threads together. */
template <typename K, bool Paired, unsigned Items>
static __device__ __forceinline__ void segmented_blocks(const segmented_arguments &a, int c,
                                                        void *shared)
{
    if (segmented_refused(a))
        return;
    segmented_leaf_sorter<K, Paired, Items, segmented_block_scope> sorter(a, shared);
    const uint64_t count = a.control->leaf_count[c];
    for (uint64_t at = blockIdx.x; at < count; at += gridDim.x) {
        const uint64_t leaf = segmented_get(a, c, at);
        sorter.block({segmented_leaf_start(leaf), segmented_leaf_length(leaf),
                      segmented_leaf_buffer(leaf), 0});
    }
}

#endif
