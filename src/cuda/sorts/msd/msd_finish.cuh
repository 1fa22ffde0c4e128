/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small leaves, or, of narrow keys that crowd, the passes behind the first partition: no list has
 * both, their blocks are of one shape, and a launch that finds nothing to do takes some 3 µs.
 */
#ifndef CONSORT_MSD_FINISH_CUH
#define CONSORT_MSD_FINISH_CUH

#include "cuda/sorts/msd/msd_leaves.cuh"
#include "cuda/sorts/msd/msd_skew.cuh"

template <typename K> static constexpr bool msd_finishes_passes = sizeof(K) == MSD_FINISH_KEY_BYTES;

template <typename K, typename Leaf, unsigned Threads, unsigned Items,
          bool Passes = msd_finishes_passes<K>>
union msd_small_storage {
    typename Leaf::storage leaf;
};

template <typename K, typename Leaf, unsigned Threads, unsigned Items>
union msd_small_storage<K, Leaf, Threads, Items, true> {
    typename Leaf::storage leaf;
    typename lsd_tile<K, 0, Threads, Items>::storage tile;
};

/* Passes of middling lists have a launch of their own, by other tiles. */
template <typename K, typename Leaf, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_finish(const msd_arguments &a,
                                                  const lsd_arguments &passes,
                                                  msd_small_storage<K, Leaf, Threads, Items> &s)
{
    static_assert(!msd_finishes_passes<K> || (int)Threads == (int)MSD_PASS_THREADS, "one shape");
    if constexpr (msd_finishes_passes<K>)
        if (a.control->mode == MSD_PASSES && a.pass_keys == Threads * Items)
            return msd_run_steps<K, Threads, Items, LSD_WINDOW>(passes, 1, &a.control->arrivals,
                                                                s.tile);
    msd_small_leaves<K, Leaf>(a, s.leaf);
}

#endif
