/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A barrier for all blocks of a cooperative launch. One counter, zero before its first use, serves
 * any number of barriers and launches: the arrivals of a round add up to 2³¹, so the top bit flips
 * when the last block arrives and nothing is ever reset.
 */
#ifndef CONSORT_GRID_BARRIER_CUH
#define CONSORT_GRID_BARRIER_CUH

#include "flag.cuh"

/* The first half of a barrier: every thread of every block calls it, and the other with what it
 * returns. In between blocks do what nobody else need see. */
__device__ __forceinline__ uint32_t grid_arrive(uint32_t *arrivals)
{
    uint32_t before = 0;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
        const uint32_t top = 0x80000000u;
        bool first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
        uint32_t others = gridDim.x * gridDim.y * gridDim.z - 1;
        before = atomic_add_acq_rel(arrivals, first ? top - others : 1u);
    }
    return before;
}

/* What any thread wrote before it arrived is visible to all after. */
__device__ __forceinline__ void grid_wait(uint32_t *arrivals, uint32_t before)
{
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
        const uint32_t top = 0x80000000u;
        while (((load_acquire(arrivals) ^ before) & top) == 0)
            spin_pause(32);
    }
    __syncthreads();
}

__device__ __forceinline__ void grid_barrier(uint32_t *arrivals)
{
    grid_wait(arrivals, grid_arrive(arrivals));
}

#endif
