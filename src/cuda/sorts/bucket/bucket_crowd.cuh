/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items of a tile that crowd few slices, as neighbours of a sorted list do, or equal keys: added to
 * the slices' counters one by one they would wait for each other. The lanes of a warp that agree
 * add together to a counter in shared memory, and the block then adds once for each slice.
 */
#ifndef CONSORT_BUCKET_CROWD_CUH
#define CONSORT_BUCKET_CROWD_CUH

#include "cuda/sorts/bucket/bucket_places.cuh"

enum {
    BUCKET_CROWD_PROBES = 4
};

struct bucket_crowd {
    uint64_t before[BUCKET_CROWD_SLOTS]; /* items of the slice that other tiles counted earlier */
    uint32_t counts[BUCKET_CROWD_SLOTS]; /* items of the tile */
    uint32_t slices[BUCKET_CROWD_SLOTS]; /* BUCKET_NO_SLICE: the slot is free */
};

/* Judged by one item of each thread. Every thread of the block calls it; holds a barrier. */
static __device__ __forceinline__ bool bucket_is_crowded(uint32_t slice)
{
    const uint32_t peers = __match_any_sync(0xffffffffu, slice);
    return __syncthreads_count((peers & lanemask_lt()) == 0) <= BUCKET_CROWDED;
}

/* The slot of a slice, or BUCKET_CROWD_SLOTS if others have taken those where it may be. A slice
 * that a warp has once takes one, too: all tiles together have it often (2^24 zipf's on an H200:
 * 1.76 ms, 2.47 if it only looks for one). As many probes for all: if not, the kernel takes 100
 * registers instead of 80, and two blocks of it are resident, not three. */
static __device__ __forceinline__ uint32_t bucket_crowd_slot(bucket_crowd &crowd, uint32_t slice)
{
    const uint32_t first = slice * 0x9e3779b1u >> 23; /* multiplied as Knuth has it: 9 bits */
    for (uint32_t probe = 0; probe < BUCKET_CROWD_PROBES; probe++) {
        const uint32_t slot = (first + probe) % BUCKET_CROWD_SLOTS;
        const uint32_t there = atomicCAS(&crowd.slices[slot], BUCKET_NO_SLICE, slice);
        if (there == BUCKET_NO_SLICE || there == slice)
            return slot;
    }
    return BUCKET_CROWD_SLOTS;
}

/* The leader of the lanes that agree finds their slot, or has no slot and asks the slice itself.
 * Returns the lane's place behind what is in `before` then, or within the slice. */
template <typename P>
static __device__ __forceinline__ P bucket_crowd_count(bucket_crowd &crowd, P *slices,
                                                       uint32_t slice, uint32_t *slot)
{
    const uint32_t peers = __match_any_sync(0xffffffffu, slice);
    const uint32_t leader = 31 - (uint32_t)__clz((int)peers);
    uint32_t at = BUCKET_CROWD_SLOTS;
    P place = 0;
    if (threadIdx.x % 32 == leader && slice != BUCKET_NO_SLICE) {
        const uint32_t count = (uint32_t)__popc(peers);
        at = bucket_crowd_slot(crowd, slice);
        place = at < BUCKET_CROWD_SLOTS ? (P)atomicAdd(&crowd.counts[at], count)
                                        : bucket_add(&slices[slice], count);
    }
    *slot = __shfl_sync(0xffffffffu, at, leader);
    return __shfl_sync(0xffffffffu, place, leader) + (P)__popc(peers & lanemask_lt());
}

/* Counts the tile's items, each where `slice` says; `offset` is each one's place in its slice.
 * Every thread of the block calls it. */
template <typename P, unsigned Each>
static __device__ __forceinline__ void
bucket_count_crowd(bucket_crowd &crowd, P *slices, const uint32_t (&slice)[Each], P (&offset)[Each])
{
    uint32_t slot[Each];
    for (uint32_t i = threadIdx.x; i < BUCKET_CROWD_SLOTS; i += BUCKET_THREADS) {
        crowd.slices[i] = BUCKET_NO_SLICE;
        crowd.counts[i] = 0;
    }
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < Each; i++)
        offset[i] = bucket_crowd_count(crowd, slices, slice[i], &slot[i]);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < BUCKET_CROWD_SLOTS; i += BUCKET_THREADS)
        if (crowd.counts[i] > 0)
            crowd.before[i] = bucket_add(&slices[crowd.slices[i]], crowd.counts[i]);
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < Each; i++)
        if (slot[i] < BUCKET_CROWD_SLOTS)
            offset[i] += (P)crowd.before[slot[i]];
}

#endif
