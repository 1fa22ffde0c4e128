/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves with a bin for each code: counts of bins say all. Each bin that has keys marks the place
 * of its first one, and of its first one in every row of 32 places; then a warp finds the bins of
 * a row's places by the marks in it.
 */
#ifndef CONSORT_MSD_HALF_COUNTS_CUH
#define CONSORT_MSD_HALF_COUNTS_CUH

#include "cuda/device/block_warp_scan.cuh"
#include "cuda/sorts/msd/msd_tuning.h"

struct msd_half_counts {
    static constexpr unsigned threads = MSD_HALVES_THREADS, row = 32;
    static constexpr unsigned places = MSD_HALVES_KEYS + row; /* from where a row begins */

    uint32_t *const bins;  /* left as zeros */
    uint16_t *const marks; /* of places: the bin and 1, or 0 */
    uint32_t *const warp_sums;

    static_assert(MSD_HALVES_BINS == 8 * threads, "a thread owns four bins of each half of them");
    static_assert(places % 8 == 0 && places <= 2 * MSD_HALVES_PAIRS, "marks lie where pairs do");

    __device__ __forceinline__ msd_half_counts(uint32_t *counters, uint16_t *memory, uint32_t *sums)
        : bins(counters), marks(memory), warp_sums(sums)
    {
    }

    __device__ __forceinline__ void clear_marks()
    {
        for (unsigned i = threadIdx.x; i < places / 8; i += threads)
            ((uint4 *)marks)[i] = make_uint4(0, 0, 0, 0);
    }

    /* Places begin at `lead`. Holds a barrier; others have to wait for one more. */
    __device__ __forceinline__ void mark(uint32_t lead)
    {
        uint4 *low = (uint4 *)bins + threadIdx.x, *high = low + threads;
        const uint4 low_size = *low, high_size = *high;
        *low = *high = make_uint4(0, 0, 0, 0);
        const uint32_t sum = sum_of(low_size) | sum_of(high_size) << 16;
        uint32_t all;
        const uint32_t inclusive = warp_inclusive_sum(sum);
        const uint32_t before =
            block_sum_of_lower_warps(__shfl_sync(0xffffffffu, inclusive, 31), warp_sums, &all) +
            inclusive - sum;
        mark_bins(low_size, 4 * threadIdx.x, lead + (before & 0xffff));
        mark_bins(high_size, 4 * (threads + threadIdx.x), lead + (all & 0xffff) + (before >> 16));
    }

    /* `count` keys to places from `lead` on, the first of which goes to `to`. */
    template <typename KeyOf>
    __device__ __forceinline__ void write(uint32_t *to, uint32_t lead, uint32_t count,
                                          const KeyOf &key_of) const
    {
        const unsigned lane = threadIdx.x % row;
        const uint32_t up_to_own = ~0u >> (row - 1 - lane);
#pragma unroll 4
        for (uint32_t first = threadIdx.x - lane; first < lead + count; first += threads) {
            const uint32_t own = marks[first + lane];
            const uint32_t marked = __ballot_sync(0xffffffffu, own != 0) & up_to_own;
            const uint32_t bin = __shfl_sync(0xffffffffu, own, 31 - __clz((int)marked)) - 1;
            const uint32_t at = first + lane - lead;
            if (at < count)
                to[at] = key_of(bin);
        }
    }

  private:
    static __device__ __forceinline__ uint32_t sum_of(uint4 sizes)
    {
        return sizes.x + sizes.y + sizes.z + sizes.w;
    }

    __device__ __forceinline__ void mark_bins(uint4 sizes, uint32_t bin, uint32_t begin)
    {
        const uint32_t size[] = {sizes.x, sizes.y, sizes.z, sizes.w};
#pragma unroll
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t end = begin + size[i];
            for (uint32_t place = begin; place < end; place = place / row * row + row)
                marks[place] = (uint16_t)(bin + i + 1);
            begin = end;
        }
    }
};

#endif
