/* SPDX-License-Identifier: Apache-2.0 */
/* What the block that finishes last makes of the counts of all cells. */
#ifndef CONSORT_HYBRID_PLAN_CUH
#define CONSORT_HYBRID_PLAN_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/code_range.cuh"
#include "cuda/device/flag.cuh"
#include "cuda/sorts/hybrid/hybrid_fit.cuh"
#include "cuda/sorts/hybrid/hybrid_sample.cuh"
#include "cuda/sorts/lsd/lsd_finish.cuh"

/*
 * Counts become places. Every warp owns a stretch of cells, by fours: first all are added up and
 * kept in shared memory, where counters were, then they are gone over again, and places written
 * over them.
 */
struct hybrid_scan {
    static constexpr unsigned batch = 4;
    const hybrid_arguments &a;
    hybrid_count_storage &s;
    const uint32_t quads, each; /* of all, of a warp */
    uint32_t begin;             /* where the warp's first key goes */

    __device__ __forceinline__ hybrid_scan(const hybrid_arguments &arguments,
                                           hybrid_count_storage &storage)
        : a(arguments), s(storage), quads((1u << arguments.cell_bits) / 4),
          each(max(quads / HYBRID_WARPS, 32u)), begin(0)
    {
    }

    __device__ __forceinline__ uint32_t first() const
    {
        return threadIdx.x / 32 * each;
    }

    __device__ __forceinline__ uint32_t last() const
    {
        return min(first() + each, quads);
    }

    /* Of the counters' words two for each four cells. */
    __device__ __forceinline__ uint64_t *kept() const
    {
        return (uint64_t *)s.pairs;
    }

    static __device__ __forceinline__ uint32_t count(uint64_t quad, unsigned cell)
    {
        return (uint32_t)(quad >> 16 * cell) & 0xffff;
    }

    /* The keys of this warp, and which ranges are too large. */
    __device__ __forceinline__ uint32_t add_up(hybrid_misfits &misfits)
    {
        uint32_t sum = 0;
        for (uint32_t quad = first() + threadIdx.x % 32; quad < last(); quad += 32 * batch) {
            uint64_t counts[batch];
#pragma unroll
            for (unsigned i = 0; i < batch; i++)
                counts[i] = quad + 32 * i < last() ? load_relaxed(&a.counts[quad + 32 * i]) : 0;
#pragma unroll
            for (unsigned i = 0; i < batch; i++) {
                if (quad + 32 * i < last())
                    kept()[quad + 32 * i] = counts[i];
                sum += misfits.look(a, count(counts[i], 0), count(counts[i], 1),
                                    count(counts[i], 2), count(counts[i], 3));
            }
        }
        return __reduce_add_sync(0xffffffffu, sum);
    }

    /* Holds a barrier. False if keys are missing: some counter overflowed. */
    __device__ __forceinline__ bool find_begin(uint32_t of_warp, const hybrid_misfits &misfits)
    {
        const uint32_t any = __reduce_or_sync(0xffffffffu, misfits.which);
        const unsigned warp = threadIdx.x / 32;
        if (threadIdx.x % 32 == 0) {
            s.warp_sums[warp] = of_warp;
            if (any)
                atomicOr(&s.unfit, any);
        }
        __syncthreads();
        const uint32_t end = warp_inclusive_sum(s.warp_sums[threadIdx.x % 32]);
        begin = __shfl_sync(0xffffffffu, end, warp) - of_warp;
        return __shfl_sync(0xffffffffu, end, 31) == a.sort.count;
    }

    /* Places of four cells; of those at which a value of the top digit begins also the pass's. */
    __device__ __forceinline__ void place(uint32_t quad, uint64_t counts, uint32_t at,
                                          uint64_t *bins) const
    {
        const uint32_t below = a.cell_bits - LSD_DIGIT_BITS, cell = 4 * quad;
        const uint32_t at_1 = at + count(counts, 0), at_2 = at_1 + count(counts, 1);
        const uint32_t at_3 = at_2 + count(counts, 2);
        *(uint4 *)&a.cells[cell] = make_uint4(at, at_1, at_2, at_3);
        if ((cell & ((1u << below) - 1)) == 0)
            bins[cell >> below] = at;
        if (below > 0)
            return;
        bins[cell + 1] = at_1;
        bins[cell + 2] = at_2;
        bins[cell + 3] = at_3;
    }

    __device__ __forceinline__ void place_all(uint64_t *bins)
    {
        for (uint32_t base = first(); base < last(); base += 32) {
            const uint32_t quad = base + threadIdx.x % 32;
            const uint64_t counts = quad < last() ? kept()[quad] : 0;
            const uint32_t sum =
                count(counts, 0) + count(counts, 1) + count(counts, 2) + count(counts, 3);
            const uint32_t end = begin + warp_inclusive_sum(sum);
            if (quad < last())
                place(quad, counts, end - sum, bins);
            begin = __shfl_sync(0xffffffffu, end, 31);
        }
        if (threadIdx.x == 0)
            a.cells[4 * quads] = (uint32_t)a.sort.count;
    }
};

/* By one block, when all keys are counted: where each digit value of the steps goes. False if some
 * bucket is too large. */
template <typename K>
static __device__ __forceinline__ bool
hybrid_plan(const hybrid_arguments &a, const hybrid_cells<K> &where, hybrid_count_storage &s)
{
    lsd_control *control = a.sort.control;
    const unsigned top = sizeof(K) - 1;
    const bool twice = a.digit_bits == HYBRID_CELL_BITS, wide = a.digit_bits == HYBRID_WIDE_BITS;
    const uint32_t of_low =
        threadIdx.x < LSD_BINS && twice ? load_relaxed(&a.low_digit[threadIdx.x]) : 0;
    hybrid_scan scan(a, s);
    hybrid_misfits misfits = {0};
    const uint32_t of_warp = scan.add_up(misfits);
    if (!scan.find_begin(of_warp, misfits))
        return false;
    const uint32_t bits = hybrid_choose_bits(a, s.unfit);
    if (bits > a.cell_bits)
        return false;
    scan.place_all(control->bins[top]);
    const uint64_t low = block_exclusive_sum_256((uint64_t)of_low, s.digit_sums);
    if (threadIdx.x < LSD_BINS && twice)
        control->bins[top - 1][threadIdx.x] = low;
    if (threadIdx.x < sizeof(K))
        control->step[threadIdx.x] = wide                         ? LSD_SKIPPED
                                     : threadIdx.x == top         ? (int32_t)twice
                                     : threadIdx.x == top - twice ? 0
                                                                  : LSD_SKIPPED;
    if (threadIdx.x > 0)
        return true;
    control->step_count = 1 + twice;
    control->lead = where.lead;
    control->leaves = LSD_LEAVES;
    a.control->bucket_bits = bits;
    code_to_words(where.common, a.control->common);
    lsd_tell_outcome(a.sort, 1);
    return true;
}

#endif
