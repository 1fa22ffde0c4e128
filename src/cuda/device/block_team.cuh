/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A team: consecutive blocks of one cooperative launch that work on one thing and wait for each
 * other. One grid has many teams, of one block each if there is enough to do.
 */
#ifndef CONSORT_CUDA_BLOCK_TEAM_CUH
#define CONSORT_CUDA_BLOCK_TEAM_CUH

#include "cuda/device/flag.cuh"

struct block_team {
    uint32_t blocks, rank;
    uint32_t *arrivals; /* zero before the first barrier; never reset */

    /* Called by every thread of every block of the team. What any thread wrote before is visible to
     * all after. The arrivals of a round add up to 2³¹, as in grid_barrier.cuh. */
    __device__ __forceinline__ void barrier() const
    {
        __syncthreads();
        if (blocks == 1)
            return;
        if (threadIdx.x == 0) {
            const uint32_t top = 0x80000000u;
            const uint32_t before =
                atomic_add_acq_rel(arrivals, rank == 0 ? top - (blocks - 1) : 1u);
            while (((load_acquire(arrivals) ^ before) & top) == 0)
                spin_pause(32);
        }
        __syncthreads();
    }

    /* Where block `of` begins if `count` things are shared out in order. */
    __device__ __forceinline__ uint64_t share(uint64_t count, uint32_t of) const
    {
        const uint64_t left = count % blocks;
        return count / blocks * of + (of < left ? of : left);
    }
};

#endif
