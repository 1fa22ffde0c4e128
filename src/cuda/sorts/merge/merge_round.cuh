/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merging pairs of lists. One launch cuts the output into tiles of equal length by co-ranks, the
 * next one merges every tile in shared memory, whatever lists it belongs to. Pairs are whole
 * numbers of tiles long, so that no tile lies in two.
 */
#ifndef CONSORT_MERGE_ROUND_CUH
#define CONSORT_MERGE_ROUND_CUH

#include "cuda/sorts/merge/merge_cuts.cuh"
#include "cuda/sorts/merge/merge_input.cuh"
#include "cuda/sorts/merge/merge_output.cuh"

/* The two lists that make the output around a position. */
struct merge_pair {
    uint64_t first; /* of the pair's outputs */
    uint64_t a_first, a_count, b_first, b_count;

    __device__ __forceinline__ merge_pair(const merge_arguments &a, uint64_t tile,
                                          uint32_t tile_keys)
    {
        if (a.run_tiles == 0) {
            first = a_first = b_first = 0;
            a_count = a.a_count;
            b_count = a.count - a.a_count;
        } else {
            const uint64_t run = a.run_tiles * tile_keys;
            first = a_first = (tile & ~(2 * a.run_tiles - 1)) * tile_keys;
            const uint64_t left = a.count - first;
            a_count = left < run ? left : run;
            b_first = first + a_count;
            b_count = left - a_count < run ? left - a_count : run;
        }
    }
};

/* Between which co-ranks a tile's lies. */
struct merge_bounds {
    uint64_t low, high;

    __device__ __forceinline__ merge_bounds(const merge_pair &pair, uint64_t diagonal)
        : low(diagonal > pair.b_count ? diagonal - pair.b_count : 0),
          high(diagonal < pair.a_count ? diagonal : pair.a_count)
    {
    }

    /* By the cut `ahead` outputs before. Of lists that are not sorted nothing may be left: then it
     * is ignored. */
    __device__ __forceinline__ void after(uint64_t cut, uint64_t ahead)
    {
        narrow(cut, cut + ahead);
    }

    __device__ __forceinline__ void before(uint64_t cut, uint64_t behind)
    {
        narrow(cut > behind ? cut - behind : 0, cut);
    }

  private:
    __device__ __forceinline__ void narrow(uint64_t from, uint64_t to)
    {
        const uint64_t lower = from > low ? from : low, upper = to < high ? to : high;
        if (lower > upper)
            return;
        low = lower;
        high = upper;
    }
};

/* A cut by a warp whose lanes all call it. */
template <typename K>
static __device__ __forceinline__ uint64_t merge_cut_by_warp(const merge_arguments &a,
                                                             const merge_pair &pair,
                                                             uint64_t diagonal)
{
    const merge_keys<K> keys(a);
    const merge_bounds bounds(pair, diagonal);
    const K *list_a = (const K *)a.keys[0] + pair.a_first;
    const K *list_b = (const K *)a.keys[1] + pair.b_first;
    return warp_co_rank_between<uint64_t>(
        diagonal, bounds.low, bounds.high, [=](uint64_t i) { return list_a[i]; },
        [=](uint64_t i) { return list_b[i]; },
        [&](K b, K of_a) { return keys.compared(b) < keys.compared(of_a); });
}

/* A tile's cut by one thread, between those of its group's ends and, usually, about as far as the
 * tile is. */
template <typename K>
static __device__ __forceinline__ uint64_t merge_cut_inside(const merge_arguments &a, uint64_t tile,
                                                            uint32_t tile_keys, unsigned place,
                                                            const uint64_t *ends)
{
    const merge_keys<K> keys(a);
    const merge_pair pair(a, tile, tile_keys);
    const uint64_t diagonal = tile * tile_keys - pair.first;
    const uint64_t ahead = (uint64_t)place * tile_keys;
    const uint64_t behind = (uint64_t)(MERGE_CUT_GROUP - place) * tile_keys;
    merge_bounds bounds(pair, diagonal);
    uint64_t guess = 0;
    if (diagonal >= ahead)
        bounds.after(ends[0], ahead);
    if (diagonal + behind < pair.a_count + pair.b_count) {
        bounds.before(ends[1], behind);
        guess = ends[0] + (ends[1] - ends[0]) * place / MERGE_CUT_GROUP;
    }
    const K *list_a = (const K *)a.keys[0] + pair.a_first;
    const K *list_b = (const K *)a.keys[1] + pair.b_first;
    return co_rank_near<uint64_t>(
        diagonal, bounds.low, bounds.high, guess, [=](uint64_t i) { return list_a[i]; },
        [=](uint64_t i) { return list_b[i]; },
        [&](K b, K of_a) { return keys.compared(b) < keys.compared(of_a); });
}

