/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Narrowing: histograms of ever lower digits close in on the code of a rank, until few enough codes
 * lie at or below the window's end, or the window is one code. After T. Alabi, J. Blanchard,
 * B. Gordon, R. Steinbach, "Fast k-selection algorithms for graphics processing units", 2012.
 *
 * The counters of a team are in two sets that take turns: while some blocks still read one, others
 * add to the other. They are zero when narrowing begins and are not cleared in between: each block
 * takes off what a set said the last time.
 */
#ifndef CONSORT_TOPK_NARROW_CUH
#define CONSORT_TOPK_NARROW_CUH

#include "cuda/sorts/topk/topk_threshold.cuh"

/* Codes low … low + span are in question; their digit is what `shift` leaves of code − low. */
template <typename K> struct topk_window {
    K low, span;
    uint32_t shift;
    uint64_t below, within;

    __device__ __forceinline__ explicit topk_window(uint64_t count)
        : low(0), span((K) ~(K)0),
          shift(8 * sizeof(K) > TOPK_DIGIT ? 8 * (uint32_t)sizeof(K) - TOPK_DIGIT : 0), below(0),
          within(count)
    {
    }

    __device__ __forceinline__ void close_in(const uint64_t *chosen)
    {
        low = (K)(low + (K)((K)chosen[0] << shift));
        span = (K)((K)((K)1 << shift) - 1);
        shift = shift > TOPK_DIGIT ? shift - TOPK_DIGIT : 0;
        below += chosen[1];
        within = chosen[2];
    }
};

template <typename K> struct topk_histogram {
    const topk_window<K> &window;
    uint32_t *bins;

    __device__ __forceinline__ void key(bool valid, K code, uint64_t)
    {
        const K distance = (K)(code - window.low);
        if (valid && distance <= window.span)
            atomicAdd(&bins[(uint32_t)(distance >> window.shift)], 1u);
    }

    __device__ __forceinline__ void word(const topk_source<K> &source, bool valid, uint4 word,
                                         uint64_t position)
    {
        K codes[key_array<K>::per_word];
        source.codes_of(word, codes);
#pragma unroll
        for (unsigned i = 0; i < key_array<K>::per_word; i++)
            key(valid, codes[i], position + i);
    }
};

/* Before a barrier and narrowing. */
template <typename K, typename I>
static __device__ __forceinline__ void topk_clear_bins(topk_block<K, I> &b)
{
    if (b.team.blocks == 1)
        return;
    for (unsigned i = b.team.rank * TOPK_THREADS + threadIdx.x; i < TOPK_TURNS * TOPK_BINS;
         i += b.team.blocks * TOPK_THREADS)
        b.bins(0)[i] = 0;
}

/* How many codes of the team's keys are in a bin, which always the same thread asks. */
template <typename K, typename I>
static __device__ __forceinline__ I topk_counted(topk_block<K, I> &b, unsigned turn, unsigned bin)
{
    if (b.team.blocks == 1)
        return b.s.narrow.bins[bin];
    const I before = b.s.narrow.seen[turn][bin], now = load_relaxed(&b.bins(turn)[bin]);
    b.s.narrow.seen[turn][bin] = now;
    return now - before;
}

/* Which bin holds the rank: s.chosen. A thread looks at neighbouring bins. */
template <typename K, typename I>
static __device__ __forceinline__ void topk_choose(topk_block<K, I> &b, unsigned turn,
                                                   uint64_t rank)
{
    constexpr unsigned each = TOPK_BINS / TOPK_THREADS;
    I count[each];
    uint64_t sum = 0, total;
#pragma unroll
    for (unsigned i = 0; i < each; i++) {
        count[i] = topk_counted(b, turn, threadIdx.x * each + i);
        sum += count[i];
    }
    uint64_t before = block_exclusive_sum<TOPK_WARPS>(sum, b.s.warp_sums, &total);
#pragma unroll
    for (unsigned i = 0; i < each; i++) {
        if (before < rank && rank <= before + count[i]) {
            b.s.chosen[0] = threadIdx.x * each + i;
            b.s.chosen[1] = before;
            b.s.chosen[2] = count[i];
        }
        before += count[i];
    }
    __syncthreads();
}

/* The code of a rank, or one above it with at most `limit` codes up to it. */
template <typename K, typename I>
static __device__ __forceinline__ topk_threshold<K>
topk_narrow(topk_block<K, I> &b, const topk_source<K> &source, uint64_t rank, uint64_t limit)
{
    constexpr unsigned turns = topk_shared<K, I>::turns;
    topk_window<K> window(source.keys.count);
    I *seen = &b.s.narrow.seen[0][0];
    for (unsigned i = threadIdx.x; i < turns * TOPK_BINS; i += TOPK_THREADS)
        seen[i] = 0;
    for (unsigned turn = 0; window.below + window.within > limit && window.span != 0;
         turn = (turn + 1) % turns) {
        for (unsigned i = threadIdx.x; i < TOPK_BINS; i += TOPK_THREADS)
            b.s.narrow.bins[i] = 0;
        __syncthreads();
        topk_histogram<K> histogram = {window, b.s.narrow.bins};
        b.visit(source, histogram, false);
        __syncthreads();
        for (unsigned i = threadIdx.x; b.team.blocks > 1 && i < TOPK_BINS; i += TOPK_THREADS)
            if (b.s.narrow.bins[i])
                reduce_add_relaxed(&b.bins(turn)[i], (I)b.s.narrow.bins[i]);
        b.team.barrier();
        topk_choose(b, turn, rank - window.below);
        window.close_in(b.s.chosen);
        __syncthreads();
    }
    return {(K)(window.low + window.span), window.below + window.within > limit};
}

#endif
