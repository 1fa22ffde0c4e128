/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of a segment that is split around a pivot. What is less fills the segment's place in the
 * other arrays from its begin, what is greater from its end: two additions to counters say where a
 * tile's items go, and the gap that is left in the end takes the items equal to the pivot, which
 * therefore need not be moved.
 */
#ifndef CONSORT_QUICK_TILE_CUH
#define CONSORT_QUICK_TILE_CUH

#include "cuda/device/ptx.cuh"
#include "cuda/sorts/quick/quick_layout.h"
#include "cuda/sorts/split/split_batch.cuh"

template <typename K, typename I> struct quick_tile {
    using kind = split_kind<K, I>;
    using words = typename kind::words;
    using word = typename kind::word;
    static constexpr unsigned items = kind::shape::tile_items;
    static constexpr unsigned warps = SPLIT_THREADS / 32;

    struct alignas(16) storage {
        word sorted[kind::tile];
        uint32_t warp_less[warps], warp_greater[warps];
        uint64_t less_base, greater_base;
    };

    storage &s;
    uint32_t filled;
    word item[items], pivot;
    uint32_t less, greater; /* of the tile */

    __device__ __forceinline__ explicit quick_tile(storage &memory)
        : s(memory), filled(0), pivot(words::highest()), less(0), greater(0)
    {
    }

    __device__ __forceinline__ void load(const split_arguments &a, const split_tile &tile)
    {
        filled = tile.filled;
        split_load_tile<K, I>(a, tile, item);
    }

    __device__ __forceinline__ void open(const split_arguments &a, const split_tile &tile)
    {
        pivot = ((const word *)a.rows)[tile.owner];
    }

    __device__ __forceinline__ bool has(unsigned i) const
    {
        return filled == kind::tile || i * SPLIT_THREADS + threadIdx.x < filled;
    }

    __device__ __forceinline__ uint32_t lanes_less(unsigned i) const
    {
        return __ballot_sync(0xffffffffu, has(i) && item[i] < pivot);
    }

    __device__ __forceinline__ uint32_t lanes_greater(unsigned i) const
    {
        return __ballot_sync(0xffffffffu, has(i) && pivot < item[i]);
    }

    __device__ __forceinline__ void count()
    {
        uint32_t own_less = 0, own_greater = 0;
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            own_less += (uint32_t)__popc(lanes_less(i));
            own_greater += (uint32_t)__popc(lanes_greater(i));
        }
        if (threadIdx.x % 32 == 0) {
            s.warp_less[threadIdx.x / 32] = own_less;
            s.warp_greater[threadIdx.x / 32] = own_greater;
        }
    }

    /* After a barrier: less items to the front of the tile, greater ones behind them. */
    __device__ __forceinline__ void put_in_order(const split_tile &tile, uint64_t *counters)
    {
        uint32_t before_less = 0, before_greater = 0;
        less = greater = 0;
#pragma unroll
        for (unsigned warp = 0; warp < warps; warp++) {
            before_less += warp < threadIdx.x / 32 ? s.warp_less[warp] : 0;
            before_greater += warp < threadIdx.x / 32 ? s.warp_greater[warp] : 0;
            less += s.warp_less[warp];
            greater += s.warp_greater[warp];
        }
        if (threadIdx.x == 0) {
            const uint64_t lower = atomic_add_relaxed(&counters[QUICK_LESS], (uint64_t)less);
            const uint64_t upper =
                atomic_add_relaxed(&counters[QUICK_GREATER], (uint64_t)greater) + greater;
            s.less_base = tile.segment.begin + lower;
            s.greater_base = tile.segment.begin + tile.segment.count - upper;
        }
        before_greater += less;
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            const uint32_t lower = lanes_less(i), upper = lanes_greater(i);
            if (lower >> lane_id() & 1)
                s.sorted[before_less + (uint32_t)__popc(lower & lanemask_lt())] = item[i];
            if (upper >> lane_id() & 1)
                s.sorted[before_greater + (uint32_t)__popc(upper & lanemask_lt())] = item[i];
            before_less += (uint32_t)__popc(lower);
            before_greater += (uint32_t)__popc(upper);
        }
    }

    /* The item registers may hold the next tile already. */
    __device__ __forceinline__ void write(const split_arguments &a, const split_tile &tile) const
    {
        const item_array<K, I> to = split_array<K, I>(a, ~tile.segment.state & SPLIT_SPARE);
        const uint64_t lower = s.less_base, upper = s.greater_base;
        for (uint32_t j = threadIdx.x; j < less + greater; j += SPLIT_THREADS)
            to.store(j < less ? lower + j : upper + (j - less), words::item_of(s.sorted[j]));
    }
};

#endif
