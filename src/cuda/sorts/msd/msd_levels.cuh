/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segments too large for a leaf, split by 8 bits at a time in one launch whose blocks meet at
 * barriers: count the digits of a batch of segments, plan, move. The bits are those of the distance
 * to the segment's lowest code, so that every split has at least two parts: parts have 8 bits less
 * to go, and prefixes that all keys share cost one reading.
 */
#ifndef CONSORT_MSD_LEVELS_CUH
#define CONSORT_MSD_LEVELS_CUH

#include "cuda/device/expansion.cuh"
#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_octaves.cuh"
#include "cuda/sorts/msd/msd_partition.cuh"
#include "cuda/sorts/msd/msd_spilled.cuh"

template <typename K, unsigned Threads, unsigned Items> struct msd_levels_storage {
    union {
        typename msd_tile<K, Threads, Items>::storage tile;
        typename msd_spilled_tile<K, Threads, Items>::storage spilled;
        uint32_t bins[MSD_DIGITS];
        msd_parts parts;
    };
    uint32_t first_tile[MSD_BATCH + 1];
    uint32_t flags[MSD_DIGITS / 32];
    uint32_t warp_sums[Threads / 32];
    code_range<K> ranges[Threads / 32];
};

/* One block: the first tiles of the batch's segments. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ void msd_number_tiles(const msd_batch<K> &batch,
                                                        uint32_t tile_keys, uint32_t *warp_sums)
{
    constexpr unsigned each = (MSD_BATCH + Threads - 1) / Threads;
    uint32_t tiles[each], sum = 0;
    for (unsigned i = 0; i < each; i++) {
        const uint32_t at = threadIdx.x * each + i;
        tiles[i] = at < batch.count ? (batch.segment(at).count + tile_keys - 1) / tile_keys : 0;
        sum += tiles[i];
    }
    const uint32_t inclusive = warp_inclusive_sum(sum);
    if (threadIdx.x % 32 == 31)
        warp_sums[threadIdx.x / 32] = inclusive;
    __syncthreads();
    uint32_t before = inclusive - sum;
    for (unsigned warp = 0; warp < threadIdx.x / 32; warp++)
        before += warp_sums[warp];
    for (unsigned i = 0; i < each; i++) {
        const uint32_t at = threadIdx.x * each + i;
        if (at <= batch.count && at <= MSD_BATCH)
            batch.a.tiles[at] = before;
        before += tiles[i];
    }
    if (threadIdx.x == Threads - 1 && batch.count == MSD_BATCH)
        batch.a.tiles[MSD_BATCH] = before;
}

/* A tile's digits, counted in shared memory, and the range of its keys, kept for the plan. */
template <typename Digit, typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
msd_count_tile(const msd_arguments &a, const K *from, uint32_t count, uint32_t tile,
               const Digit &digit, msd_levels_storage<K, Threads, Items> &s)
{
    constexpr unsigned batch = Items < 8 ? Items : 8;
    static_assert(Items % batch == 0, "whole batches");
    code_range<K> range;
    range.clear();
    for (unsigned first = 0; first < Items; first += batch) {
        K code[batch];
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            const uint32_t at = (first + i) * Threads + threadIdx.x;
            code[i] = at < count ? from[at] : (K)0;
        }
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            if ((first + i) * Threads + threadIdx.x >= count)
                continue;
            range.add(code[i]);
            atomicAdd(&s.bins[digit(code[i])], 1u); /* for a constant lanes do not queue up */
        }
    }
    range.join_block(s.ranges);
    if (threadIdx.x == 0)
        ((code_range<K> *)a.extremes)[tile] = range;
    __syncthreads();
}

/* Those of a segment's tiles that a block counts. */
template <bool Octaves, typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
msd_count_tiles(const msd_arguments &a, const msd_segment<K> &segment, uint32_t first,
                uint32_t tile, uint32_t last, msd_levels_storage<K, Threads, Items> &s)
{
    const auto digit = msd_split_of<Octaves>(segment);
    for (; tile < last; tile++) {
        const uint32_t offset = (tile - first) * Threads * Items;
        msd_count_tile(a, (const K *)a.buffers[segment.buffer] + segment.begin + offset,
                       min(segment.count - offset, Threads * Items), tile, digit, s);
    }
}

