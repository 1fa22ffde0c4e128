/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Middling lists whose cells are uneven: what longer ones have launches for, two partitions and
 * levels, and what their larger leaves' launch does of counted keys, in one, whose blocks meet
 * between. Most middling lists need nothing of it, and one launch that finds nothing to do takes
 * less time than four. (Passes in it, too, would spill registers: a pass of 2^22 u32 48 µs instead
 * of 22.)
 */
#ifndef CONSORT_MSD_UNEVEN_CUH
#define CONSORT_MSD_UNEVEN_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_counted.cuh"
#include "cuda/sorts/msd/msd_levels.cuh"
#include "cuda/sorts/msd/msd_partition.cuh"

template <typename K, unsigned Threads, unsigned Items> union msd_uneven_storage {
    msd_first_storage<K, Threads, Items> first;
    msd_second_storage<K, Threads, Items, msd_copies(Items)> second;
    msd_levels_storage<K, Threads, Items> levels;
};

/* Not inlined: registers of what precedes it would spill. So it finds its shared memory by itself.
 */
template <typename K, unsigned Threads, unsigned Items>
__attribute__((noinline)) static __device__ void msd_uneven_levels(const msd_arguments &a)
{
    using storage_type = msd_uneven_storage<K, Threads, Items>;
    SHARED_DYNAMIC(storage, storage_type);
    msd_levels<false, K, Threads, Items>(a, false, storage->levels);
}

/* The result of keys that are counted one by one. Not inlined, either. */
template <typename K, unsigned Threads, unsigned Items>
__attribute__((noinline)) static __device__ void msd_write_uneven(const msd_arguments &a)
{
    using storage_type = msd_uneven_storage<K, Threads, Items>;
    static_assert(sizeof(storage_type) >= Threads / 32 * EXPANSION_NEAR * sizeof(uint32_t), "room");
    SHARED_DYNAMIC(storage, storage_type);
    msd_write_counted<K>(a, (uint32_t *)storage);
}

/* By all blocks, which live at the same time. */
template <typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_sort_uneven(const msd_arguments &a,
                                                       const lsd_arguments &passes,
                                                       msd_uneven_storage<K, Threads, Items> &s)
{
    const msd_control &control = *a.control;
    const uint32_t mode = control.mode;
    const bool moved = mode == MSD_MOVED || mode == MSD_LISTED;
    const bool waits = control.queue_head != control.queue_tail;
    if (mode == MSD_WRITTEN || control.begun || (moved && !waits))
        return;
    if (mode == MSD_COUNTED)
        return msd_write_uneven<K, Threads, Items>(a);
    if (!moved) {
        msd_first_partition<K, Threads, Items>(a, passes, s.first);
        if (mode == MSD_PASSES)
            return;
        grid_barrier(&a.control->arrivals);
        msd_second_partition<false>(a, s.second);
        grid_barrier(&a.control->arrivals);
    }
    msd_uneven_levels<K, Threads, Items>(a);
}

#endif
