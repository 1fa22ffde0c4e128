/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All levels of splitting in one launch whose blocks meet at barriers: choose the splitters of a
 * batch of segments, count their parts, plan, move; until only leaves are left.
 */
#ifndef CONSORT_SAMPLE_LEVELS_CUH
#define CONSORT_SAMPLE_LEVELS_CUH

#include "cuda/sorts/sample/sample_layout.h"
#include "cuda/sorts/sample/sample_tile.cuh"
#include "cuda/sorts/split/split_file.cuh"
#include "cuda/sorts/split/split_network.cuh"

template <typename K, typename I> struct sample_levels {
    using kind = split_kind<K, I>;
    using word = typename kind::word;
    using tile_type = sample_tile<K, I>;
    using block_type = block_merge<word, false, SPLIT_THREADS, kind::shape::sample_items>;

    struct storage {
        union {
            typename tile_type::storage tile;
            typename block_type::storage sample;
            split_group_storage groups;
        };
        split_batch_storage batch;
    };
    static_assert(sizeof(storage) <= sample_shared_bytes(sizeof(word), kind::shape::tile_items),
                  "the host asks for what the kernels need");

    const split_arguments &a;
    storage &s;

    /* Adds what was counted of a segment to what other blocks count of it. */
    __device__ __forceinline__ void close(uint32_t owner) const
    {
        __syncthreads();
        const uint32_t count = threadIdx.x < SPLIT_MOST_PARTS ? s.tile.bins[threadIdx.x] : 0;
        if (count)
            reduce_add_relaxed(&a.counters[owner * SPLIT_MOST_PARTS + threadIdx.x],
                               (uint64_t)count);
        __syncthreads();
    }

    __device__ __forceinline__ void count(const split_batch &batch) const
    {
        tile_type tile(s.tile);
        split_tile t;
        bool open = false;
        uint32_t owner = 0;
        for (split_walk walk(batch, kind::tile); walk.next(t, true);) {
            if (t.segment.state & SPLIT_EQUAL) {
                split_write_equal<K, I>(a, t);
                continue;
            }
            tile.load(a, t);
            if (!open || owner != t.owner) {
                if (open)
                    close(owner);
                tile.open(a, t);
                tile.clear_bins();
                __syncthreads();
                open = true;
                owner = t.owner;
            }
            tile.template count<false>();
        }
        if (open)
            close(owner);
    }

    /* One block: the counts of one segment become cursors, and its parts are filed. */
    __device__ __forceinline__ void plan(const split_batch &batch, uint32_t owner) const
    {
        const split_segment segment = batch.segment(owner);
        if (segment.state & SPLIT_EQUAL)
            return;
        const uint32_t ways = 1u << sample_log_ways(a, segment.count), t = threadIdx.x;
        const word *splitters = (const word *)a.rows + (uint64_t)owner * SPLIT_MOST_PARTS;
        uint64_t *counters = a.counters + owner * SPLIT_MOST_PARTS;
        split_part part = {0, t < ways ? counters[t] : 0, false};
        part.begin = block_exclusive_sum_256(part.count, (uint64_t *)s.groups.begin);
        if (t < ways) {
            counters[t] = segment.begin + part.begin;
            part.equal = sample_part_is_equal<typename kind::words>(splitters, t, ways);
        }
        __syncthreads();
        split_file_parts(a, segment, ways, part, s.groups);
    }

    __device__ __forceinline__ void move(const split_batch &batch) const
    {
        tile_type tile(s.tile);
        split_walk walk(batch, kind::tile);
        split_tile t;
        if (!walk.next(t, false))
            return;
        tile.load(a, t);
        tile.open(a, t);
        for (bool more = true; more;) {
            tile.clear_bins();
            __syncthreads();
            tile.template count<true>();
            __syncthreads();
            tile.find_places(a.counters + t.owner * SPLIT_MOST_PARTS);
            __syncthreads();
            tile.put_in_order();
            const split_tile moved = t;
            more = walk.next(t, false);
            if (more)
                tile.load(a, t);
            if (more && t.owner != moved.owner)
                tile.open(a, t);
            __syncthreads();
            tile.write(a, moved);
            __syncthreads();
        }
    }

    __device__ __forceinline__ void run() const
    {
        split_control *control = a.control;
        split_begin(a);
        for (uint32_t head = 0, tail = 1; head != tail; tail = control->tail) {
            const split_batch batch = {a, s.batch, head, min(tail - head, (uint32_t)SPLIT_BATCH)};
            block_type block(s.sample);
            batch.number(kind::tile);
            for (uint32_t i = blockIdx.x; i < batch.count; i += gridDim.x)
                sample_choose<K, I>(a, batch, i, block);
            grid_barrier(&control->arrivals);
            count(batch);
            grid_barrier(&control->arrivals);
            for (uint32_t i = blockIdx.x; i < batch.count; i += gridDim.x)
                plan(batch, i);
            grid_barrier(&control->arrivals);
            move(batch);
            grid_barrier(&control->arrivals);
            head += batch.count;
        }
        split_finish_stuck<K, I>(a);
    }
};

#endif