/* Adds up digits of the batch's segments: each block counts neighbouring tiles. */
template <bool Octaves, typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_count_batch(const msd_batch<K> &batch,
                                                       msd_levels_storage<K, Threads, Items> &s)
{
    const uint32_t tiles = s.first_tile[batch.count];
    uint32_t tile = (uint32_t)((uint64_t)tiles * blockIdx.x / gridDim.x);
    const uint32_t end = (uint32_t)((uint64_t)tiles * (blockIdx.x + 1) / gridDim.x);
    while (tile < end) {
        const uint32_t owner = tile_owner(s.first_tile, batch.count, tile);
        const msd_segment<K> segment = batch.segment(owner);
        const uint32_t last = min(s.first_tile[owner + 1], end);
        if (threadIdx.x < MSD_DIGITS)
            s.bins[threadIdx.x] = 0;
        __syncthreads();
        if (Octaves && segment.kind == MSD_OCTAVES)
            msd_count_tiles<true>(batch.a, segment, s.first_tile[owner], tile, last, s);
        else
            msd_count_tiles<false>(batch.a, segment, s.first_tile[owner], tile, last, s);
        tile = last;
        if (threadIdx.x < MSD_DIGITS && s.bins[threadIdx.x])
            atomicAdd(&batch.a.counters[owner * MSD_DIGITS + threadIdx.x], s.bins[threadIdx.x]);
        __syncthreads();
    }
}

/* The parts of a segment go to the leaves, in groups, or to the queue. */
template <bool Octaves, typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
msd_file_parts(const msd_arguments &a, const msd_segment<K> &segment, const code_range<K> &range,
               msd_levels_storage<K, Threads, Items> &s)
{
    const uint32_t part = threadIdx.x;
    const uint32_t next =
        part < MSD_DIGITS ? msd_leaf_end(s.parts.starts, part, a.small_leaf) : (uint32_t)MSD_DIGITS;
    msd_mark_leaves(part, next, s.parts.further, s.flags);
    if (part >= MSD_DIGITS || !(s.flags[part / 32] >> part % 32 & 1))
        return;
    const uint32_t count = s.parts.starts[next] - s.parts.starts[part];
    const code_range<K> own = msd_codes_of(msd_split_of<Octaves>(segment), part, next);
    msd_file(a, segment.begin + s.parts.starts[part], count, 1 - segment.buffer,
             code_higher(own.low, range.low), code_lower(own.high, range.high),
             msd_is_nearly_all(count, segment.count) ? MSD_PEELED : MSD_PLAIN);
}

/* One block: counts become cursors, parts are filed, and tiles of the segment will move. */
template <bool Octaves, typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
msd_divide_segment(const msd_batch<K> &batch, uint32_t i, const msd_segment<K> &segment,
                   uint32_t count, const code_range<K> &range,
                   msd_levels_storage<K, Threads, Items> &s)
{
    const uint32_t start = block_exclusive_sum_256(count, s.warp_sums);
    if (threadIdx.x < MSD_DIGITS) {
        s.parts.starts[threadIdx.x] = start;
        batch.a.counters[i * MSD_DIGITS + threadIdx.x] = segment.begin + start;
    }
    if (threadIdx.x == 0) {
        s.parts.starts[MSD_DIGITS] = segment.count;
        batch.a.moves[i] = Octaves ? MSD_MOVE_OCTAVES : MSD_MOVE;
    }
    __syncthreads();
    msd_file_parts<Octaves>(batch.a, segment, range, s);
    __syncthreads();
}

/* One block for one segment of the batch, which is divided if that is of use. A segment whose
 * digits are whole keys is written by its counts, which become ends; one whose keys agree in the
 * digit waits for the next batch with exact bounds. */
