/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting networks over registers, lanes and warps. A thread holds `Items` consecutive places of
 * the order in registers; threads follow each other. Every merge is of two ascending runs: its
 * first step compares places mirrored at the middle, all others are half-cleaners (K. E. Batcher,
 * "Sorting networks and their applications", AFIPS 1968). So the last places never move, and runs
 * that hold padding only need no work.
 *
 * For 32-bit items a comparator is two instructions, whatever the data: on an H200 1024 keys in one
 * warp take 1700 instructions and 480 shuffles, about a third of ranking four 8-bit digits.
 */
#ifndef CONSORT_CUDA_SORT_NETWORK_CUH
#define CONSORT_CUDA_SORT_NETWORK_CUH

#include "cuda/device/sort_items.cuh"

/* Batcher's odd-even merge of the even and odd places of [First, First + Count), `Stride` apart. */
template <unsigned First, unsigned Count, unsigned Stride, typename T>
static __device__ __forceinline__ void network_odd_even_merge(T *x)
{
    if constexpr (2 * Stride < Count) {
        network_odd_even_merge<First, Count, 2 * Stride>(x);
        network_odd_even_merge<First + Stride, Count, 2 * Stride>(x);
#pragma unroll
        for (unsigned i = First + Stride; i + Stride < First + Count; i += 2 * Stride)
            item_exchange(x[i], x[i + Stride]);
    } else {
        item_exchange(x[First], x[First + Stride]);
    }
}

/* Sorts a power of two of a thread's items: 191 comparators for 32. */
template <unsigned Count, unsigned First, typename T>
static __device__ __forceinline__ void network_sort(T *x)
{
    if constexpr (Count > 1) {
        network_sort<Count / 2, First>(x);
        network_sort<Count / 2, First + Count / 2>(x);
        network_odd_even_merge<First, Count, 1>(x);
    }
}

/* Half-cleaners at strides `Stride`, `Stride` / 2, … 1 among a thread's items. */
template <unsigned Stride, typename T, unsigned N>
static __device__ __forceinline__ void network_clean(T (&x)[N])
{
    if constexpr (Stride > 0) {
#pragma unroll
        for (unsigned i = 0; i < N; i++)
            if (i % (2 * Stride) < Stride)
                item_exchange(x[i], x[i + Stride]);
        network_clean<Stride / 2>(x);
    }
}

/* Half-cleaners from stride `lanes` · N down to 1, where `lanes` is a power of two below 32. */
template <typename T, unsigned N>
static __device__ __forceinline__ void network_clean_lanes(T (&x)[N], unsigned lanes)
{
#pragma unroll 1
    for (; lanes > 0; lanes /= 2) {
        const bool later = (threadIdx.x & lanes) != 0;
#pragma unroll
        for (unsigned i = 0; i < N; i++)
            x[i] = item_choose(x[i], item_shuffle(x[i], lanes), later);
    }
    network_clean<N / 2>(x);
}

/* Merges sorted threads until runs of `lanes` lanes are sorted. Every lane calls it. */
template <typename T, unsigned N>
static __device__ __forceinline__ void network_merge_lanes(T (&x)[N], unsigned lanes)
{
#pragma unroll 1
    for (unsigned run = 2; run <= lanes; run *= 2) {
        const bool later = (threadIdx.x & (run / 2)) != 0;
#pragma unroll
        for (unsigned i = 0; i < N / 2; i++) {
            const T mirrored = item_shuffle(x[N - 1 - i], run - 1);
            const T other = item_shuffle(x[i], run - 1);
            x[i] = item_choose(x[i], mirrored, later);
            x[N - 1 - i] = item_choose(x[N - 1 - i], other, later);
        }
        network_clean_lanes(x, run / 4);
    }
}

/* A gap in shared memory after so many places keeps threads that read N items each, and those that
 * read neighbouring ones, off each other's banks: those of 32 words, of which as many threads take
 * turns as there are for them. */
template <typename T, unsigned N>
static constexpr unsigned network_period = N > 128 / sizeof(T) ? N : 128 / sizeof(T);

/* Where place p of a tile lies in shared memory. A tile of t threads takes t · (N + 1) items at
 * most. */
template <typename T, unsigned N>
static __device__ __forceinline__ uint32_t network_skewed(uint32_t place)
{
    return place + place / network_period<T, N>;
}

/* The first steps of a merge of `threads` threads' items, of which each thread takes those that lie
 * `threads` apart: in the lower half from its own number up, in the upper half from its mirror
 * image, so that both items of every comparison are at hand. */
template <typename T, unsigned N>
static __device__ __forceinline__ void network_merge_far(T *tile, unsigned threads)
{
    const unsigned thread = threadIdx.x & (threads - 1);
    const uint32_t run = (threadIdx.x - thread) * N;
    T y[N];
#pragma unroll
    for (unsigned i = 0; i < N; i++)
        y[i] = tile[network_skewed<T, N>(run + i * threads +
                                         (i < N / 2 ? thread : threads - 1 - thread))];
#pragma unroll
    for (unsigned i = 0; i < N / 2; i++)
        item_exchange(y[i], y[N - 1 - i]);
    network_clean<N / 4>(y);
#pragma unroll
    for (unsigned i = 0; i < N; i++)
        tile[network_skewed<T, N>(run + i * threads +
                                  (i < N / 2 ? thread : threads - 1 - thread))] = y[i];
}

/*
 * Merges sorted warps until the block is one sorted run, of which only the first `count` places
 * matter; it has at most 32 · N threads. `tile` is shared memory for the block's items; the caller
 * synchronises before it is used for anything else. Every thread calls it.
 */
template <typename T, unsigned N>
static __device__ __forceinline__ void network_merge_warps(T (&x)[N], T *tile, uint32_t count)
{
    const uint32_t own = network_skewed<T, N>(threadIdx.x * N);
    const bool filled = (threadIdx.x & ~31u) * N < count;
#pragma unroll 1
    for (unsigned threads = 64; threads <= blockDim.x; threads *= 2) {
        /* All go through memory, so that nobody holds items in registers across the far steps. */
        const unsigned run = threadIdx.x & ~(threads - 1);
        const bool merges = (run + threads / 2) * N < count;
#pragma unroll
        for (unsigned i = 0; i < N; i++)
            tile[own + i] = x[i];
        __syncthreads();
        if (merges)
            network_merge_far<T, N>(tile, threads);
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < N; i++)
            x[i] = tile[own + i];
        if (merges && filled)
            network_clean_lanes(x, threads / (2 * N));
    }
}

#endif
