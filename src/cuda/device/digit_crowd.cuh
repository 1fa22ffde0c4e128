/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters in shared memory at which the lanes of a warp queue up: lanes with the same digit wait
 * for each other. A warp whose keys crowd one digit lets one lane add for all that agree.
 */
#ifndef CONSORT_CUDA_DIGIT_CROWD_CUH
#define CONSORT_CUDA_DIGIT_CROWD_CUH

#include "cuda/device/digit_match.cuh"

enum {
    /* Lanes of a warp with one digit from which on counting them first beats queueing. */
    DIGIT_CROWD = 12
};

/* Whether many lanes have the first lane's digit. Every lane calls it. */
static __device__ __forceinline__ bool digit_crowds(uint32_t digit)
{
    const uint32_t same = __ballot_sync(0xffffffffu, digit == __shfl_sync(0xffffffffu, digit, 0));
    return __popc(same) >= DIGIT_CROWD;
}

/* What the counter of each lane's digit of `Bits` bits was before it, as if the lanes came one
 * after the other. Every lane calls it. */
template <unsigned Bits>
static __device__ __forceinline__ uint32_t digit_place_in_crowd(uint32_t *bins, uint32_t digit)
{
    uint32_t peers = __ballot_sync(0xffffffffu, digit == __shfl_sync(0xffffffffu, digit, 0));
    /* All bits at once want more predicates than sm_100 has where the caller needs some, too: ptxas
     * 13.0.88 gives up ("register allocation failed with register count of '7'"). */
    if (peers != 0xffffffffu)
        peers = digit_match<Bits, 4>(digit);
    const unsigned leader = 31 - __clz((int)peers);
    uint32_t before = 0;
    if (threadIdx.x % 32 == leader)
        before = atomicAdd(&bins[digit], (uint32_t)__popc(peers));
    before = __shfl_sync(0xffffffffu, before, leader);
    return before + __popc(peers & lanemask_lt());
}

#endif