/* A block's cuts: first the ends of its groups by a warp each, then those between by a thread each,
 * which touches half as many lines of memory as searches of the whole lists: 10^5 of those read a
 * tenth of what the merge does. Of few tiles each is a group. A block begins with the end that the
 * one before it found last, in the same way, so that each sees whether its own cross: those of
 * lists that are not sorted can. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ void merge_cut_tiles(const merge_arguments &a, uint32_t tile_keys,
                                                       uint32_t group,
                                                       uint64_t (&ends)[Threads / 32])
{
    constexpr unsigned groups = Threads / 32 - 1;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint64_t first = (uint64_t)blockIdx.x * (groups * group);
    const uint64_t tiles = (a.count + tile_keys - 1) / tile_keys, end = first + warp * group;
    if (end < tiles) {
        const merge_pair pair(a, end, tile_keys);
        const uint64_t cut = merge_cut_by_warp<K>(a, pair, end * tile_keys - pair.first);
        if (lane == 0)
            ends[warp] = cut;
    }
    __syncthreads();
    const uint64_t tile = end + lane;
    const bool own = warp < groups && lane < group && tile < tiles;
    uint64_t cut = 0;
    if (own) {
        cut = lane == 0 ? ends[warp] : merge_cut_inside<K>(a, tile, tile_keys, lane, ends + warp);
        merge_tell_cut(a, tile, tile_keys, cut);
    }
    if (a.run_tiles > 0)
        return;
    uint64_t next = __shfl_down_sync(0xffffffffu, cut, 1);
    if (own && lane + 1 == group)
        next = tile + 1 < tiles ? ends[warp + 1] : 0;
    const bool crosses = own && tile + 1 < tiles && next - cut > tile_keys;
    const bool any = __syncthreads_or(crosses);
    if (threadIdx.x == 0)
        merge_cuts_of<merge_two_cuts>(a, first, tile_keys)->crossed = any;
}

/* If cuts of any block, which found `cut_tiles`, cross all of list a comes before list b, so that
 * the result is still a permutation. */
static __device__ __forceinline__ void merge_straighten_cuts(const merge_arguments &a,
                                                             uint32_t tile_keys, uint32_t cut_tiles)
{
    const uint64_t tiles = (a.count + tile_keys - 1) / tile_keys;
    bool crossed = false;
    for (uint64_t tile = threadIdx.x * cut_tiles; tile < tiles; tile += blockDim.x * cut_tiles)
        crossed |= merge_cuts_of<merge_two_cuts>(a, tile, tile_keys)->crossed != 0;
    if (!__syncthreads_or(crossed))
        return;
    for (uint64_t tile = threadIdx.x; tile < tiles; tile += blockDim.x) {
        const uint64_t diagonal = tile * tile_keys;
        merge_tell_cut(a, tile, tile_keys, diagonal < a.a_count ? diagonal : a.a_count);
    }
}

/* Where a tile begins and ends in its list a: cut by the launch before or, of few tiles, here by
 * two warps, which takes less time than another launch. Not static: nvcc names shared variables of
 * static functions by the path of the source, and images would differ from folder to folder. */
