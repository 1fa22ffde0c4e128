/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists with few different keys: a sample shows them all, and a key's rank among them is all that
 * there is to sort.
 */
#ifndef CONSORT_CUDA_FEW_CODES_CUH
#define CONSORT_CUDA_FEW_CODES_CUH

#include "cuda/device/code_range.cuh"
#include "cuda/device/digit_match.cuh"

enum {
    FEW_CODE_BITS = 5,
    FEW_CODES = 1 << FEW_CODE_BITS /* at most */
};
static_assert(FEW_CODES == 32, "a lane for each");

/* How many of FEW_CODES codes in order are lower. */
template <typename K>
static __device__ __forceinline__ uint32_t few_code_rank(const K *codes, K code)
{
    uint32_t rank = 0;
#pragma unroll
    for (unsigned step = FEW_CODES / 2; step > 0; step /= 2)
        rank += codes[rank + step - 1] < code ? step : 0;
    return rank;
}

/* Adds a warp's ranks to counters in shared memory; those that are not real add nothing. Every lane
 * calls it. */
static __device__ __forceinline__ void few_codes_count(uint32_t *counts, uint32_t rank, bool real)
{
    const uint32_t peers = digit_match<FEW_CODE_BITS>(rank) & __ballot_sync(0xffffffffu, real);
    if (real && (peers & lanemask_lt()) == 0)
        atomicAdd(&counts[rank], (uint32_t)__popc(peers));
}

/* In shared memory. */
template <typename K, unsigned Threads> struct alignas(16) few_codes {
    K codes[FEW_CODES]; /* in order; beyond the last the highest there is */
    K least[Threads / 32];
    uint32_t seen[32]; /* a bit for each of 1024 hashes */

    /* Every thread has sampled one code: how many different ones there are; 0 if they are not few.
     */
    __device__ __forceinline__ uint32_t find(K own)
    {
        if (!seem_few(own))
            return 0;
        bool left = true;
        uint32_t found = 0;
        for (; found < FEW_CODES; found++) {
            const K lowest = code_lowest_of_warp(left ? own : (K) ~(K)0);
            if (threadIdx.x % 32 == 0)
                least[threadIdx.x / 32] = lowest;
            if (!__syncthreads_or(left))
                return found;
            const K next = code_lowest_of_warp(least[threadIdx.x % (Threads / 32)]);
            if (threadIdx.x == 0)
                codes[found] = next;
            left &= own != next;
            __syncthreads();
        }
        return __syncthreads_or(left) ? 0 : found;
    }

    /* At least as many as hashes: more than a few of most lists, found out soon. */
    __device__ __forceinline__ bool seem_few(K own)
    {
        return hashes(own) <= FEW_CODES;
    }

    /* Of 1024, how many the codes have. Behind the last barrier nobody reads what another may write
     * over. */
    __device__ __forceinline__ uint32_t hashes(K own)
    {
        if (threadIdx.x < 32)
            seen[threadIdx.x] = 0;
        if (threadIdx.x < FEW_CODES)
            codes[threadIdx.x] = (K) ~(K)0;
        __syncthreads();
        const uint32_t bit = code_hash(own) >> 22;
        atomicOr(&seen[bit / 32], 1u << bit % 32);
        __syncthreads();
        const uint32_t different = __reduce_add_sync(0xffffffffu, __popc(seen[threadIdx.x % 32]));
        __syncthreads();
        return different;
    }
};

#endif
