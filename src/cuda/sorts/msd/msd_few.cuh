/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists whose blocks hold all keys in registers, and that have few different ones: keys are counted
 * by their ranks, and the counts are all that is needed to write the result. A key that the sample
 * missed ends it, and nothing has been written.
 */
#ifndef CONSORT_MSD_FEW_CUH
#define CONSORT_MSD_FEW_CUH

#include "cuda/device/few_codes.cuh"
#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_skew.cuh"

static_assert((unsigned)MSD_FEW == (unsigned)FEW_CODES, "the host reserves memory for all");

template <typename K, unsigned Threads> struct msd_few_storage {
    few_codes<K, Threads> few;
    uint32_t counts[FEW_CODES];
    uint32_t ends[FEW_CODES]; /* of the keys of each rank, in the list */
};

/* All blocks sample the same keys, a thread one, and find the same. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ K msd_few_sample(const msd_arguments &a)
{
    const uint64_t at = msd_sample_place(a.count, a.seed, threadIdx.x, Threads, 1);
    return ((const K *)a.in)[min(at, a.count - 1)];
}

template <typename K, unsigned Threads>
static __device__ __forceinline__ bool msd_keys_are_few(const msd_arguments &a, K sampled,
                                                        msd_few_storage<K, Threads> &s)
{
    const codes<K> codec(a.codec);
    return s.few.find(codec.encode(sampled)) > 0;
}

/* False if some key is another than the few. */
template <typename K, unsigned Threads, typename Tile>
static __device__ __forceinline__ bool msd_count_few(const Tile &tile,
                                                     msd_few_storage<K, Threads> &s)
{
    if (threadIdx.x < FEW_CODES)
        s.counts[threadIdx.x] = 0;
    __syncthreads();
    bool all = true;
#pragma unroll
    for (unsigned i = 0; i < Tile::keys / Threads; i++) {
        const bool real = i * Threads + threadIdx.x < tile.filled;
        const K code = real ? tile.code[i] : s.few.codes[0];
        const uint32_t rank = few_code_rank(s.few.codes, code);
        all &= s.few.codes[rank] == code;
        few_codes_count(s.counts, rank, real);
    }
    return __syncthreads_and(all) != 0;
}

/* By all blocks, behind msd_keys_are_few(): whether the list is sorted then. `first`: the place of
 * the tile's first key. */
template <typename K, unsigned Threads, typename Tile>
static __device__ __forceinline__ bool msd_sort_few(const msd_arguments &a, const Tile &tile,
                                                    uint32_t first, msd_few_storage<K, Threads> &s)
{
    const bool all = msd_count_few<K, Threads>(tile, s);
    if (!all && threadIdx.x == 0)
        store_relaxed(&a.control->few_strays, 1u);
    if (threadIdx.x < FEW_CODES && s.counts[threadIdx.x])
        atomicAdd(&a.control->few_keys[threadIdx.x], s.counts[threadIdx.x]);
    grid_barrier(&a.control->arrivals);
    if (load_relaxed(&a.control->few_strays))
        return false;
    if (threadIdx.x < 32)
        s.ends[threadIdx.x] = warp_inclusive_sum(load_relaxed(&a.control->few_keys[threadIdx.x]));
    __syncthreads();
    const codes<K> codec(a.codec);
    for (uint32_t j = threadIdx.x; j < tile.filled; j += Threads)
        ((K *)a.out)[first + j] = codec.decode(s.few.codes[few_code_rank(s.ends, first + j + 1)]);
    return true;
}

#endif
