/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items in shared memory that are almost in place are brought into order by rounds of odd-even
 * transposition: on stretches of neighbouring items in the registers of a thread, then on those
 * around the seams of warps. Only neighbours are exchanged, and only if the later one is lower.
 */
#ifndef CONSORT_CUDA_TRANSPOSITION_ROUNDS_CUH
#define CONSORT_CUDA_TRANSPOSITION_ROUNDS_CUH

#include "cuda/device/code_range.cuh"

enum {
    /* With one item a bin on average six rounds sort 85 % of leaves, a second turn all (simulated:
     * 4096 bins). */
    TRANSPOSITION_ROUNDS = 6
};

template <typename K> static __device__ __forceinline__ void transposition_exchange(K &a, K &b)
{
    const K low = code_lower(a, b);
    b = code_higher(a, b);
    a = low;
}

template <typename K> static __device__ __forceinline__ K transposition_next_lane(K code)
{
    return code_by_words(code, [](auto word) { return __shfl_down_sync(0xffffffffu, word, 1); });
}

template <typename K> static __device__ __forceinline__ K transposition_previous_lane(K code)
{
    return code_by_words(code, [](auto word) { return __shfl_up_sync(0xffffffffu, word, 1); });
}

/* Rounds within a warp's stretch of 32 * Items, Items neighbouring items a lane from `own` on; true
 * if they are in order. */
template <unsigned Items, typename K>
static __device__ __forceinline__ bool transposition_of_stretch(K *own)
{
    const unsigned lane = threadIdx.x % 32;
    K key[Items];
#pragma unroll
    for (unsigned i = 0; i < Items; i++)
        key[i] = own[i];
#pragma unroll
    for (unsigned round = 0; round < TRANSPOSITION_ROUNDS; round++) {
#pragma unroll
        for (unsigned i = round % 2; i + 1 < Items; i += 2)
            transposition_exchange(key[i], key[i + 1]);
        if (round % 2 == 1) {
            const K next = transposition_next_lane(key[0]);
            const K previous = transposition_previous_lane(key[Items - 1]);
            if (lane < 31)
                key[Items - 1] = code_lower(key[Items - 1], next);
            if (lane > 0)
                key[0] = code_higher(key[0], previous);
        }
    }
    const K next = transposition_next_lane(key[0]);
    bool in_order = lane == 31 || !(next < key[Items - 1]);
#pragma unroll
    for (unsigned i = 0; i < Items; i++) {
        own[i] = key[i];
        if (i > 0)
            in_order &= !(key[i] < key[i - 1]);
    }
    return in_order;
}

/* Rounds on the 32 items around a seam, one a lane; true if they, and those beside them, are in
 * order. */
template <typename K> static __device__ __forceinline__ bool transposition_of_seam(K *seam)
{
    const unsigned lane = threadIdx.x % 32;
    K *own = seam - 16 + lane;
    K key = *own;
    const K outside = lane < 16 ? own[-(int)lane - 1] : own[32 - (int)lane];
#pragma unroll
    for (unsigned round = 0; round < TRANSPOSITION_ROUNDS; round++) {
        const bool lower = (lane ^ round) % 2 == 0;
        const K next = transposition_next_lane(key), previous = transposition_previous_lane(key);
        if (lower && lane < 31)
            key = code_lower(key, next);
        if (!lower && lane > 0)
            key = code_higher(key, previous);
    }
    *own = key;
    const K next = transposition_next_lane(key);
    bool in_order = lane == 31 ? !(outside < key) : !(next < key);
    if (lane == 0)
        in_order &= !(key < outside);
    return in_order;
}

/* One turn of the block over `count` items, padded to whole stretches by items that are last; true
 * for all threads if they are in order. */
template <unsigned Items, typename K>
static __device__ __forceinline__ bool transposition_turn(K *items, uint32_t count)
{
    constexpr unsigned stretch = 32 * Items;
    const uint32_t first = threadIdx.x / 32 * stretch;
    bool in_order = true;
    if (first < count)
        in_order = transposition_of_stretch<Items>(items + threadIdx.x * Items);
    __syncthreads();
    if (first + stretch < count)
        in_order &= transposition_of_seam(items + first + stretch);
    return __syncthreads_and(in_order);
}

#endif
