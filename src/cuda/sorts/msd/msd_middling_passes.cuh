/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys that crowd, of lists whose blocks hold all keys in registers: these count the digits and do
 * the first of the passes, too, whose order is free, without reading keys again. That keys are
 * uneven, as most that crowd are, a few of them tell all blocks: digits are counted while one block
 * looks whether keys do crowd.
 */
#ifndef CONSORT_MSD_MIDDLING_PASSES_CUH
#define CONSORT_MSD_MIDDLING_PASSES_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_skew_passes.cuh"
#include "cuda/sorts/msd/msd_tile.cuh"

/* By all threads of a block, when all digits are counted, a bit for each: whether all keys agree in
 * it. Counts have the place of cells, which nobody counts then. */
template <typename K>
static __device__ __forceinline__ uint32_t msd_agreed_digits(const msd_arguments &a)
{
    static_assert(sizeof(K) * LSD_BINS == MSD_MIDDLING_THREADS &&
                      (int)MSD_MIDDLING_THREADS == (int)MSD_MIDDLING_CELLS,
                  "a thread for each count");
    const uint32_t own = threadIdx.x / LSD_BINS;
    const bool all = load_relaxed(&a.control->cell_keys[threadIdx.x]) == (uint32_t)a.count;
    uint32_t agreed = 0;
#pragma unroll
    for (uint32_t pass = 0; pass < sizeof(K); pass++)
        agreed |= __syncthreads_or(all && own == pass) ? 1u << pass : 0;
    return agreed;
}

/* By the block without keys: plans passes by counts that others still look at. */
template <typename K>
static __device__ __forceinline__ void
msd_plan_passes_apart(const lsd_arguments &a, msd_control *control, lsd_digit_counters<K> &s)
{
    a.control->bins[threadIdx.x / LSD_BINS][threadIdx.x % LSD_BINS] =
        load_relaxed(&control->cell_keys[threadIdx.x]);
    __syncthreads();
    msd_plan_passes<K>(a, 0, control, s);
}

/* By all blocks but that without keys, of codes: counts all digits. Returns where in each value of
 * the first pass's digit those of the block begin. */
template <typename K, typename Tile>
static __device__ __forceinline__ uint32_t msd_count_passes(const msd_arguments &a, Tile &tile,
                                                            const msd_linear_digit<K> &digit,
                                                            uint32_t cleared,
                                                            lsd_digit_counters<K> &s)
{
    lsd_clear_digits<K>(s);
    tile.clear_bins();
    __syncthreads();
    const unsigned copy = threadIdx.x % lsd_digit_counters<K>::copies;
    tile.for_each([&s, copy](uint32_t, K code) { s.count(code, copy, 0); });
    tile.count_keys(digit);
    grid_wait(cleared);
    lsd_add_digits<K>(s, a.control->cell_keys);
    __syncthreads();
    return tile.find_places(a.control->pass_cursor);
}

/* By all blocks, when these are counted and tiles in order. The digit is the lowest in which a few
 * keys differ; if all have a lower one, too, nothing is written, and a launch does that pass as in
 * longer lists. */
template <typename K, typename Tile>
static __device__ __forceinline__ void
msd_begin_passes(const msd_arguments &a, const lsd_arguments &passes, Tile &tile,
                 const msd_linear_digit<K> &digit, uint32_t place, lsd_digit_counters<K> &s)
{
    msd_control *control = a.control;
    msd_clear_lookback(passes, a.pass_keys, blockIdx.x, gridDim.x);
    const uint32_t agreed = msd_agreed_digits<K>(a);
    const bool begun = (uint32_t)__ffs((int)~agreed) - 1 == digit.shift / LSD_DIGIT_BITS;
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
