/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large segments, every level after the first, or the second where segments are so large that their
 * parts still are, in one cooperative launch: hardly any other has such parts, and launches that
 * find nothing to do take as long as each other.
 */
#ifndef CONSORT_SEGMENTED_DEEP_CUH
#define CONSORT_SEGMENTED_DEEP_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/segmented/segmented_move.cuh"

template <typename K, bool Paired, unsigned Threads, unsigned Items> struct segmented_deep_mover {
    /* With values more items would be spilled: of 32 bits and 16 items 596 bytes, of 8 items 60. */
    static constexpr unsigned items = Paired && Items > 8 ? 8 : Items;
    using mover_type = segmented_mover<K, Paired, Threads, items>;

    union storage {
        typename mover_type::storage move;
        uint32_t count[SEGMENTED_COUNT_COPIES][SEGMENTED_BINS];
        segmented_scan_storage scan;
        segmented_split_storage split;
    };

    static __device__ __forceinline__ void run(const segmented_arguments &a, uint32_t first,
                                               storage &s)
    {
        if (segmented_bucket_count(a, 0) == 0)
            return;
        segmented_sort_listed<K>(a);
        if (segmented_bucket_count(a, first - 1) > 0 && !segmented_splits_early(a, first - 1)) {
            segmented_split_moved<K>(a, first - 1, s.split);
            grid_barrier(&a.control->arrivals);
        }
#pragma unroll 1
        for (uint32_t level = first; level < a.levels && segmented_bucket_count(a, level) > 0;
             level++) {
            segmented_count<K>(a, level, s.count);
            grid_barrier(&a.control->arrivals);
            segmented_scan(a, level, s.scan);
            grid_barrier(&a.control->arrivals);
            segmented_move<mover_type>(a, level, s.move);
            grid_barrier(&a.control->arrivals);
            segmented_split_moved<K>(a, level, s.split);
            grid_barrier(&a.control->arrivals);
        }
    }
};

#endif