template <typename K>
__device__ __forceinline__ void merge_find_ends(const merge_arguments &a, const merge_pair &pair,
                                                uint32_t tile_keys, uint64_t diagonal,
                                                uint32_t filled, uint64_t (&ends)[2])
{
    const unsigned warp = threadIdx.x / 32;
    if (a.cuts) {
        const bool last = diagonal + filled == pair.a_count + pair.b_count;
        const merge_two_cuts *cuts = merge_cuts_of<merge_two_cuts>(a, blockIdx.x, tile_keys);
        if (threadIdx.x == 0)
            merge_ask_for_cuts(a, blockIdx.x, tile_keys);
        ends[0] = cuts->begin;
        ends[1] = last ? pair.a_count : cuts->end;
        return;
    }
    SHARED(found, uint64_t[2]);
    if (warp < 2) {
        const uint64_t cut = merge_cut_by_warp<K>(a, pair, diagonal + (warp ? filled : 0));
        if (threadIdx.x % 32 == 0)
            found[warp] = cut;
    }
    __syncthreads();
    ends[0] = found[0];
    ends[1] = found[1];
}

template <typename K>
static __device__ __forceinline__ merge_window merge_window_of(const merge_arguments &a,
                                                               uint32_t tile_keys)
{
    merge_window window;
    window.out_first = (uint64_t)blockIdx.x * tile_keys;
    const merge_pair pair(a, blockIdx.x, tile_keys);
    const uint64_t diagonal = window.out_first - pair.first;
    const uint64_t left = pair.a_count + pair.b_count - diagonal;
    window.filled = left < tile_keys ? (uint32_t)left : tile_keys;
    uint64_t ends[2];
    merge_find_ends<K>(a, pair, tile_keys, diagonal, window.filled, ends);
    window.a_first = pair.a_first + ends[0];
    window.a_items = (uint32_t)(ends[1] - ends[0]);
    window.b_first = pair.b_first + (diagonal - ends[0]);
    return window;
}

/* This thread's part of list a, from..to, of its tile. */
template <typename Block> struct merge_share {
    uint32_t from, to;

    __device__ __forceinline__ merge_share(Block &block, uint32_t a_items, bool may_cross)
    {
        constexpr uint32_t items = Block::keys / Block::threads;
        uint16_t *cuts = block.s.cuts;
        from = block.cut(0, a_items, Block::keys - a_items, threadIdx.x * items);
        cuts[threadIdx.x] = (uint16_t)from;
        __syncthreads();
        to = next(cuts, a_items);
        if (!may_cross || !__syncthreads_or(to - from > items))
            return;
        if (threadIdx.x == 0)
            for (unsigned t = 1; t < Block::threads; t++) {
                const uint32_t low = cuts[t - 1], high = low + items, own = cuts[t];
                cuts[t] = (uint16_t)(own < low ? low : own > high ? high : own);
            }
        __syncthreads();
        from = cuts[threadIdx.x];
        to = next(cuts, a_items);
    }

  private:
    static __device__ __forceinline__ uint32_t next(const uint16_t *cuts, uint32_t last)
    {
        return threadIdx.x + 1 < Block::threads ? cuts[threadIdx.x + 1] : last;
    }
};

template <typename K, bool Placed, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
merge_round(const merge_arguments &a,
            typename block_merge<K, Placed, Threads, Items>::storage &storage)
{
    using block_type = block_merge<K, Placed, Threads, Items>;
    const merge_keys<K> keys(a);
    block_type block(storage);
    const merge_window window = merge_window_of<K>(a, block_type::keys);
    const K *from_a = (const K *)a.keys[0] + window.a_first;
    const K *from_b = (const K *)a.keys[1] + window.b_first - window.a_items;
    typename block_type::word code[Items];
    merge_load_tile<K, Threads>(keys, from_a, from_b, window.a_items, window.filled, code);
#pragma unroll
    for (unsigned i = 0; i < Items; i++)
        storage.codes[merge_output<Threads>(i)] = code[i];
    __syncthreads();
    const merge_share<block_type> share(block, window.a_items, a.run_tiles == 0);
    const uint32_t b = window.a_items + threadIdx.x * Items - share.from;
    typename block_type::item_type item[Items];
    block.template merge<true>(item, share.from, b, share.to - share.from);
    __syncthreads();
    block.store(item);
    __syncthreads();
    merge_store_tile<K, Placed>(a, block, window);
}

#endif
