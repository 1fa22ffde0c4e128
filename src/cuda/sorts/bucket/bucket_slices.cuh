/* SPDX-License-Identifier: Apache-2.0 */
/* Items find their slices, and with the slices' places known move there. */
#ifndef CONSORT_BUCKET_SLICES_CUH
#define CONSORT_BUCKET_SLICES_CUH

#include "cuda/sorts/bucket/bucket_batch.cuh"
#include "cuda/sorts/bucket/bucket_crowd.cuh"
#include "cuda/sorts/bucket/bucket_map.cuh"

/* Of the list, told or measured. The map's range stands when the disorder does. */
static __device__ __forceinline__ bool bucket_is_nearly_sorted(const bucket_arguments &a)
{
    if (a.hint != BUCKET_HINT_NONE)
        return a.hint == BUCKET_HINT_NEARLY_SORTED;
    return a.control->disorder < a.threshold * a.divisions[0].map.range;
}

/*
 * Counts the items of each slice; an item keeps the count that it found. Neighbours in a nearly
 * sorted list belong to one slice, so that threads far apart visit them: thread t of block b the
 * item b + t · blocks, instead of b · threads + t.
 */
template <typename K, typename I, typename P>
static __device__ __forceinline__ void bucket_count_tile(const bucket_arguments &a,
                                                         const bucket_tile &tile,
                                                         bool nearly_sorted, bucket_crowd &crowd)
{
    const bucket_division &d = tile.division;
    const K *codes = (const K *)a.arrays[d.part.buffer].codes + d.part.begin;
    P *slices = (P *)a.slices + (uint64_t)tile.first_slice * BUCKET_SLICE_TILE;
    P *offsets = (P *)a.offsets + d.part.begin;
    uint64_t place[BUCKET_EACH];
    K code[BUCKET_EACH];
#pragma unroll
    for (unsigned i = 0; i < BUCKET_EACH; i++) {
        const uint64_t slot = i * BUCKET_THREADS + threadIdx.x;
        place[i] = nearly_sorted ? slot * tile.tiles + tile.number : tile.before() + slot;
        code[i] = place[i] < d.part.count ? codes[place[i]] : (K)0;
    }
    uint32_t slice[BUCKET_EACH];
#pragma unroll
    for (unsigned i = 0; i < BUCKET_EACH; i++)
        slice[i] = place[i] < d.part.count
                       ? bucket_slice<K, I>(a, d, code[i], d.part.begin + place[i])
                       : BUCKET_NO_SLICE;
    P offset[BUCKET_EACH];
    if (bucket_is_crowded(slice[0])) {
        bucket_count_crowd(crowd, slices, slice, offset);
    } else {
#pragma unroll
        for (unsigned i = 0; i < BUCKET_EACH; i++)
            if (slice[i] != BUCKET_NO_SLICE)
                offset[i] = bucket_add(&slices[slice[i]], 1u);
    }
#pragma unroll
    for (unsigned i = 0; i < BUCKET_EACH; i++)
        if (slice[i] != BUCKET_NO_SLICE)
            offsets[place[i]] = offset[i];
}

template <typename K, typename I, typename P>
static __device__ __forceinline__ void bucket_count(const bucket_arguments &a, bool nearly_sorted,
                                                    bucket_crowd &crowd)
{
    const uint32_t batch = a.control->batch;
    const uint32_t tiles = batch ? a.first_tile[batch] : 0;
    for (uint32_t i = blockIdx.x; i < tiles; i += gridDim.x) {
        const bucket_tile tile(a, batch, i);
        if (tile.division.map.mode > BUCKET_COPIED)
            bucket_count_tile<K, I, P>(a, tile, nearly_sorted, crowd);
    }
}

/* The list: the first batch, of which it is the only part. */
template <typename K, typename I>
static __device__ __forceinline__ void bucket_count_list(const bucket_arguments &a,
                                                         bucket_crowd &crowd)
{
    if (a.control->batch == 0)
        return;
    const bool nearly_sorted = bucket_is_nearly_sorted(a);
    if (blockIdx.x == 0 && threadIdx.x == 0 && a.divisions[0].map.mode > BUCKET_COPIED) {
        a.control->nearly_sorted = nearly_sorted;
        a.control->degree = fmin(a.control->disorder / a.divisions[0].map.range, 1e18);
    }
    if (a.wide)
        bucket_count<K, I, uint64_t>(a, nearly_sorted, crowd);
    else
        bucket_count<K, I, uint32_t>(a, nearly_sorted, crowd);
}

/* Where an item of the part goes in the other array. */
template <typename K, typename I, typename P>
static __device__ __forceinline__ uint64_t bucket_target(const bucket_arguments &a,
                                                         const bucket_tile &tile, K code,
                                                         uint64_t at)
{
    if (tile.division.map.mode == BUCKET_COPIED)
        return at;
    const uint64_t slice = (uint64_t)tile.first_slice * BUCKET_SLICE_TILE +
                           bucket_slice<K, I>(a, tile.division, code, at);
    return (uint64_t)((const P *)a.slices)[slice] + ((const P *)a.offsets)[at];
}

template <typename K, typename I, typename P>
static __device__ __forceinline__ void bucket_move_tile(const bucket_arguments &a,
                                                        const bucket_tile &tile)
{
    const bucket_part &part = tile.division.part;
    const items &source = a.arrays[part.buffer], &target = a.arrays[1 - part.buffer];
    const item_array<K, I> from{(K *)source.codes, (I *)source.indices};
    const item_array<K, I> to{(K *)target.codes, (I *)target.indices};
    const uint64_t first = part.begin + tile.before();
    const uint32_t count = tile.count();
    item<K, I> moved[BUCKET_EACH];
    uint64_t target_of[BUCKET_EACH];
#pragma unroll
    for (unsigned i = 0; i < BUCKET_EACH; i++) {
        const uint32_t at = i * BUCKET_THREADS + threadIdx.x;
        if (at < count)
            moved[i] = from.load(first + at);
    }
#pragma unroll
    for (unsigned i = 0; i < BUCKET_EACH; i++) {
        const uint32_t at = i * BUCKET_THREADS + threadIdx.x;
        if (at < count)
            target_of[i] = bucket_target<K, I, P>(a, tile, moved[i].code, first + at);
    }
#pragma unroll
    for (unsigned i = 0; i < BUCKET_EACH; i++) {
        const uint32_t at = i * BUCKET_THREADS + threadIdx.x;
        if (at < count)
            to.store(target_of[i], moved[i]);
    }
}

template <typename K, typename I, typename P>
static __device__ __forceinline__ void bucket_move(const bucket_arguments &a)
{
    const uint32_t batch = a.control->batch;
    const uint32_t tiles = batch ? a.first_tile[batch] : 0;
    for (uint32_t i = blockIdx.x; i < tiles; i += gridDim.x) {
        const bucket_tile tile(a, batch, i);
        if (tile.division.map.mode != BUCKET_RESTS)
            bucket_move_tile<K, I, P>(a, tile);
    }
}

#endif