template <bool Octaves, typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_plan_segment(const msd_batch<K> &batch, uint32_t i,
                                                        msd_levels_storage<K, Threads, Items> &s)
{
    const msd_arguments &a = batch.a;
    const msd_segment<K> segment = batch.segment(i);
    uint32_t *cursor = &a.counters[i * MSD_DIGITS + threadIdx.x];
    const uint32_t count = threadIdx.x < MSD_DIGITS ? *cursor : 0;
    const bool octaves = Octaves && segment.kind == MSD_OCTAVES;
    if (!octaves && msd_digit_of(segment).shift == 0) {
        const uint32_t before = block_exclusive_sum_256(count, s.warp_sums);
        if (threadIdx.x < MSD_DIGITS)
            *cursor = before + count;
        if (threadIdx.x == 0)
            a.moves[i] = MSD_EXPAND;
        __syncthreads();
        return;
    }
    const code_range<K> range =
        msd_range_of_blocks<K, Threads>(a, s.first_tile[i], s.first_tile[i + 1], s.ranges);
    const bool alone = __syncthreads_or(count == segment.count);
    if (alone && range.low == range.high) {
        if (threadIdx.x < MSD_DIGITS)
            *cursor = segment.count;
        if (threadIdx.x == 0) {
            batch.segment(i).low = batch.segment(i).high = range.low;
            a.moves[i] = MSD_EXPAND;
        }
        return;
    }
    if (alone) {
        if (threadIdx.x == 0)
            msd_file(a, segment.begin, segment.count, segment.buffer, range.low, range.high,
                     octaves ? (uint32_t)MSD_PLAIN : segment.kind);
        if (threadIdx.x == 0)
            a.moves[i] = MSD_WAIT;
        return;
    }
    if (octaves)
        msd_divide_segment<true>(batch, i, segment, count, range, s);
    else
        msd_divide_segment<false>(batch, i, segment, count, range, s);
}

template <bool Octaves, typename K> struct msd_batch_source {
    const msd_batch<K> &batch;
    const uint32_t *first_tile; /* in shared memory */
    uint32_t tiles, tile_keys;

    __device__ __forceinline__ auto at(uint32_t tile) const
    {
        const msd_arguments &a = batch.a;
        const uint32_t owner = tile_owner(first_tile, batch.count, tile);
        const msd_segment<K> segment = batch.segment(owner);
        const uint32_t offset = (tile - first_tile[owner]) * tile_keys;
        auto digit = msd_split_of<Octaves>(segment);
        return msd_job<K, decltype(digit)>{
            (const K *)a.buffers[segment.buffer] + segment.begin + offset,
            min(segment.count - offset, tile_keys), (K *)a.buffers[1 - segment.buffer],
            a.counters + owner * MSD_DIGITS, digit};
    }

    /* The first tile that moves, from `tile` on in strides of the grid. */
    __device__ __forceinline__ uint32_t next(uint32_t tile) const
    {
        constexpr uint32_t move = Octaves ? MSD_MOVE_OCTAVES : MSD_MOVE;
        while (tile < tiles && batch.a.moves[tile_owner(first_tile, batch.count, tile)] != move)
            tile += gridDim.x;
        return tile;
    }

    __device__ __forceinline__ uint32_t first() const
    {
        return next(blockIdx.x);
    }

    __device__ __forceinline__ uint32_t after(uint32_t tile) const
    {
        return next(tile + gridDim.x);
    }

    __device__ __forceinline__ uint32_t tile_of(uint32_t following) const
    {
        return following;
    }

    template <typename Tile> __device__ __forceinline__ void finish_load(Tile &) const
    {
    }
};

/* Tiles of segments that are written by their counts. Their keys have been read: the result may lie
 * where they are. Not inlined: it would take registers from what moves tiles. */
template <typename K, unsigned Threads, unsigned Items>
__attribute__((noinline)) static __device__ void
msd_expand_tiles(const msd_batch<K> &batch, const msd_levels_storage<K, Threads, Items> &s)
{
    constexpr uint32_t tile_keys = Threads * Items;
    const msd_arguments &a = batch.a;
    for (uint32_t tile = blockIdx.x; tile < s.first_tile[batch.count]; tile += gridDim.x) {
        const uint32_t owner = tile_owner(s.first_tile, batch.count, tile);
        if (a.moves[owner] != MSD_EXPAND)
            continue;
        const msd_segment<K> segment = batch.segment(owner);
        const uint32_t from = (tile - s.first_tile[owner]) * tile_keys;
        const expansion<K, uint32_t, msd_part_key<K>> all = {(K *)a.out + segment.begin,
                                                             a.counters + owner * MSD_DIGITS,
                                                             MSD_DIGITS - 1,
                                                             {codes<K>(a.codec), segment.low},
                                                             nullptr};
        all.write(from, min(from + tile_keys, segment.count), threadIdx.x / 32, Threads / 32);
    }
}

