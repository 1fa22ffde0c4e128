/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A barrier for all blocks of a cooperative launch. One counter, zero before its first use, serves
 * any number of barriers and launches: the arrivals of a round add up to 2³¹, so the top bit flips
 * when the last block arrives and nothing is ever reset. The driver keeps such a counter for each
 * launch, too, for cooperative groups: by it blocks meet before any memory has been cleared.
 */
#ifndef CONSORT_GRID_BARRIER_CUH
#define CONSORT_GRID_BARRIER_CUH

#include "flag.cuh"

#ifdef __CUDACC__
#include <cooperative_groups.h>
#endif

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

/* Both halves by the counter that the driver keeps. */
__device__ __forceinline__ uint32_t grid_arrive()
{
#ifdef __CUDACC__
    return cooperative_groups::this_grid().barrier_arrive();
#else
    return grid_arrive(emu::launch_arrivals());
#endif
}

__device__ __forceinline__ void grid_wait(uint32_t before)
{
#ifdef __CUDACC__
    cooperative_groups::this_grid().barrier_wait(
        static_cast<cooperative_groups::grid_group::arrival_token &&>(before));
#else
    grid_wait(emu::launch_arrivals(), before);
#endif
}

/* The share of one of so many blocks in zeroing memory up to `end`, in rows of 16 bytes: up to 15
 * bytes behind it, too. */
__device__ __forceinline__ void grid_clear_share(void *begin, const void *end, uint32_t rank,
                                                 uint32_t blocks)
{
    uint4 *rows = static_cast<uint4 *>(begin);
    const uint64_t bytes = (uint64_t)(static_cast<const char *>(end) - static_cast<char *>(begin));
    const uint64_t count = (bytes + sizeof *rows - 1) / sizeof *rows;
    for (uint64_t i = (uint64_t)rank * blockDim.x + threadIdx.x; i < count;
         i += (uint64_t)blocks * blockDim.x)
        rows[i] = make_uint4(0, 0, 0, 0);
}

/* By all blocks, which may look when they have met. A fill before the launch takes about 3 µs. */
__device__ __forceinline__ void grid_clear(void *begin, const void *end)
{
    grid_clear_share(begin, end, blockIdx.x, gridDim.x);
}

/* By one block, which may look behind a barrier of its own. */
__device__ __forceinline__ void block_clear(void *begin, const void *end)
{
    grid_clear_share(begin, end, 0, 1);
}

#endif
