/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One bit: which keys have it, and how many of them lie before. A tile's keys are shared out so
 * that a warp owns consecutive ones, a row of 32 at a time: a ballot shows a row, and the order of
 * warp, row and lane is the order of the keys.
 */
#ifndef CONSORT_RADIX_STEPS_SPLIT_CUH
#define CONSORT_RADIX_STEPS_SPLIT_CUH

#include "cuda/device/block_warp_scan.cuh"
#include "cuda/device/item.cuh"
#include "cuda/device/ptx.cuh"
#include "cuda/sorts/radix_steps/radix_steps_chain.cuh"

template <typename K>
static __device__ __forceinline__ uint32_t radix_steps_digit(const radix_steps_pass &p, K code)
{
    return (uint32_t)(code >> p.shift) & ((1u << p.bits) - 1);
}

/* Where in its tile a thread's key of each row lies. */
template <unsigned Rows> static __device__ __forceinline__ uint32_t radix_steps_place(unsigned row)
{
    return (threadIdx.x / 32 * Rows + row) * 32 + threadIdx.x % 32;
}

/* A bit of each row's key, over a block. */
template <unsigned Rows> struct radix_steps_ones {
    uint32_t row[Rows];     /* of the warp */
    uint32_t before, total; /* in lower warps; in the tile */

    __device__ __forceinline__ void set(unsigned i, bool bit)
    {
        row[i] = __ballot_sync(0xffffffffu, bit);
    }

    /* When all are set. `warp_sums`, 32 words, are free again after the block's next barrier. */
    __device__ __forceinline__ void scan(uint32_t *warp_sums)
    {
        uint32_t ones = 0;
#pragma unroll
        for (unsigned i = 0; i < Rows; i++)
            ones += (uint32_t)__popc(row[i]);
        before = block_sum_of_lower_warps(ones, warp_sums, &total);
    }

    /* How many lie before this thread's key of row i; to be asked row after row. */
    __device__ __forceinline__ uint32_t next(unsigned i)
    {
        const uint32_t ones = before + (uint32_t)__popc(row[i] & lanemask_lt());
        before += (uint32_t)__popc(row[i]);
        return ones;
    }

    __device__ __forceinline__ bool bit(unsigned i) const
    {
        return row[i] & lanemask_eq();
    }
};

#endif
