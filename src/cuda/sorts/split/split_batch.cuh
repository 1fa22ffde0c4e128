/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The segments that one round splits, and the tiles they are cut into. Every block finds the tiles
 * by itself, and takes an equal share of them, so that it meets few segments.
 */
#ifndef CONSORT_SPLIT_BATCH_CUH
#define CONSORT_SPLIT_BATCH_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/grid_barrier.cuh"
#include "cuda/device/tile_owner.cuh"
#include "cuda/sorts/split/split_layout.h"
#include "cuda/sorts/split/split_word.cuh"

/* In shared memory. */
struct split_batch_storage {
    uint32_t first_tile[SPLIT_BATCH + 1];
    uint32_t warp_sums[SPLIT_THREADS / 32];
};

struct split_batch {
    const split_arguments &a;
    split_batch_storage &s;
    uint32_t head, count;

    __device__ __forceinline__ const split_segment &segment(uint32_t i) const
    {
        return a.queue[(head + i) % a.queue_capacity];
    }

    /* Every thread of a block. */
    __device__ __forceinline__ void number(uint32_t tile_items) const
    {
        constexpr unsigned each = SPLIT_BATCH / SPLIT_THREADS;
        uint32_t tiles[each], sum = 0, total;
        for (unsigned i = 0; i < each; i++) {
            const uint32_t at = threadIdx.x * each + i;
            tiles[i] =
                at < count ? (uint32_t)((segment(at).count + tile_items - 1) / tile_items) : 0;
            sum += tiles[i];
        }
        uint32_t before = block_exclusive_sum<SPLIT_THREADS / 32>(sum, s.warp_sums, &total);
        if (threadIdx.x == 0)
            s.first_tile[0] = 0;
        for (unsigned i = 0; i < each; i++) {
            before += tiles[i];
            s.first_tile[threadIdx.x * each + i + 1] = before;
        }
        __syncthreads();
    }
};

/* Items of a segment that a block takes at once. */
struct split_tile {
    uint32_t owner; /* number in the batch */
    split_segment segment;
    uint64_t offset; /* in the segment */
    uint32_t filled;
};

/* A block's tiles, one after the other; the same for all its threads. */
struct split_walk {
    const split_batch &batch;
    uint32_t tile_items, owner, at, last;

    __device__ __forceinline__ split_walk(const split_batch &b, uint32_t items)
        : batch(b), tile_items(items), owner(0)
    {
        const uint64_t tiles = b.s.first_tile[b.count];
        at = (uint32_t)(tiles * blockIdx.x / gridDim.x);
        last = (uint32_t)(tiles * (blockIdx.x + 1) / gridDim.x);
        owner = tile_owner(b.s.first_tile, b.count, at);
    }

    /* False if there is none left. Segments of equal items are passed over unless asked for. */
    __device__ __forceinline__ bool next(split_tile &tile, bool with_equal)
    {
        const uint32_t *first_tile = batch.s.first_tile;
        for (; at < last; at = first_tile[owner + 1]) {
            while (at >= first_tile[owner + 1])
                owner++;
            tile.segment = batch.segment(owner);
            if (!(tile.segment.state & SPLIT_EQUAL) || with_equal)
                break;
        }
        if (at >= last)
            return false;
        tile.owner = owner;
        tile.offset = (uint64_t)(at - first_tile[owner]) * tile_items;
        const uint64_t left = tile.segment.count - tile.offset;
        tile.filled = left < tile_items ? (uint32_t)left : tile_items;
        at++;
        return true;
    }
};

/* Every block of the grid: the first segment is everything. */
static __device__ __forceinline__ void split_begin(const split_arguments &a)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        a.queue[0] = {0, a.count, 0, 0};
        a.control->tail = 1;
    }
    grid_barrier(&a.control->arrivals);
}

template <typename K, typename I>
static __device__ __forceinline__ item_array<K, I> split_array(const split_arguments &a,
                                                               uint32_t spare)
{
    return {(K *)a.codes[spare], (I *)a.indices[spare]};
}

/* A thread's items of a tile; what is missing becomes the highest. */
template <typename K, typename I>
static __device__ __forceinline__ void
split_load_tile(const split_arguments &a, const split_tile &tile,
                typename split_kind<K, I>::word (&item)[split_kind<K, I>::shape::tile_items])
{
    using kind = split_kind<K, I>;
    using words = typename kind::words;
    const item_array<K, I> from = split_array<K, I>(a, tile.segment.state & SPLIT_SPARE);
    const uint64_t first = tile.segment.begin + tile.offset + threadIdx.x;
#pragma unroll
    for (unsigned i = 0; i < kind::shape::tile_items; i++)
        item[i] = tile.filled == kind::tile || i * SPLIT_THREADS + threadIdx.x < tile.filled
                      ? words::of(from.load(first + i * SPLIT_THREADS))
                      : words::highest();
}

/* Items that are all the same and lie in the spare array, as one of them says. */
template <typename K, typename I>
static __device__ __forceinline__ void split_write_equal(const split_arguments &a,
                                                         const split_tile &tile)
{
    const item<K, I> value = split_array<K, I>(a, 1).load(tile.segment.begin);
    const item_array<K, I> to = split_array<K, I>(a, 0);
    for (uint32_t i = threadIdx.x; i < tile.filled; i += blockDim.x)
        to.store(tile.segment.begin + tile.offset + i, value);
}

#endif
