/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys that crowd: a sample foretells it, and then passes over digits sort them; of short lists
 * of 4-byte keys that blocks hold it is enough that digits are uneven. Those of short lists are
 * here, in their one launch, by tiles of `lsd`. They take the same time for all keys, where buckets
 * would be split again and again. Only longer lists of 4-byte keys of which nearly all share few
 * cells, and many are the same, are better off with buckets.
 */
#ifndef CONSORT_MSD_SKEW_CUH
#define CONSORT_MSD_SKEW_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/device/scattered.cuh"
#include "cuda/sorts/lsd/lsd_finish.cuh"
#include "cuda/sorts/lsd/lsd_histogram.cuh"
#include "cuda/sorts/msd/msd_codes.cuh"
#include "cuda/sorts/msd/msd_tuning.h"
#include "cuda/sorts/msd/msd_values.cuh"

enum {
    MSD_SAMPLE_PARTS = 16, /* that should have as many sampled keys each */
    MSD_ONE_ASKED_IN = 16  /* of a warp's sampled codes, whether another lane has the same */
};

struct msd_skew_storage {
    uint32_t bins[MSD_SAMPLE_BINS], low[MSD_LOW_BINS];
    uint32_t crowded, heavy, biased, alone; /* sampled keys */
    msd_fitted fitted;
};

/* Where the sampled key of this number is: `beside` neighbours, which come in one sector of memory,
 * at some place of each of as many windows as there are such groups. (At equal distances all of a
 * list that repeats itself would look like few keys.) */
static __device__ __forceinline__ uint64_t msd_sample_place(uint64_t count, uint32_t seed,
                                                            uint32_t number, uint32_t samples,
                                                            uint32_t beside)
{
    const uint32_t group = number / beside;
    const uint64_t window = max(count / samples, (uint64_t)1) * beside;
    const uint64_t within = scattered_place(group, seed, window - beside);
    return group * window + within + number % beside;
}

/* Whether the sampled keys of a block, one a thread, seem even, which are counted by parts, or will
 * be behind the barrier that this begins with: of even keys hardly ever are nearly twice as many in
 * a part as should be. */
template <unsigned Threads>
static __device__ __forceinline__ bool msd_parts_are_even(const uint32_t *parts)
{
    constexpr uint32_t most = Threads / MSD_SAMPLE_PARTS * 15 / 8;
    __syncthreads();
    return !__syncthreads_or(threadIdx.x < MSD_SAMPLE_PARTS && parts[threadIdx.x] > most);
}

/* How a sample is judged. */
struct msd_scale {
    uint32_t shift; /* from the distance to the lowest code to a bin */
    uint32_t most;  /* sampled keys of a bin that do not crowd */
    uint32_t heavy; /* sampled keys in heavy bins that are not concentrated */
};

/* Whether one value of the lowest byte, not counting codes that another lane of the warp has, too,
 * has an eighth of all codes: few codes that occur often are soon told apart. Each warp asks about
 * one in so many of its codes, others than the next: to ask about all of 16 takes 27 µs. */
template <typename K, unsigned Threads, unsigned Each, unsigned OneIn>
static __device__ __forceinline__ bool msd_differ_and_are_biased(const K (&code)[Each],
                                                                 uint32_t *low)
{
    __syncthreads();
    if (threadIdx.x < MSD_LOW_BINS)
        low[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < Each; i++) {
        if (i % OneIn != threadIdx.x / 32 % OneIn)
            continue;
        const uint32_t peers = __match_any_sync(0xffffffffu, (unsigned long long)code[i]);
        if ((peers & (peers - 1)) == 0)
            atomicAdd(&low[(uint32_t)code[i] % MSD_LOW_BINS], 1u);
    }
    __syncthreads();
    return __syncthreads_or(threadIdx.x < MSD_LOW_BINS &&
                            low[threadIdx.x] > Threads * Each / OneIn / 8) != 0;
}

/* Whether many codes have no equal in their warp, asked as above: about 13 % of those of few
 * different keys have none, 27 % of the distribution `duplicates`, 50 % where half of all are ±0,
 * 92 % where keys only peel. */
template <typename K, unsigned Threads, unsigned Each>
static __device__ __forceinline__ bool msd_codes_differ(const K (&code)[Each], msd_skew_storage &s)
{
    uint32_t alone = 0;
#pragma unroll
    for (unsigned i = 0; i < Each; i++) {
        if (i % MSD_ONE_ASKED_IN != threadIdx.x / 32 % MSD_ONE_ASKED_IN)
            continue;
        const uint32_t peers = __match_any_sync(0xffffffffu, (unsigned long long)code[i]);
        alone += (uint32_t)__popc(__ballot_sync(0xffffffffu, (peers & (peers - 1)) == 0));
    }
    if (threadIdx.x % 32 == 0)
        atomicAdd(&s.alone, alone);
    __syncthreads();
    return s.alone > Threads * Each / MSD_ONE_ASKED_IN / 5 * 2;
}

