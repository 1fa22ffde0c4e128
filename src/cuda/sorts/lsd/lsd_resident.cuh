/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All passes in one cooperative launch, over a list of which each block holds a tile. Nobody looks
 * back, tile by tile: what each tile has of each digit value is added up by groups of tiles, and
 * behind a barrier a block sums up the groups, and the tiles of its own group before it. That tells
 * the whole list's digits, too, so that no histogram comes first: which bytes take a pass, bits in
 * which keys differ say. Blocks have read all keys of a pass before any writes, so that every pass
 * may write over what it reads. (Of 2^20 u32 + 4 bytes by 264 blocks the histogram and its plan
 * took 10 µs, and 6.5 of a pass's 15 the last tile's look-back; H100.)
 */
#ifndef CONSORT_LSD_RESIDENT_CUH
#define CONSORT_LSD_RESIDENT_CUH

#include "cuda/device/code_range.cuh"
#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/lsd/lsd_finish.cuh"

/* Whether blocks of a launch, so many, hold the list by such tiles. */
static __device__ __forceinline__ bool lsd_is_resident(const lsd_arguments &a, uint32_t tile_keys)
{
    const uint64_t blocks = min(gridDim.x, (uint32_t)(LSD_GROUP * LSD_MOST_GROUPS));
    return a.count <= blocks * tile_keys;
}

/* Bits of codes, in words that a block has operations for. */
template <typename K, bool Narrow = (sizeof(K) < 4)> struct lsd_whole_words {
    using type = K;
};
template <typename K> struct lsd_whole_words<K, true> {
    using type = uint32_t;
};

/* All blocks call sort() once, and hold the list; `a.control` is zero when the block has called
 * `ready`, which it does behind its first look at the keys; `a.lookback` has a row of counts for
 * each tile. */
