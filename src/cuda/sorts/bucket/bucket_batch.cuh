/* SPDX-License-Identifier: Apache-2.0 */
/* Batches: which waiting parts are divided next, and how their work is numbered. */
#ifndef CONSORT_BUCKET_BATCH_CUH
#define CONSORT_BUCKET_BATCH_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/ptx.cuh"
#include "cuda/device/tile_owner.cuh"
#include "cuda/sorts/bucket/bucket_layout.h"

/* Slices that a part is to have, those apart not counted. */
static __device__ __forceinline__ uint32_t bucket_wanted_slices(const bucket_arguments &a,
                                                                uint64_t count)
{
    const uint64_t wanted = min(count / a.expected, (uint64_t)1 << 31) + 1;
    return max((uint32_t)wanted, (uint32_t)BUCKET_LEAST_SLICES);
}

static __device__ __forceinline__ uint32_t bucket_slice_tiles(const bucket_arguments &a,
                                                              uint64_t count)
{
    const uint32_t slices = bucket_wanted_slices(a, count) + BUCKET_APART;
    return (slices + BUCKET_SLICE_TILE - 1) / BUCKET_SLICE_TILE;
}

static __device__ __forceinline__ uint32_t bucket_tiles(uint64_t count)
{
    return (uint32_t)((count + BUCKET_TILE - 1) / BUCKET_TILE);
}

/* A set of items goes to the blocks that sort, or waits to be divided. */
static __device__ __forceinline__ void bucket_file(const bucket_arguments &a,
                                                   const bucket_part &part)
{
    if (part.count <= a.most) {
        const uint64_t at = atomic_add_relaxed(&a.control->leaves, (uint64_t)1);
        a.leaves[at] = {part.begin, (uint32_t)part.count, part.buffer};
    } else {
        const uint64_t at = atomic_add_relaxed(&a.control->queue_tail, (uint64_t)1);
        a.queue[at % a.queue_capacity] = part;
    }
}

/* One block: takes the batch from the queue, whose head moves when the batch is planned. */
static __device__ __forceinline__ void bucket_take_batch(const bucket_arguments &a,
                                                         uint64_t *warp_sums)
{
    constexpr unsigned each = BUCKET_BATCH / BUCKET_THREADS;
    const uint64_t head = a.control->queue_head;
    const uint32_t batch = (uint32_t)min(a.control->queue_tail - head, (uint64_t)a.batch_capacity);
    uint32_t tiles[each], slice_tiles[each];
    uint64_t tile_sum = 0, slice_sum = 0, unused;
    for (unsigned i = 0; i < each; i++) {
        const uint32_t at = threadIdx.x * each + i;
        tiles[i] = slice_tiles[i] = 0;
        if (at < batch) {
            const bucket_part part = a.queue[(head + at) % a.queue_capacity];
            a.divisions[at].part = part;
            tiles[i] = bucket_tiles(part.count);
            slice_tiles[i] = bucket_slice_tiles(a, part.count);
        }
        tile_sum += tiles[i];
        slice_sum += slice_tiles[i];
    }
    tile_sum = block_exclusive_sum<BUCKET_THREADS / 32>(tile_sum, warp_sums, &unused);
    slice_sum = block_exclusive_sum<BUCKET_THREADS / 32>(slice_sum, warp_sums, &unused);
    for (unsigned i = 0; i < each; i++) {
        const uint32_t at = threadIdx.x * each + i;
        if (at < batch) {
            a.first_tile[at] = (uint32_t)tile_sum;
            a.first_slice_tile[at] = (uint32_t)slice_sum;
        }
        tile_sum += tiles[i];
        slice_sum += slice_tiles[i];
        if (at + 1 == batch) {
            a.first_tile[batch] = (uint32_t)tile_sum;
            a.first_slice_tile[batch] = (uint32_t)slice_sum;
        }
    }
    if (threadIdx.x == 0)
        a.control->batch = batch;
}

/* A tile's part, and where in it the tile lies. */
struct bucket_tile {
    bucket_division division;
    uint32_t number, tiles; /* within the part */
    uint32_t first_slice;   /* the part's first tile of slices */

    __device__ __forceinline__ bucket_tile(const bucket_arguments &a, uint32_t batch, uint32_t tile)
    {
        const uint32_t owner = tile_owner(a.first_tile, batch, tile);
        division = a.divisions[owner];
        number = tile - a.first_tile[owner];
        tiles = a.first_tile[owner + 1] - a.first_tile[owner];
        first_slice = a.first_slice_tile[owner];
    }

    /* Items of the part before the tile, and those of the tile. */
    __device__ __forceinline__ uint64_t before() const
    {
        return (uint64_t)number * BUCKET_TILE;
    }

    __device__ __forceinline__ uint32_t count() const
    {
        return (uint32_t)min(division.part.count - before(), (uint64_t)BUCKET_TILE);
    }
};

/* Block 0 of a stage's launch says when it begins. */
static __device__ __forceinline__ void bucket_stamp(const bucket_arguments &a, uint32_t stage)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        a.control->stamps[stage] = global_timer();
}

#endif