/* All blocks: tiles of the batch's segments are numbered and counted, segments are planned. */
template <bool Waits, bool Octaves, typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_plan_batch(const msd_batch<K> &batch,
                                                      msd_levels_storage<K, Threads, Items> &s)
{
    const msd_arguments &a = batch.a;
    msd_control *control = a.control;
    if (blockIdx.x == 0)
        msd_number_tiles<K, Threads>(batch, Threads * Items, s.warp_sums);
    for (uint32_t i = blockIdx.x * Threads + threadIdx.x; i < batch.count * MSD_DIGITS;
         i += gridDim.x * Threads)
        a.counters[i] = 0;
    grid_barrier(&control->arrivals);
    for (uint32_t i = threadIdx.x; i <= batch.count; i += Threads)
        s.first_tile[i] = a.tiles[i];
    __syncthreads();
    msd_count_batch<Octaves>(batch, s);
    grid_barrier(&control->arrivals);
    for (uint32_t i = blockIdx.x; i < batch.count; i += gridDim.x)
        if (!Waits || batch.segment(i).kind != MSD_PEELED || !msd_wait_for_octaves(batch, i))
            msd_plan_segment<Octaves>(batch, i, s);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        control->queue_head = batch.head + batch.count;
    grid_barrier(&control->arrivals);
}

/* Until there are no segments, or, without octaves, one waits for these, if any may. */
template <bool Waits, bool Octaves, typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_split_segments(const msd_arguments &a, bool planned,
                                                          msd_levels_storage<K, Threads, Items> &s)
{
    using tile_type = msd_tile<K, Threads, Items>;
    msd_control *control = a.control;
    for (;; planned = false) {
        const uint32_t head = control->queue_head - planned;
        const uint32_t waiting = planned ? 1 : control->queue_tail - head;
        if (waiting == 0 || (Waits && !Octaves && control->octaves))
            return;
        const msd_batch<K> batch = {a, head, min(waiting, a.batch)};
        if (planned) {
            if (threadIdx.x < 2)
                s.first_tile[threadIdx.x] =
                    threadIdx.x * ((uint32_t)a.count + tile_type::keys - 1) / tile_type::keys;
            __syncthreads();
        } else {
            msd_plan_batch<Waits, Octaves>(batch, s);
        }
        tile_type tile(s.tile);
        const uint32_t tiles = s.first_tile[batch.count];
        msd_move_tiles(tile,
                       msd_batch_source<false, K>{batch, s.first_tile, tiles, tile_type::keys});
        if constexpr (Octaves) {
            __syncthreads();
            msd_move_tiles(tile,
                           msd_batch_source<true, K>{batch, s.first_tile, tiles, tile_type::keys});
        }
        msd_expand_tiles(batch, s);
        grid_barrier(&control->arrivals);
    }
}

/* `planned`: the first segment is the whole list, counted and planned already. */
template <bool Waits, typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_levels(const msd_arguments &a, bool planned,
                                                  msd_levels_storage<K, Threads, Items> &s)
{
    if (a.control->mode != MSD_EQUAL && a.control->mode != MSD_PASSES)
        msd_split_segments<Waits, false>(a, planned, s);
}

/* Of lists whose buckets may have rooms. `Apart`: what they spilled is moved by a function of its
 * own. */
template <bool Waits, bool Apart, typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_roomy_levels(const msd_arguments &a,
                                                        msd_levels_storage<K, Threads, Items> &s)
{
    if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES) {
        if (a.control->spilled && a.in)
            msd_resume_spilled<Apart, K, Threads, msd_spilled_tile<K, Threads, Items>>(a, s);
    }
    msd_levels<Waits>(a, false, s);
}

/* By all blocks of a cooperative launch, which have done the second partition. Inlined: apart they
 * would find the arguments by pointers (2^24 u32, hidden-even: 502 µs instead of 445). */
template <typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_levels_behind(const msd_arguments &a,
                                                         msd_levels_storage<K, Threads, Items> &s)
{
    const msd_control &control = *a.control;
    const uint32_t mode = control.mode;
    if (mode == MSD_EQUAL || mode == MSD_PASSES || mode == MSD_COUNTED)
        return;
    grid_barrier(&a.control->arrivals);
    if (control.spilled || control.queue_head != control.queue_tail)
        msd_roomy_levels<false, false>(a, s);
}

#endif
