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

/* `a_at(i)` and `b_at(i)` give comparable items. Of equal ones those of `a` come first. Whatever
 * the lists hold, the result r is valid: r ≤ a_count, r ≤ diagonal, diagonal − r ≤ b_count. */
template <typename Index, typename A, typename B>
static __device__ __forceinline__ Index co_rank(Index diagonal, Index a_count, Index b_count,
                                                A a_at, B b_at)
{
    Index low = diagonal > b_count ? diagonal - b_count : 0;
    Index high = diagonal < a_count ? diagonal : a_count;
    while (low < high) {
        const Index middle = low + (high - low) / 2;
        if (b_at(diagonal - 1 - middle) < a_at(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

#endif
