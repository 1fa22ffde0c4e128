/* SPDX-License-Identifier: Apache-2.0 */
/* The first stages: the range of each part of the batch, how it is divided, and its disorder. */
#ifndef CONSORT_BUCKET_RANGE_CUH
#define CONSORT_BUCKET_RANGE_CUH

#include "cuda/device/disorder.cuh"
#include "cuda/sorts/bucket/bucket_batch.cuh"
#include "cuda/sorts/bucket/bucket_map.cuh"
#include "cuda/sorts/bucket/bucket_places.cuh"

template <typename K, typename I> struct bucket_extremes {
    code_range<K> codes, finite; /* of all codes, and of those of finite values */
    code_range<typename bucket_index<I>::type> indices;

    __device__ __forceinline__ void clear()
    {
        codes.clear();
        finite.clear();
        indices.clear();
    }

    __device__ __forceinline__ void add(const bucket_extremes &other)
    {
        codes.add(other.codes);
        finite.add(other.finite);
        indices.add(other.indices);
    }
};

template <typename K, typename I> struct bucket_range_storage {
    bucket_extremes<K, I> warps[BUCKET_THREADS / 32];
};

/* All threads get the extremes of the block. Holds two barriers. */
template <typename K, typename I>
static __device__ __forceinline__ void bucket_join(bucket_extremes<K, I> *e,
                                                   bucket_range_storage<K, I> &s)
{
    e->codes.join_warp();
    e->finite.join_warp();
    e->indices.join_warp();
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        s.warps[threadIdx.x / 32] = *e;
    __syncthreads();
    for (unsigned warp = 0; warp < BUCKET_THREADS / 32; warp++)
        e->add(s.warps[warp]);
}

template <typename K, typename I>
static __device__ __forceinline__ void
bucket_tile_extremes(const bucket_arguments &a, const bucket_part &part, uint64_t offset,
                     bucket_extremes<K, I> *e)
{
    const items &from = a.arrays[part.buffer];
    const uint64_t first = part.begin + offset;
    const uint32_t count = (uint32_t)min(part.count - offset, (uint64_t)BUCKET_TILE);
    K code[BUCKET_EACH];
#pragma unroll
    for (unsigned i = 0; i < BUCKET_EACH; i++) {
        const uint32_t at = min(i * BUCKET_THREADS + threadIdx.x, count - 1);
        code[i] = ((const K *)from.codes)[first + at];
        e->indices.add(bucket_index<I>::load(from, first + at));
    }
#pragma unroll
    for (unsigned i = 0; i < BUCKET_EACH; i++) {
        e->codes.add(code[i]);
        if (a.values.bits && bucket_is_finite(a.values, bucket_field(a.values, code[i])))
            e->finite.add(code[i]);
    }
}

/* Clears the batch's slices, too. Blocks take neighbouring tiles, so that each has few parts. */
template <typename K, typename I>
static __device__ __forceinline__ void bucket_find_ranges(const bucket_arguments &a,
                                                          bucket_range_storage<K, I> &s)
{
    const uint32_t batch = a.control->batch;
    if (batch == 0)
        return;
    const uint64_t tiles = a.first_tile[batch];
    const uint32_t end = (uint32_t)(tiles * (blockIdx.x + 1) / gridDim.x);
    for (uint32_t tile = (uint32_t)(tiles * blockIdx.x / gridDim.x); tile < end;) {
        const uint32_t owner = tile_owner(a.first_tile, batch, tile);
        const bucket_part part = a.divisions[owner].part;
        const uint32_t first = tile, last = min(a.first_tile[owner + 1], end);
        bucket_extremes<K, I> e;
        e.clear();
        for (; tile < last; tile++)
            bucket_tile_extremes(a, part, (uint64_t)(tile - a.first_tile[owner]) * BUCKET_TILE, &e);
        bucket_join(&e, s);
        if (threadIdx.x == 0)
            ((bucket_extremes<K, I> *)a.extremes)[first] = e;
    }
    for (uint32_t tile = blockIdx.x; tile < a.first_slice_tile[batch]; tile += gridDim.x)
        bucket_set_slice_place(a, (uint64_t)tile * BUCKET_SLICE_TILE + threadIdx.x, 0);
}

/* The extremes of part `i`, from those of the blocks that had a share of it. */
template <typename K, typename I>
static __device__ __forceinline__ bucket_extremes<K, I>
bucket_part_extremes(const bucket_arguments &a, uint32_t i, bucket_range_storage<K, I> &s)
{
    const uint32_t blocks = a.range_blocks ? a.range_blocks : gridDim.x;
    const uint64_t tiles = a.first_tile[a.control->batch];
    bucket_extremes<K, I> e;
    e.clear();
    for (uint32_t block = threadIdx.x; block < blocks; block += BUCKET_THREADS) {
        const uint32_t begin = (uint32_t)(tiles * block / blocks);
        const uint32_t end = (uint32_t)(tiles * (block + 1) / blocks);
        const uint32_t first = max(begin, a.first_tile[i]);
        if (first < min(end, a.first_tile[i + 1]))
            e.add(((const bucket_extremes<K, I> *)a.extremes)[first]);
    }
    bucket_join(&e, s);
    return e;
}

