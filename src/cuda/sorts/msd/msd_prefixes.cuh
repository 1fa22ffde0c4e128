/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short lists of the widest keys that crowd. Passes go by as many of their highest bytes as tell
 * nearly all keys apart, if bytes do not depend on each other; runs of keys that these bytes do not
 * tell apart are put in order where they lie. If a long one is out of order, bytes do depend on
 * each other, and passes begin anew, by all bytes.
 */
#ifndef CONSORT_MSD_PREFIXES_CUH
#define CONSORT_MSD_PREFIXES_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_skew.cuh"

enum {
    MSD_RUN_KEYS = 2, /* of a lane */
    MSD_LONGEST_RUN = 32 * MSD_RUN_KEYS
};

/* Where passes have left keys. */
static __device__ __forceinline__ void *msd_sorted_keys(const lsd_arguments &a)
{
    return lsd_keys_at(a, a.double_buffer && lsd_shift(a, a.control->step_count));
}

/* Keys that passes have sorted by all bytes but some of the lowest. */
template <typename K> struct msd_prefix_runs {
    const codes<K> codec;
    K *const keys;
    const uint32_t count, cut_bits;

    __device__ __forceinline__ explicit msd_prefix_runs(const lsd_arguments &a)
        : codec(a.codec), keys((K *)msd_sorted_keys(a)), count((uint32_t)a.count),
          cut_bits(8 * a.control->cut)
    {
    }

    /* The last, for those behind it. */
    __device__ __forceinline__ K code_at(uint32_t i) const
    {
        return codec.encode(keys[min(i, count - 1)]);
    }

    __device__ __forceinline__ bool are_together(K code, uint32_t other) const
    {
        return other < count && (K)(code ^ code_at(other)) >> cut_bits == 0;
    }

    /* Whether the run of a key, which does not begin it, is not for a warp. */
    __device__ __forceinline__ bool is_long(uint32_t at) const
    {
        const K code = code_at(at);
        uint32_t first = at, end = at + 1;
        while (end - first <= MSD_LONGEST_RUN && first > 0 && are_together(code, first - 1))
            first--;
        while (end - first <= MSD_LONGEST_RUN && are_together(code, end))
            end++;
        return end - first > MSD_LONGEST_RUN;
    }

    /* By a warp: those from `first` on that are together, unless they are too many. Each key counts
     * those that belong before it. */
    __device__ __forceinline__ void sort_run(uint32_t first) const
    {
        const unsigned lane = threadIdx.x % 32;
        K code[MSD_RUN_KEYS];
        uint32_t rank[MSD_RUN_KEYS], length = 0;
        const K one = code_at(first);
#pragma unroll
        for (unsigned i = 0; i < MSD_RUN_KEYS; i++) {
            const uint32_t at = first + 32 * i + lane;
            code[i] = code_at(at);
            length += (uint32_t)__popc(__ballot_sync(0xffffffffu, are_together(one, at)));
            rank[i] = 0;
        }
        if (length == MSD_LONGEST_RUN && are_together(one, first + length))
            return;
        for (uint32_t other = 0; other < length; other++) {
            const K others = code_at(first + other);
#pragma unroll
            for (unsigned i = 0; i < MSD_RUN_KEYS; i++)
                rank[i] += others < code[i] || (others == code[i] && other < 32 * i + lane);
        }
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < MSD_RUN_KEYS; i++)
            if (32 * i + lane < length)
                keys[first + rank[i]] = codec.decode(code[i]);
    }

    /* By all warps of the grid. A run is sorted by the warp that looks at its first key; others may
     * see that its keys move, but ask only whether keys are together, and whether those of a long
     * run, which do not move, are in order. False if some of those that this thread has seen are
     * not. */
    __device__ __forceinline__ bool sort() const
    {
        bool sorted = true;
        const uint32_t stride = gridDim.x * blockDim.x;
        for (uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 32; row < count;
             row += stride) {
            const uint32_t at = row + threadIdx.x % 32;
            const K code = code_at(at);
            const bool before = at > 0 && are_together(code, at - 1);
            uint32_t begin =
                __ballot_sync(0xffffffffu, !before && at < count && are_together(code, at + 1));
            if (before && at < count && code_at(at - 1) > code)
                sorted &= !is_long(at);
            __syncwarp();
            for (; begin; begin &= begin - 1)
                sort_run(row + (uint32_t)__ffs((int)begin) - 1);
        }
        return sorted;
    }
};

/* By all blocks, when they have met: as if no pass had been, but that all bytes will take one. The
 * input has been kept, but for that of a double buffer. */
template <typename K>
static __device__ __forceinline__ void msd_forget_passes(const lsd_arguments &a, uint32_t *arrivals)
{
    if (a.double_buffer)
        lsd_copy<1>(msd_sorted_keys(a), (void *)a.keys_in, a.count * sizeof(K));
    grid_barrier(arrivals);
    grid_clear(a.control, a.control + 1);
    grid_barrier(arrivals);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        a.control->uncut = 1;
    grid_barrier(arrivals);
}

/* By all blocks, behind passes: whether what they have left out of order is so now. If not, they
 * begin anew. Not inlined, as passes would spill more registers. */
template <typename K>
__attribute__((noinline)) static __device__ bool msd_finish_prefixes(const msd_arguments &a,
                                                                     const lsd_arguments &passes)
{
    uint32_t *arrivals = &a.control->arrivals;
    if (passes.control->cut == 0)
        return true;
    grid_barrier(arrivals);
    if (!msd_prefix_runs<K>(passes).sort())
        store_relaxed(&a.control->long_runs, 1u);
    grid_barrier(arrivals);
    if (!load_relaxed(&a.control->long_runs))
        return true;
    msd_forget_passes<K>(passes, arrivals);
    return false;
}

#endif