/* By a block that sampled `Each` codes a thread. Crowded: an eighth of the keys are in bins with
 * too many; concentrated: most are in bins with a 64th each; biased: one value of the
 * lowest byte has an eighth, so that parts of segments will crowd like the segments. Codes of f64
 * always seem concentrated, by their exponents: of wide keys it counts only whether keys that
 * differ are biased; if there are so few that passes are cheap, whether any bin is as heavy. */
template <typename K, unsigned Threads, unsigned Each>
static __device__ __forceinline__ bool msd_wants_passes(const msd_arguments &a,
                                                        const K (&code)[Each], K base,
                                                        const msd_scale &scale, msd_skew_storage &s)
{
    constexpr uint32_t samples = Threads * Each;
    for (unsigned i = threadIdx.x; i < MSD_SAMPLE_BINS + MSD_LOW_BINS; i += Threads)
        (i < MSD_SAMPLE_BINS ? s.bins[i] : s.low[i - MSD_SAMPLE_BINS]) = 0;
    if (threadIdx.x == 0)
        s.crowded = s.heavy = s.biased = s.alone = 0;
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < Each; i++) {
        atomicAdd(&s.bins[code_window((K)(code[i] - base), scale.shift) % MSD_SAMPLE_BINS], 1u);
        if constexpr (sizeof(K) > MSD_DIFFER_KEY_BYTES) /* of others it is not asked so */
            atomicAdd(&s.low[(uint32_t)code[i] % MSD_LOW_BINS], 1u);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < MSD_SAMPLE_BINS; i += Threads) {
        if (s.bins[i] > scale.most)
            atomicAdd(&s.crowded, s.bins[i]);
        if (s.bins[i] > samples / 64)
            atomicAdd(&s.heavy, s.bins[i]);
        if (sizeof(K) > MSD_DIFFER_KEY_BYTES && i < MSD_LOW_BINS && s.low[i] > samples / 8)
            atomicOr(&s.biased, 1u);
    }
    __syncthreads();
    const bool crowded = s.crowded > samples / 8, concentrated = s.heavy > scale.heavy;
    const bool wanted = crowded && a.passes != MSD_NEVER;
    if constexpr (sizeof(K) > MSD_DIFFER_KEY_BYTES)
        return wanted && s.biased && !concentrated;
    else if (sizeof(K) == MSD_DIFFER_KEY_BYTES && (a.passes == MSD_BIASED || s.heavy == 0))
        return wanted && msd_differ_and_are_biased<K, Threads, Each, MSD_ONE_ASKED_IN>(code, s.low);
    else
        return wanted && (!concentrated || msd_codes_differ<K, Threads, Each>(code, s));
}

template <typename K, unsigned Threads, unsigned Items, unsigned ValueBytes = 0>
union msd_passes_storage {
    lsd_histogram_storage<K> histogram;
    typename lsd_tile<K, ValueBytes, Threads, Items>::storage tile;
};

/* All blocks of a cooperative launch: passes from this step on, and what is left behind them. As
 * all blocks live, the first tile of each has its number: none waits for a tile that nobody works
 * on. A block asks for its next when it is free: asked for before it writes, three passes over 2^24
 * u32 took 255 µs instead of 233, as those that follow wait for a tile not begun. */
template <typename K, unsigned Threads, unsigned Items, unsigned Window, unsigned ValueBytes = 0>
static __device__ __forceinline__ void
msd_run_steps(const lsd_arguments &a, int from, uint32_t *arrivals,
              typename lsd_tile<K, ValueBytes, Threads, Items>::storage &s)
{
    constexpr uint32_t tile_keys = Threads * Items;
    const uint32_t tiles = (uint32_t)((a.count + tile_keys - 1) / tile_keys);
    const lsd_portion all(a, 0, 1);
    for (uint32_t pass = 0; pass < sizeof(K); pass++) {
        const lsd_route route = lsd_route_of(a, pass);
        if (route.step < from)
            continue;
        uint32_t tile = blockIdx.x;
        while (tile < tiles) {
            lsd_sort_tile<K, ValueBytes, Threads, Items, lsd_words<Window>>(a, pass, route, all,
                                                                            tile, s);
            __syncthreads();
            tile = tiles <= gridDim.x ? tiles : gridDim.x + lsd_next_tile(a, pass, all, &s.tile);
        }
        grid_barrier(arrivals);
    }
    lsd_finish(a, sizeof(K), ValueBytes);
}

/* All blocks of a cooperative launch. */
template <typename K, unsigned Threads, unsigned Items, unsigned ValueBytes = 0>
static __device__ __forceinline__ void
msd_run_passes(const lsd_arguments &a, uint32_t *arrivals,
               msd_passes_storage<K, Threads, Items, ValueBytes> &s)
{
    constexpr uint32_t tile_keys = Threads * Items;
    const uint32_t tiles = (uint32_t)((a.count + tile_keys - 1) / tile_keys);
    for (uint32_t i = blockIdx.x * Threads + threadIdx.x; i < tiles * LSD_BINS;
         i += gridDim.x * Threads)
        a.lookback[i] = 0;
    lsd_histogram<K>(a, s.histogram);
    grid_barrier(arrivals);
    msd_run_steps<K, Threads, Items, LSD_SHORT_WINDOW, ValueBytes>(a, 0, arrivals, s.tile);
}

#endif
