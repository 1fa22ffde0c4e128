/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selecting from one row: guess a threshold, collect what is not above it, and if that was too much
 * or too little find a sure one and collect again; then put the candidates in order and write the
 * first of them. A row that is hardly longer than what is wanted is sorted whole.
 */
#ifndef CONSORT_TOPK_ROW_CUH
#define CONSORT_TOPK_ROW_CUH

#include "cuda/sorts/topk/topk_collect.cuh"
#include "cuda/sorts/topk/topk_guess.cuh"
#include "cuda/sorts/topk/topk_narrow.cuh"
#include "cuda/sorts/topk/topk_order.cuh"

/* Writes item `j` of a row's result. Byte strings need no alignment. */
template <typename K>
static __device__ __forceinline__ void topk_emit(const topk_arguments &a,
                                                 const topk_source<K> &source, uint64_t row,
                                                 uint64_t j, K code, uint64_t position)
{
    const uint64_t at = row * a.kept + j;
    if (a.indices && a.index_bytes == 4)
        ((uint32_t *)a.indices)[at] = (uint32_t)position;
    else if (a.indices)
        ((uint64_t *)a.indices)[at] = position;
    if (!a.out)
        return;
    const K key = a.gather ? source.keys.at(position) : source.codec.decode(code);
    if ((uintptr_t)a.out % sizeof(K) == 0) {
        ((K *)a.out)[at] = key;
        return;
    }
    volatile unsigned char *to = (unsigned char *)a.out + at * sizeof(K);
    for (unsigned i = 0; i < sizeof(K); i++)
        to[i] = (unsigned char)(key >> (8 * i));
}

/* The first block sorts few candidates in shared memory; `whole`: the row itself. */
template <typename K, typename I>
static __device__ __forceinline__ void topk_finish_alone(topk_block<K, I> &b,
                                                         const topk_source<K> &source, uint64_t row,
                                                         uint64_t count, bool whole)
{
    const uint32_t size = topk_power_of_two(count);
    for (uint32_t i = threadIdx.x; i < size; i += TOPK_THREADS) {
        const bool real = i < count;
        b.s.sort.codes[i] = !real ? (K) ~(K)0 : whole ? source.code(i) : b.codes(0)[i];
        b.s.sort.positions[i] = !real                       ? (I) ~(I)0
                                : whole || !b.a.ties_matter ? (I)i
                                                            : b.positions(0)[i];
    }
    __syncthreads();
    bitonic_sort(b.s.sort.codes, b.s.sort.positions, size, threadIdx.x, TOPK_THREADS);
    __syncthreads();
    for (uint32_t j = threadIdx.x; j < b.a.kept; j += TOPK_THREADS)
        topk_emit(b.a, source, row, j, b.s.sort.codes[j], (uint64_t)b.s.sort.positions[j]);
    __syncthreads();
}

template <typename K, typename I>
static __device__ __forceinline__ void topk_finish_together(topk_block<K, I> &b,
                                                            const topk_source<K> &source,
                                                            uint64_t row, uint64_t count)
{
    topk_order<K, I> order(b, count);
    if (order.is_idle())
        return;
    order.run();
    const K *codes = b.codes(order.buffer);
    const I *positions = b.a.ties_matter ? b.positions(order.buffer) : NULL;
    const uint64_t end = order.team.share(b.a.kept, order.team.rank + 1);
    for (uint64_t j = order.team.share(b.a.kept, order.team.rank) + threadIdx.x; j < end;
         j += TOPK_THREADS)
        topk_emit(b.a, source, row, j, codes[j], positions ? (uint64_t)positions[j] : 0);
}

template <typename K, typename I>
static __device__ __forceinline__ void topk_copy_row(topk_block<K, I> &b,
                                                     const topk_source<K> &source)
{
    const uint64_t end = b.team.share(b.a.length, b.team.rank + 1);
    for (uint64_t i = b.team.share(b.a.length, b.team.rank) + threadIdx.x; i < end;
         i += TOPK_THREADS) {
        b.codes(0)[i] = source.code(i);
        if (b.a.ties_matter)
            b.positions(0)[i] = (I)i;
    }
    b.team.barrier();
}

/* Returns how many candidates there are. A threshold guessed from the sample is tried first, then
 * the row's own; both go through one loop, as each stage is long when compiled. Without a sample
 * the counters lie where candidates do: of no use any more when the row is narrowed, they begin to
 * be collected again when every block has read the counters. */
template <typename K, typename I>
static __device__ __forceinline__ uint64_t topk_find(topk_block<K, I> &b,
                                                     const topk_source<K> &source)
{
    const bool alone = b.a.samples <= TOPK_BLOCK_SAMPLE;
    topk_threshold<K> threshold;
    if (alone)
        threshold = topk_guess_alone(b, source);
    for (bool sure = false;; sure = true) {
        if (sure || !alone) {
            if (!sure)
                topk_take_sample(b, source);
            topk_clear_bins(b);
            b.team.barrier();
            threshold = topk_narrow(
                b, sure ? source : topk_source<K>(b.sampled(), b.a.samples, source),
                sure ? b.a.kept : b.a.sample_rank, sure ? b.a.capacity : topk_sample_limit(b.a));
        }
        if (sure)
            b.team.barrier();
        const uint64_t count = topk_collect(b, source, threshold);
        if (count > 0 || sure)
            return count;
    }
}

template <typename K, typename I>
static __device__ __forceinline__ void topk_row(topk_block<K, I> &b, uint64_t row)
{
    const topk_source<K> source((const unsigned char *)b.a.in + row * b.a.length * sizeof(K),
                                b.a.length, b.a.codec);
    const bool whole = b.a.capacity >= b.a.length;
    const uint64_t count = whole ? b.a.length : topk_find(b, source);
    if (count <= TOPK_BLOCK_SORT) {
        if (b.team.rank == 0)
            topk_finish_alone(b, source, row, count, whole);
        return;
    }
    if (whole)
        topk_copy_row(b, source);
    topk_finish_together(b, source, row, count);
}

template <typename K, typename I>
static __device__ __forceinline__ void topk_rows(const topk_arguments &a, topk_shared<K, I> &s)
{
    topk_block<K, I> block(a, s);
    for (uint64_t row = block.number; row < a.rows; row += a.teams) {
        topk_row(block, row);
        if (row + a.teams < a.rows)
            block.team.barrier();
    }
}

#endif
