/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All levels of splitting in one launch whose blocks meet at barriers: choose the pivots of a batch
 * of segments, move, and file what lies on both sides; until only leaves are left.
 */
#ifndef CONSORT_QUICK_LEVELS_CUH
#define CONSORT_QUICK_LEVELS_CUH

#include "cuda/sorts/quick/quick_tile.cuh"
#include "cuda/sorts/split/split_file.cuh"
#include "cuda/sorts/split/split_network.cuh"
#include "cuda/sorts/split/split_sample.cuh"

template <typename K, typename I> struct quick_levels {
    using kind = split_kind<K, I>;
    using words = typename kind::words;
    using word = typename kind::word;
    using tile_type = quick_tile<K, I>;
    using block_type = block_merge<word, false, SPLIT_THREADS, kind::shape::sample_items>;

    struct storage {
        union {
            typename tile_type::storage tile;
            typename block_type::storage sample;
        };
        split_batch_storage batch;
    };
    static_assert(sizeof(storage) <= quick_shared_bytes(sizeof(word), kind::shape::tile_items),
                  "the host asks for what the kernels need");

    const split_arguments &a;
    storage &s;

    /* One block: the median of a sample of one segment. */
    __device__ __forceinline__ void choose(const split_batch &batch, uint32_t owner) const
    {
        const split_segment segment = batch.segment(owner);
        if (segment.state & SPLIT_EQUAL)
            return;
        block_type block(s.sample);
        const uint32_t count = (uint32_t)min((uint64_t)a.oversampling, segment.count);
        split_sort_sample<K, I>(a, segment, count, block);
        if (threadIdx.x < QUICK_COUNTERS)
            a.counters[owner * QUICK_COUNTERS + threadIdx.x] = 0;
        if (threadIdx.x == 0)
            ((word *)a.rows)[owner] = block.code(count / 2);
        __syncthreads();
    }

    __device__ __forceinline__ void move(const split_batch &batch) const
    {
        tile_type tile(s.tile);
        split_walk walk(batch, kind::tile);
        split_tile t;
        bool more = next(walk, t);
        if (!more)
            return;
        tile.load(a, t);
        while (more) {
            tile.open(a, t);
            tile.count();
            __syncthreads();
            tile.put_in_order(t, a.counters + t.owner * QUICK_COUNTERS);
            const split_tile moved = t;
            more = next(walk, t);
            if (more)
                tile.load(a, t);
            __syncthreads();
            tile.write(a, moved);
            __syncthreads();
        }
    }

    /* The next tile to be moved; those before it are only written. */
    __device__ __forceinline__ bool next(split_walk &walk, split_tile &t) const
    {
        while (walk.next(t, true)) {
            if (!(t.segment.state & SPLIT_EQUAL))
                return true;
            split_write_equal<K, I>(a, t);
        }
        return false;
    }

    /* A warp files the parts of one segment. The items equal to the pivot are where they belong
     * when they are written; many are left to the next round, which finds one in the spare arrays.
     */
    __device__ __forceinline__ void plan(const split_batch &batch, uint32_t owner) const
    {
        const split_segment segment = batch.segment(owner);
        if (segment.state & SPLIT_EQUAL)
            return;
        const uint64_t *counters = a.counters + owner * QUICK_COUNTERS;
        const uint64_t less = counters[QUICK_LESS], greater = counters[QUICK_GREATER];
        const uint64_t gap = segment.begin + less, equal = segment.count - less - greater;
        const uint32_t spare = ~segment.state & SPLIT_SPARE, lane = threadIdx.x % 32;
        const item<K, I> pivot = words::item_of(((const word *)a.rows)[owner]);
        if (lane == 0) {
            split_file(a, segment.begin, less, segment.depth + 1, spare);
            split_file(a, gap + equal, greater, segment.depth + 1, spare);
            atomicMax(&a.control->depth, segment.depth + 1);
        }
        if (equal > a.leaf) {
            if (lane == 0) {
                split_array<K, I>(a, 1).store(gap, pivot);
                split_file(a, gap, equal, segment.depth + 1, SPLIT_SPARE | SPLIT_EQUAL);
            }
            return;
        }
        for (uint32_t i = lane; i < equal; i += 32)
            split_array<K, I>(a, 0).store(gap + i, pivot);
    }

    __device__ __forceinline__ void run() const
    {
        split_control *control = a.control;
        split_begin(a);
        for (uint32_t head = 0, tail = 1; head != tail; tail = control->tail) {
            const split_batch batch = {a, s.batch, head, min(tail - head, (uint32_t)SPLIT_BATCH)};
            batch.number(kind::tile);
            for (uint32_t i = blockIdx.x; i < batch.count; i += gridDim.x)
                choose(batch, i);
            grid_barrier(&control->arrivals);
            move(batch);
            grid_barrier(&control->arrivals);
            const uint32_t warps = SPLIT_THREADS / 32;
            for (uint32_t i = blockIdx.x * warps + threadIdx.x / 32; i < batch.count;
                 i += gridDim.x * warps)
                plan(batch, i);
            grid_barrier(&control->arrivals);
            head += batch.count;
        }
        split_finish_stuck<K, I>(a);
    }
};

#endif
