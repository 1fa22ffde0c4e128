/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves of words, of which places are left. */
#ifndef CONSORT_FUSED_LEAVES_CUH
#define CONSORT_FUSED_LEAVES_CUH

#include "cuda/sorts/fused/fused_words.cuh"
#include "cuda/sorts/msd/msd_leaves.cuh"
#include "cuda/sorts/msd/msd_worded.cuh"

static __device__ __forceinline__ bool fused_has_words(const fused_arguments &a)
{
    return a.words.control->roomy && !a.words.control->spilled;
}

template <typename Leaf>
static __device__ __forceinline__ void fused_small_leaves(const fused_arguments &a,
                                                          typename Leaf::storage &s)
{
    if (!fused_has_words(a))
        return;
    msd_tell_outcome(a.words);
    const fused_output out = {a.places, a.shift};
    Leaf leaf(a.words, s);
    msd_sort_cells<Leaf, uint64_t>(a.words, leaf, out);
    msd_sort_small<uint64_t>(a.words, leaf, out);
}

template <typename Leaf>
static __device__ __forceinline__ void fused_large_leaves(const fused_arguments &a,
                                                          typename Leaf::storage &s)
{
    const bool words = fused_has_words(a);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *a.sorted = words;
    if (!words || blockIdx.x >= a.words.control->large_leaves)
        return;
    Leaf leaf(a.words, s);
    msd_sort_large<uint64_t>(a.words, leaf, fused_output{a.places, a.shift});
}

#endif
