/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys that crowd, of lists whose blocks hold all keys in registers: these count the digits and do
 * the first of the passes, too, whose order is free, without reading keys again.
 */
#ifndef CONSORT_MSD_MIDDLING_PASSES_CUH
#define CONSORT_MSD_MIDDLING_PASSES_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_skew_passes.cuh"
#include "cuda/sorts/msd/msd_tile.cuh"

/* By all threads of a block, when all digits are counted, a bit for each: whether all keys agree in
 * it. */
template <typename K>
static __device__ __forceinline__ uint32_t msd_agreed_digits(const lsd_arguments &a)
{
    static_assert(sizeof(K) * LSD_BINS == MSD_MIDDLING_THREADS, "a thread for each count");
    const uint32_t own = threadIdx.x / LSD_BINS;
    const bool all =
        load_relaxed(&a.control->bins[own][MSD_COUNTS_APART][threadIdx.x % LSD_BINS]) == a.count;
    uint32_t agreed = 0;
#pragma unroll
    for (uint32_t pass = 0; pass < sizeof(K); pass++)
        agreed |= __syncthreads_or(all && own == pass) ? 1u << pass : 0;
    return agreed;
}

/* By the block without keys: plans passes by counts that others still look at. */
template <typename K>
static __device__ __forceinline__ void
msd_plan_passes_apart(const lsd_arguments &a, msd_control *control, msd_digits_storage<K> &s)
{
    uint64_t *counts = &a.control->bins[threadIdx.x / LSD_BINS][0][threadIdx.x % LSD_BINS];
    *counts = load_relaxed(counts + MSD_COUNTS_APART * LSD_BINS);
    __syncthreads();
    msd_plan_passes<K>(a, control, s);
}

/* By all blocks. The lowest digit in which sampled keys differ is taken to be that of the first
 * pass, so that keys are in order when all are counted; if a lower one differs, too, nothing is
 * written, and a launch does that pass as in longer lists. */
template <typename K, typename Tile>
static __device__ __forceinline__ void msd_begin_passes(const msd_arguments &a,
                                                        const lsd_arguments &passes, Tile &tile,
                                                        msd_digits_storage<K> &s)
{
    msd_control *control = a.control;
    const uint32_t varying = (uint32_t)code_from_words<K>(control->varying);
    const uint32_t pass = (uint32_t)(__ffs((int)varying) - 1) / LSD_DIGIT_BITS;
    const msd_linear_digit<K> digit = {0, LSD_DIGIT_BITS * pass, LSD_BINS - 1};
    msd_clear_digits<K>(passes, a.pass_keys, s);
    const unsigned copy = threadIdx.x % msd_digits_storage<K>::copies;
    tile.for_each([&s, copy](uint32_t, K code) { s.count(code, copy); });
    __syncthreads();
    msd_add_up_digits<K, MSD_COUNTS_APART>(passes, s);
    __syncthreads();
    uint32_t place = 0;
    if (blockIdx.x > 0) {
        tile.clear_bins();
        __syncthreads();
        tile.count_keys(digit);
        __syncthreads();
        place = tile.find_places(control->pass_cursor);
    }
    const uint32_t counted = grid_arrive(&control->arrivals);
    tile.put_in_order(digit);
    grid_wait(&control->arrivals, counted);
    const uint32_t agreed = msd_agreed_digits<K>(passes);
    const bool begun = __ffs((int)~agreed) - 1 == (int)pass;
    if (blockIdx.x == 0) {
        if (begun && threadIdx.x == 0)
            control->begun = 1;
        return msd_plan_passes_apart<K>(passes, control, s);
    }
    if (!begun)
        return;
    const uint32_t keys =
        threadIdx.x < LSD_BINS ? load_relaxed(&control->pass_cursor[threadIdx.x]) : 0;
    place += block_exclusive_sum_256(keys, tile.s.bins); /* which have done their work */
    const int steps = (int)sizeof(K) - __popc(agreed);
    tile.note_base(place);
    __syncthreads();
    tile.write_runs(digit, (K *)lsd_route_among(passes, steps, 0, 0, 0).keys_out, tile.filled);
}

#endif
