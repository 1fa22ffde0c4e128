/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparator networks over the items of one thread, all in registers (K. E. Batcher, "Sorting
 * Networks and Their Applications", AFIPS 1968). Networks are not stable: items that compare equal
 * must be the same bits.
 */
#ifndef CONSORT_CUDA_SORTING_NETWORK_CUH
#define CONSORT_CUDA_SORTING_NETWORK_CUH

#include "cuda/device/device.cuh"

template <typename T>
static __device__ __forceinline__ T network_select(bool second, const T &a, const T &b)
{
    return second ? b : a;
}

/* Leaves the lower item in `a`. One word has instructions for its minimum and maximum. */
template <typename T> static __device__ __forceinline__ void compare_exchange(T &a, T &b)
{
    if constexpr (sizeof(T) == 4) {
        const T low = min(a, b);
        b = max(a, b);
        a = low;
    } else {
        const bool swap = b < a;
        const T low = network_select(swap, a, b);
        b = network_select(swap, b, a);
        a = low;
    }
}

/* One step of odd-even merge sort: comparators of span K that merge runs of P items. */
template <unsigned P, unsigned K, typename T, unsigned N>
static __device__ __forceinline__ void odd_even_step(T (&item)[N])
{
    constexpr unsigned first = K % P;
#pragma unroll
    for (unsigned i = first; i + K < N; i++)
        if ((i - first) % (2 * K) < K && i / (2 * P) == (i + K) / (2 * P))
            compare_exchange(item[i], item[i + K]);
    if constexpr (K > 1)
        odd_even_step<P, K / 2>(item);
}

/* Sorts N items; for no power of two it is the network of the next one without the comparators that
 * would touch what is missing: 63 comparators for 16, 191 for 32. */
template <unsigned P = 1, typename T, unsigned N>
static __device__ __forceinline__ void odd_even_merge_sort(T (&item)[N])
{
    if constexpr (P < N) {
        odd_even_step<P, P>(item);
        odd_even_merge_sort<2 * P>(item);
    }
}

template <unsigned Span, typename T, unsigned N>
static __device__ __forceinline__ void bitonic_step(T (&item)[N])
{
#pragma unroll
    for (unsigned i = 0; i + Span < N; i++)
        if ((i & Span) == 0)
            compare_exchange(item[i], item[i + Span]);
    if constexpr (Span > 1)
        bitonic_step<Span / 2>(item);
}

/* Sorts N items that fall and then rise: half a comparator an item for each binary digit of N. What
 * is missing to a power of two counts as the highest, and stays at the end. */
template <unsigned Span = 1, typename T, unsigned N>
static __device__ __forceinline__ void bitonic_merge(T (&item)[N])
{
    if constexpr (2 * Span < N)
        bitonic_merge<2 * Span>(item);
    else
        bitonic_step<Span>(item);
}

#endif
