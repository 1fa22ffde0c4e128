/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guessing a threshold from a sample: the code of such a rank in the sample that, but for odd data,
 * at least the wanted and not many more of the row's codes are at or below it. Odd data costs more
 * reads, nothing else. The rank is set in topk_sizes.c.
 */
#ifndef CONSORT_TOPK_GUESS_CUH
#define CONSORT_TOPK_GUESS_CUH

#include "cuda/device/bitonic.cuh"
#include "cuda/sorts/topk/topk_threshold.cuh"

/* One key of each stride, not always the same one: regular data must not fool it. */
static __device__ __forceinline__ uint64_t topk_sample_place(const topk_arguments &a, uint64_t i)
{
    const uint64_t stride = a.length / a.samples;
    const uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u;
    return i * stride + (mixed >> 32) % stride;
}

/* So many codes of the sample may be at or below the threshold before it counts as a crowd. */
static __device__ __forceinline__ uint64_t topk_sample_limit(const topk_arguments &a)
{
    return a.sample_rank + a.sample_rank / 8 + 1;
}

static __device__ __forceinline__ uint32_t topk_power_of_two(uint64_t count)
{
    uint32_t power = 2;
    while (power < count)
        power *= 2;
    return power;
}

/* A small sample is sorted by each block for itself: no block waits for another. */
template <typename K, typename I>
static __device__ __forceinline__ topk_threshold<K> topk_guess_alone(topk_block<K, I> &b,
                                                                     const topk_source<K> &source)
{
    const uint32_t size = topk_power_of_two(b.a.samples);
    for (uint32_t i = threadIdx.x; i < size; i += TOPK_THREADS) {
        const bool real = i < b.a.samples;
        b.s.sort.codes[i] = real ? source.code(topk_sample_place(b.a, i)) : (K) ~(K)0;
        b.s.sort.positions[i] = (I)i;
    }
    __syncthreads();
    bitonic_sort(b.s.sort.codes, b.s.sort.positions, size, threadIdx.x, TOPK_THREADS);
    __syncthreads();
    const uint64_t limit = topk_sample_limit(b.a);
    topk_threshold<K> threshold;
    threshold.code = b.s.sort.codes[b.a.sample_rank - 1];
    threshold.crowded = limit < b.a.samples && b.s.sort.codes[limit] == threshold.code;
    __syncthreads();
    return threshold;
}

/* Writes a large sample for the team, which sees it behind the next barrier. */
template <typename K, typename I>
static __device__ __forceinline__ void topk_take_sample(topk_block<K, I> &b,
                                                        const topk_source<K> &source)
{
    const uint64_t end = b.team.share(b.a.samples, b.team.rank + 1);
    for (uint64_t i = b.team.share(b.a.samples, b.team.rank) + threadIdx.x; i < end;
         i += TOPK_THREADS)
        b.sampled()[i] = source.code(topk_sample_place(b.a, i));
}

#endif