/* How a part whose codes differ is divided. */
template <typename K, typename I>
static __device__ __forceinline__ void
bucket_plan_codes(const bucket_arguments &a, bucket_division *d, const bucket_extremes<K, I> &e)
{
    const uint32_t wanted = bucket_wanted_slices(a, d->part.count);
    const bucket_values &v = a.values;
    d->map.mode = BUCKET_BY_CODE;
    if (v.bits && d->part.level < BUCKET_VALUE_LEVELS && e.finite.low <= e.finite.high &&
        bucket_map_by_value(&d->map, bucket_value(v, bucket_field(v, e.finite.low)),
                            bucket_value(v, bucket_field(v, e.finite.high)), wanted)) {
        d->map.mode = BUCKET_BY_VALUE;
        return;
    }
    if (v.bits)
        atomicAdd(&a.control->by_code, 1u);
    bucket_map_linearly(&d->map, e.codes.low, e.codes.high, wanted);
    d->map.range = (double)(uint32_t)((e.codes.high - e.codes.low) >> d->map.shift);
}

/* Items of one code are in order if they have no index, or have not moved yet. */
template <typename K, typename I>
static __device__ __forceinline__ void
bucket_plan_flat(const bucket_arguments &a, bucket_division *d, const bucket_extremes<K, I> &e)
{
    if (d->part.level == 0 || e.indices.low == e.indices.high) {
        d->map.mode = d->part.buffer ? BUCKET_COPIED : BUCKET_RESTS;
        return;
    }
    bucket_map_linearly(&d->map, e.indices.low, e.indices.high,
                        bucket_wanted_slices(a, d->part.count));
    d->map.mode = BUCKET_BY_INDEX;
}

/* One block for one part of the batch. */
template <typename K, typename I>
static __device__ __forceinline__ void bucket_plan(const bucket_arguments &a,
                                                   bucket_range_storage<K, I> &s)
{
    const uint32_t batch = a.control->batch;
    for (uint32_t i = blockIdx.x; i < batch; i += gridDim.x) {
        const bucket_extremes<K, I> e = bucket_part_extremes(a, i, s);
        if (threadIdx.x != 0)
            continue;
        bucket_division d = {a.divisions[i].part, {}}; /* a way to divide sets what it needs */
        if (e.codes.low == e.codes.high)
            bucket_plan_flat(a, &d, e);
        else
            bucket_plan_codes(a, &d, e);
        a.divisions[i].map = d.map;
        atomicMax(&a.control->levels, d.part.level + 1);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        a.control->queue_head += batch;
}

/* Where a code lies, in the measure of the map's range; not a number if its value is not finite. */
template <typename K>
static __device__ __forceinline__ double bucket_position(const bucket_values &v,
                                                         const bucket_map &map, K code)
{
    if (map.mode != BUCKET_BY_VALUE)
        return (double)(uint32_t)((K)(code - code_from_words<K>(map.low)) >> map.shift);
    const uint64_t field = bucket_field(v, code);
    return bucket_is_finite(v, field) ? 0.5 * bucket_value(v, field) : __longlong_as_double(-1);
}

/* Σ |a[i] − a[i − 1]| over a tile of the list; a lane has its left neighbour from the one before.
 */
template <typename K>
static __device__ __forceinline__ double bucket_tile_disorder(const bucket_arguments &a,
                                                              const bucket_map &map, uint64_t first)
{
    const K *codes = (const K *)a.arrays[0].codes;
    const uint64_t last = a.count - 1;
    K code[BUCKET_EACH], left[BUCKET_EACH];
#pragma unroll
    for (unsigned i = 0; i < BUCKET_EACH; i++) {
        const uint64_t at = first + i * BUCKET_THREADS + threadIdx.x;
        code[i] = codes[at < last ? at : last];
        left[i] = threadIdx.x % 32 == 0 && at > 0 && at <= last ? codes[at - 1] : code[i];
    }
    return disorder_sum(code, left, [&](K key) { return bucket_position(a.values, map, key); });
}

/* Over the whole list; a sum that overflows is infinite: disorderly. */
template <typename K>
static __device__ __forceinline__ void bucket_measure(const bucket_arguments &a, double *warp_sums)
{
    if (a.control->batch == 0)
        return;
    const bucket_map map = a.divisions[0].map;
    if (map.mode <= BUCKET_COPIED)
        return;
    double sum = 0.0;
    for (uint64_t first = (uint64_t)blockIdx.x * BUCKET_TILE; first < a.count;
         first += (uint64_t)gridDim.x * BUCKET_TILE)
        sum += bucket_tile_disorder<K>(a, map, first);
    sum = warp_inclusive_sum(sum);
    if (threadIdx.x % 32 == 31)
        warp_sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    sum = 0.0;
    for (unsigned warp = 0; warp < BUCKET_THREADS / 32; warp++)
        sum += warp_sums[warp];
    atomicAdd(&a.control->disorder, sum);
}

#endif