template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items> struct lsd_resident {
    using tile_type = lsd_tile<K, ValueBytes, Threads, Items>;
    using storage = typename tile_type::storage;
    using bits_type = typename lsd_whole_words<K>::type;
    static_assert(Threads == 2 * LSD_BINS, "two threads sum up a digit");
    static_assert(tile_type::keys <= (lsd_held_count)~0u, "a count of any digit");

    const lsd_arguments &a;
    storage &s;
    uint32_t *arrivals;
    const uint32_t first, filled; /* the block's keys */

    __device__ __forceinline__ lsd_resident(const lsd_arguments &arguments, uint32_t *barrier,
                                            storage &memory)
        : a(arguments), s(memory), arrivals(barrier), first(blockIdx.x * tile_type::keys),
          filled(first < (uint32_t)a.count
                     ? min((uint32_t)a.count - first, (uint32_t)tile_type::keys)
                     : 0)
    {
    }

    /* Of this pass and the next in turns. */
    __device__ __forceinline__ uint32_t *group_counts(int step, uint32_t group) const
    {
        return (uint32_t *)a.control->bins + (2 * group + (uint32_t)step % 2) * LSD_BINS;
    }

    __device__ __forceinline__ lsd_held_count *tile_counts(uint32_t tile) const
    {
        return (lsd_held_count *)a.lookback + tile * LSD_BINS;
    }

    /* Bits in which keys differ. */
    template <typename Ready>
    __device__ __forceinline__ bits_type find_varying(const Ready &ready) const
    {
        const codes<K> codec(a.codec);
        const K *keys = (const K *)a.keys_in;
        const K one = codec.encode(keys[0]);
        bits_type varying = 0;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t at = i * Threads + threadIdx.x;
            const K code = codec.encode(keys[min(first + at, (uint32_t)a.count - 1)]);
            varying |= (K)(code ^ one);
        }
        if (threadIdx.x < sizeof(bits_type) / 4)
            s.warp_sums[threadIdx.x] = 0;
        __syncthreads();
        varying = code_any_of_block(varying, s.warp_sums);
        ready();
        if (threadIdx.x == 0 && varying)
            atomicOr((unsigned long long *)&a.control->varying, (unsigned long long)varying);
        grid_barrier(arrivals);
        return (bits_type)load_relaxed(&a.control->varying);
    }

    /* Rows' counts of a digit, and of rows below one. */
    template <unsigned Stride, typename Count>
    static __device__ __forceinline__ void sum_rows(const Count *rows, uint32_t count,
                                                    uint32_t below, uint32_t *before, uint32_t *all)
    {
        constexpr unsigned batch = LSD_GROUP;
        for (uint32_t begin = 0; begin < count; begin += batch) {
            uint32_t counted[batch];
#pragma unroll
            for (unsigned i = 0; i < batch; i++)
                counted[i] = begin + i < count ? __ldcg(&rows[(begin + i) * Stride]) : 0;
#pragma unroll
            for (unsigned i = 0; i < batch; i++) {
                *before += begin + i < below ? counted[i] : 0;
                *all += counted[i];
            }
        }
    }

    /* Where runs go, less where they begin in the tile. */
    __device__ __forceinline__ void find_places(int step, uint32_t start)
    {
        const uint32_t digit = threadIdx.x % LSD_BINS, group = blockIdx.x / LSD_GROUP;
        const uint32_t tiles = ((uint32_t)a.count + tile_type::keys - 1) / tile_type::keys;
        const bool owner = threadIdx.x < LSD_BINS;
        uint32_t before = 0, all = 0;
        if (owner) {
            sum_rows<2 * LSD_BINS>(group_counts(step, 0) + digit,
                                   (tiles + LSD_GROUP - 1) / LSD_GROUP, group, &before, &all);
        } else {
            const uint32_t own = blockIdx.x % LSD_GROUP;
            sum_rows<LSD_BINS>(tile_counts(group * LSD_GROUP) + digit, own, own, &before, &all);
            s.base_high[digit] = before;
        }
        const uint32_t begin = block_exclusive_sum_256(all, s.warp_sums);
        if (owner)
            s.base[digit] = begin + before + s.base_high[digit] - start;
    }

    /* Nobody reads the other rows any more, or adds to them yet. */
    __device__ __forceinline__ void clear_next(int step) const
    {
        if (blockIdx.x % LSD_GROUP == 0 && threadIdx.x < LSD_BINS)
            group_counts(step + 1, blockIdx.x / LSD_GROUP)[threadIdx.x] = 0;
    }

    __device__ __forceinline__ void pass(uint32_t byte, const lsd_route &route)
    {
        tile_type tile(a, s, route, byte);
        const bool owner = threadIdx.x < LSD_BINS;
        uint32_t count = 0;
        tile.first = first;
        tile.filled = filled;
        tile.load_keys();
        tile.rank_in_warps();
        __syncthreads();
        if (owner) {
            count = tile_type::ranks::total(s.buffer.warp_bins); /* padding, last of all, too */
            tile_counts(blockIdx.x)[threadIdx.x] = (lsd_held_count)count;
            if (count)
                atomicAdd(&group_counts(route.step, blockIdx.x / LSD_GROUP)[threadIdx.x], count);
        }
        const uint32_t before = grid_arrive(arrivals);
        const uint32_t start = block_exclusive_sum_256(count, s.warp_sums);
        if (owner)
            tile_type::ranks::starts(s.buffer.warp_bins, start);
        __syncthreads();
        tile.put_in_order();
        typename tile_type::value_type value[Items];
        if constexpr (!tile_type::alone)
            tile.load_values(value);
        grid_wait(arrivals, before);
        clear_next(route.step);
        find_places(route.step, start);
        __syncthreads();
        if constexpr (tile_type::alone)
            lsd_fetch_sorted(tile);
        tile.store_keys();
        if constexpr (!tile_type::alone)
            tile.move_loaded(value);
    }

    /* Blocks that hold nothing are there for the barriers. */
    __device__ __forceinline__ void take_step(uint32_t byte, const lsd_route &route)
    {
        if (filled > 0)
            pass(byte, route);
        else
            grid_barrier(arrivals);
        grid_barrier(arrivals);
    }

    template <typename Ready> __device__ __forceinline__ void sort(const Ready &ready)
    {
        const bits_type varying = find_varying(ready);
        int steps = 0, step = 0;
        for (unsigned byte = 0; byte < sizeof(K); byte++)
            steps += (varying >> (8 * byte) & 0xff) != 0;
#pragma unroll 1
        for (unsigned byte = 0; byte < sizeof(K); byte++)
            if (varying >> (8 * byte) & 0xff)
                take_step(byte, lsd_route_among(a, steps, step++, 0, 0));
        lsd_finish_steps(a, steps, sizeof(K), ValueBytes);
    }
};

#endif
