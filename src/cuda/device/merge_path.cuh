/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Co-ranks: how many of the first `diagonal` items of two merged lists come from the first list.
 * The lists span a grid; merging is a path through it, and the co-rank is where the path crosses a
 * diagonal, found by binary search (S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge
 * Path", 2012; O. Green, R. McColl, D. A. Bader, "GPU Merge Path", ICS 2012).
 */
#ifndef CONSORT_CUDA_MERGE_PATH_CUH
#define CONSORT_CUDA_MERGE_PATH_CUH

#include "cuda/device/device.cuh"

/* The co-rank (below), if it lies from `low` to `high`. */
template <typename Index, typename A, typename B>
static __device__ __forceinline__ Index co_rank_between(Index diagonal, Index low, Index high,
                                                        A a_at, B b_at)
{
    while (low < high) {
        const Index middle = low + (high - low) / 2;
        if (b_at(diagonal - 1 - middle) < a_at(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* `a_at(i)` and `b_at(i)` give comparable items. Of equal ones those of `a` come first. Whatever
 * the lists hold, the result r is valid: r ≤ a_count, r ≤ diagonal, diagonal − r ≤ b_count. */
template <typename Index, typename A, typename B>
static __device__ __forceinline__ Index co_rank(Index diagonal, Index a_count, Index b_count,
                                                A a_at, B b_at)
{
    return co_rank_between<Index>(diagonal, diagonal > b_count ? diagonal - b_count : 0,
                                  diagonal < a_count ? diagonal : a_count, a_at, b_at);
}

/* The same by a warp whose lanes all call it, for global memory, whose latency is the cost: each
 * step asks at 32 places and leaves less than a 32nd, so that a list of 2^20 items is searched in
 * four waits instead of twenty. `less(b, a)` compares, and may branch, when both are loaded. */
template <typename Index, typename A, typename B, typename Less>
static __device__ __forceinline__ Index warp_co_rank_between(Index diagonal, Index low, Index high,
                                                             A a_at, B b_at, Less less)
{
    const unsigned lane = threadIdx.x % 32;
    while (low < high) {
        const Index step = (high - low + 31) / 32, at = low + lane * step;
        const Index asked = at < high ? at : low;
        const auto a = a_at(asked);
        const auto b = b_at(diagonal - 1 - asked);
        const bool beyond = at < high && !less(b, a);
        const unsigned passed = (unsigned)__popc(__ballot_sync(0xffffffffu, beyond));
        const Index next = low + passed * step;
        if (passed > 0)
            low = next - step + 1;
        high = next < high ? next : high;
    }
    return low;
}

/* The same by one thread, first on both sides of a guess, if that is far from `low` and `high`. */
template <typename Index, typename A, typename B, typename Less>
static __device__ __forceinline__ Index co_rank_near(Index diagonal, Index low, Index high,
                                                     Index guess, A a_at, B b_at, Less less)
{
    constexpr Index near = 256;
    if (guess > low + near && guess < high && high - guess > near) {
        const Index at[2] = {guess - near, guess + near};
        const decltype(a_at(low)) a[2] = {a_at(at[0]), a_at(at[1])};
        const decltype(b_at(low)) b[2] = {b_at(diagonal - 1 - at[0]), b_at(diagonal - 1 - at[1])};
        const bool reached[2] = {less(b[0], a[0]), less(b[1], a[1])};
        if (reached[0]) {
            high = at[0];
        } else if (reached[1]) {
            low = at[0] + 1;
            high = at[1];
        } else {
            low = at[1] + 1;
        }
    }
    while (low < high) {
        const Index middle = low + (high - low) / 2;
        const auto a = a_at(middle);
        const auto b = b_at(diagonal - 1 - middle);
        if (less(b, a))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The first place from `low` on for which `reached` is true, or `high`; what is reached stays so.
 * For global memory, whose latency is the cost: each step asks at three places at once, which
 * leaves a quarter. Whatever the answers, the result is no other place than that. */
template <typename Index, typename Reached>
static __device__ __forceinline__ Index first_reached(Index low, Index high, Reached reached)
{
    while (low < high) {
        const Index step = (high - low) / 4;
        const Index at[3] = {low + step, low + 2 * step, low + 3 * step};
        bool above[3];
#pragma unroll
        for (unsigned i = 0; i < 3; i++)
            above[i] = reached(at[i]);
#pragma unroll
        for (unsigned i = 3; i-- > 0;)
            high = above[i] ? at[i] : high;
#pragma unroll
        for (unsigned i = 0; i < 3; i++)
            low = at[i] < high ? at[i] + 1 : low;
    }
    return low;
}

#endif
