/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the sizes of slices to their places, and from slices to buckets: a bucket takes slices, in
 * order, as long as it stays within M items. What the paper does one slice after the other is done
 * for a tile of slices at a time: every slice looks up where the bucket that it begins would end,
 * and only the walk from bucket to bucket is serial. A bucket ends at the end of its tile.
 */
#ifndef CONSORT_BUCKET_MERGE_CUH
#define CONSORT_BUCKET_MERGE_CUH

#include "cuda/sorts/bucket/bucket_batch.cuh"
#include "cuda/sorts/bucket/bucket_places.cuh"

struct bucket_merge_storage {
    uint64_t before[BUCKET_SLICE_TILE + 1]; /* items in lower slices of the tile */
    uint64_t warp_sums[BUCKET_THREADS / 32];
    uint32_t next[BUCKET_SLICE_TILE];
    uint32_t starts[BUCKET_SLICE_TILE / 32];
};

/* Items of each tile of slices. */
static __device__ __forceinline__ void bucket_sum_slices(const bucket_arguments &a,
                                                         uint64_t *warp_sums)
{
    const uint32_t batch = a.control->batch;
    const uint32_t tiles = batch ? a.first_slice_tile[batch] : 0;
    for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        uint64_t sum;
        block_exclusive_sum<BUCKET_THREADS / 32>(
            bucket_slice_place(a, (uint64_t)tile * BUCKET_SLICE_TILE + threadIdx.x), warp_sums,
            &sum);
        if (threadIdx.x == 0)
            a.slice_tiles[tile] = sum;
    }
}

/* One block: the items of all tiles before each. */
static __device__ __forceinline__ void bucket_scan_tiles(const bucket_arguments &a,
                                                         uint64_t *warp_sums)
{
    const uint32_t batch = a.control->batch;
    const uint64_t tiles = batch ? a.first_slice_tile[batch] : 0;
    const uint32_t first = (uint32_t)(tiles * threadIdx.x / BUCKET_THREADS);
    const uint32_t end = (uint32_t)(tiles * (threadIdx.x + 1) / BUCKET_THREADS);
    uint64_t sum = 0, total;
#pragma unroll 8
    for (uint32_t tile = first; tile < end; tile++)
        sum += a.slice_tiles[tile];
    uint64_t before = block_exclusive_sum<BUCKET_THREADS / 32>(sum, warp_sums, &total);
#pragma unroll 8
    for (uint32_t tile = first; tile < end; tile++) {
        const uint64_t own = a.slice_tiles[tile];
        a.slice_tiles[tile] = before;
        before += own;
    }
}

/* The first slice that a bucket beginning with `slice` does not take: at least it takes one. */
static __device__ __forceinline__ uint32_t bucket_end(const bucket_merge_storage &s, uint32_t slice,
                                                      uint32_t most)
{
    uint32_t low = slice + 1, high = BUCKET_SLICE_TILE;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (s.before[middle] - s.before[slice] <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Leaves the bits of the slices with which buckets begin. */
static __device__ __forceinline__ void bucket_walk(bucket_merge_storage &s)
{
    if (threadIdx.x < BUCKET_SLICE_TILE / 32)
        s.starts[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        for (uint32_t slice = 0; slice < BUCKET_SLICE_TILE; slice = s.next[slice])
            s.starts[slice / 32] |= 1u << slice % 32;
    __syncthreads();
}

/* Writes where the tile's slices begin, and files its buckets. */
static __device__ __forceinline__ void bucket_merge_tile(const bucket_arguments &a, uint32_t batch,
                                                         uint32_t tile, bucket_merge_storage &s)
{
    const uint32_t owner = tile_owner(a.first_slice_tile, batch, tile), slice = threadIdx.x;
    const bucket_part part = a.divisions[owner].part;
    const uint64_t begin =
        part.begin + a.slice_tiles[tile] - a.slice_tiles[a.first_slice_tile[owner]];
    const uint64_t place = (uint64_t)tile * BUCKET_SLICE_TILE + slice;
    uint64_t total;
    const uint64_t before =
        block_exclusive_sum<BUCKET_THREADS / 32>(bucket_slice_place(a, place), s.warp_sums, &total);
    bucket_set_slice_place(a, place, begin + before);
    s.before[slice] = before;
    if (slice == 0)
        s.before[BUCKET_SLICE_TILE] = total;
    __syncthreads();
    s.next[slice] = bucket_end(s, slice, a.most);
    bucket_walk(s);
    const uint64_t count = s.before[s.next[slice]] - before;
    if ((s.starts[slice / 32] >> slice % 32 & 1) != 0 && count > 0)
        bucket_file(a, {begin + before, count, 1 - part.buffer, part.level + 1});
    __syncthreads();
}

static __device__ __forceinline__ void bucket_merge_slices(const bucket_arguments &a,
                                                           bucket_merge_storage &s)
{
    const uint32_t batch = a.control->batch;
    const uint32_t tiles = batch ? a.first_slice_tile[batch] : 0;
    for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x)
        bucket_merge_tile(a, batch, tile, s);
}

#endif
