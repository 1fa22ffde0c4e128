/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting the listed leaves: several to a warp, one to a warp, or one to a block. */
#ifndef CONSORT_SEGMENTED_LEAVES_CUH
#define CONSORT_SEGMENTED_LEAVES_CUH

#include "cuda/sorts/segmented/segmented_tile.cuh"

template <unsigned Value> struct segmented_constant {
    static constexpr unsigned value = Value;
};

/* A word that is no leaf: there is no buffer 3. */
static const uint64_t segmented_no_leaf = ~(uint64_t)0;

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

/* One tile of leaves of a class, of which `lanes` lanes sort one each; this lane's group has
 * `leaf`. */
template <typename K, bool Paired, unsigned Items>
static __device__ __forceinline__ void
segmented_sort_in_warp(segmented_tile<K, Paired, Items, segmented_warp_scope> &tile, uint64_t leaf,
                       unsigned lanes)
{
    const unsigned shift = 31 - __clz((int)(lanes * Items));
    const auto row_of = [=](unsigned row) -> segmented_row {
        const uint32_t group = (row * 32 + threadIdx.x % 32) >> shift;
        const uint64_t of_row = __shfl_sync(0xffffffffu, leaf, (int)(group * lanes));
        const uint32_t buffer = segmented_leaf_buffer(of_row);
        const bool some = of_row != segmented_no_leaf;
        return {segmented_leaf_start(of_row), some ? segmented_leaf_length(of_row) : 0,
                some ? buffer : 0, group << shift};
    };
    typename sort_item<K, Paired>::type x[Items];
    segmented_alike(lanes * Items / 32, [&](auto rows) { tile.template load<rows.value>(row_of); });
    tile.rows_to_threads(x);
    network_sort<Items, 0>(x);
    network_merge_lanes(x, lanes);
    tile.threads_to_rows(x);
    segmented_alike(lanes * Items / 32,
                    [&](auto rows) { tile.template store<rows.value>(row_of); });
}

template <typename K, bool Paired, unsigned Items>
static __device__ __forceinline__ void segmented_warps(const segmented_arguments &a,
                                                       typename sort_item<K, Paired>::type *shared)
{
    if (segmented_refused(a))
        return;
    const unsigned warps = blockDim.x / 32, lane = threadIdx.x % 32;
    const unsigned first_thread = threadIdx.x & ~31u;
    uint16_t *sources = (uint16_t *)(shared + blockDim.x * (Items + 1));
    segmented_tile<K, Paired, Items, segmented_warp_scope> tile(
        a, shared + first_thread * (Items + 1), sources + first_thread * Items);
    for (int c = SEGMENTED_WARP_CLASSES - 1; c >= 0; c--) {
        const unsigned lanes = 2u << c, leaves = 32 / lanes;
        const uint64_t count = min(a.control->leaf_count[c], a.lists[c].room);
        for (uint64_t first = ((uint64_t)blockIdx.x * warps + threadIdx.x / 32) * leaves;
             first < count; first += (uint64_t)gridDim.x * warps * leaves) {
            const uint64_t at = first + lane / lanes;
            segmented_sort_in_warp<K, Paired, Items>(
                tile, at < count ? segmented_get_leaf(a, c, at) : segmented_no_leaf, lanes);
        }
    }
}

/* Class `c`, whose leaves take this block's threads together. */
template <typename K, bool Paired, unsigned Items>
static __device__ __forceinline__ void segmented_blocks(const segmented_arguments &a, int c,
                                                        typename sort_item<K, Paired>::type *shared)
{
    if (segmented_refused(a))
        return;
    segmented_tile<K, Paired, Items, segmented_block_scope> tile(
        a, shared, (uint16_t *)(shared + blockDim.x * (Items + 1)));
    const uint64_t count = min(a.control->leaf_count[c], a.lists[c].room);
    for (uint64_t at = blockIdx.x; at < count; at += gridDim.x) {
        const uint64_t leaf = segmented_get_leaf(a, c, at);
        const uint32_t length = segmented_leaf_length(leaf);
        const segmented_row row = {segmented_leaf_start(leaf), length, segmented_leaf_buffer(leaf),
                                   0};
        typename sort_item<K, Paired>::type x[Items];
        tile.load_one(x, row);
        if ((threadIdx.x & ~31u) * Items < length) {
            network_sort<Items, 0>(x);
            network_merge_lanes(x, 32);
        }
        network_merge_warps(x, shared, length);
        __syncthreads();
        tile.threads_to_rows(x);
        tile.template store<segmented_rows_at_once>([=](unsigned) { return row; });
    }
}

#endif
