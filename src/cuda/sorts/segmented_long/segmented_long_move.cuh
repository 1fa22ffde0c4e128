/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large segments of keys alone, last third of a level: each unit's keys go to their digits' places
 * in the other buffer, tile after tile, in no order within a digit: ranks are what atomic counters
 * return (msd_tile.cuh). A block knows its places from the scan, so that nothing is waited for.
 */
#ifndef CONSORT_SEGMENTED_LONG_MOVE_CUH
#define CONSORT_SEGMENTED_LONG_MOVE_CUH

#include "cuda/sorts/msd/msd_tile.cuh"
#include "cuda/sorts/segmented/segmented_moved.cuh"

/* The digit of a level, less the bits in which a bucket's parts are not told apart. */
template <typename K> struct segmented_long_digit {
    uint32_t shift, mask;

    __device__ __forceinline__ uint32_t operator()(K code) const
    {
        return code_window(code, shift) & mask;
    }
};

/* A unit's tiles, one after the other; `raw`: keys are no codes yet; `next` is where this thread's
 * digit goes. */
template <typename K, typename Tile>
static __device__ __forceinline__ void
segmented_long_move_unit(Tile &tile, const segmented_unit &u, const K *from, K *to,
                         const msd_codec<K> &codec, bool raw, const segmented_long_digit<K> &digit,
                         uint64_t &next)
{
    const auto take = [&](uint32_t, uint32_t count) {
        const uint64_t place = next;
        next += count;
        return place;
    };
    uint32_t left = u.length;
    tile.load(from, min(left, (uint32_t)Tile::keys));
    for (;;) {
        const uint32_t filled = tile.filled;
        tile.clear_bins();
        __syncthreads();
        if (raw)
            tile.encode(codec);
        tile.count_keys(digit);
        __syncthreads();
        const uint64_t place = tile.find_places_by(take);
        __syncthreads();
        tile.put_in_order(digit);
        tile.note_base(place);
        from += filled;
        left -= filled;
        if (left > 0)
            tile.load(from, min(left, (uint32_t)Tile::keys));
        __syncthreads();
        tile.write_runs(digit, to, filled);
        __syncthreads();
        if (left == 0)
            return;
    }
}

template <typename K, unsigned Items>
static __device__ __forceinline__ void
segmented_long_move(const segmented_arguments &a, uint32_t level,
                    typename msd_tile<K, SEGMENTED_TILE_THREADS, Items, uint64_t>::storage &s)
{
    using tile_type = msd_tile<K, SEGMENTED_TILE_THREADS, Items, uint64_t>;
    if (segmented_idle(a, segmented_unit_count(a, level)))
        return;
    const uint32_t shift = SEGMENTED_DIGIT_BITS * (a.levels - 1 - level);
    const msd_codec<K> codec(a.codec);
    tile_type tile(s);
    for (uint32_t unit = blockIdx.x; unit < segmented_unit_count(a, level); unit += gridDim.x) {
        const segmented_unit u = segmented_unit_of(a, level, unit);
        const segmented_bucket &bucket = u.bucket;
        if (bucket.settled)
            continue;
        const uint32_t coarse = bucket.coarse;
        const segmented_long_digit<K> digit = {shift + coarse, (SEGMENTED_BINS - 1u) >> coarse};
        const uint32_t own = threadIdx.x / tile_type::threads_of_digit << coarse;
        const segmented_bins bins = segmented_bins_of(a, bucket, u.number);
        uint64_t next = bucket.start + bins.get(min(own, SEGMENTED_BINS - 1u));
        segmented_long_move_unit(tile, u, (const K *)a.keys[bucket.buffer] + u.start,
                                 (K *)a.keys[segmented_other(bucket.buffer)], codec,
                                 bucket.buffer == 0, digit, next);
        if (threadIdx.x % tile_type::threads_of_digit == 0 && own < SEGMENTED_BINS)
            segmented_note_ends(a, level, bucket, own, 1u << coarse, next);
    }
}

#endif
