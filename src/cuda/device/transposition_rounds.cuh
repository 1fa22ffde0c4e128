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
    TRANSPOSITION_ROUNDS = 6,
    TRANSPOSITION_MORE_ROUNDS = 8 /* with two */
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

/* By keys alone: items that are equal are in order either way. */
struct transposition_by_key {
    template <typename K>
    __device__ __forceinline__ bool in_order(K item, K next, uint32_t place_of_next) const
    {
        (void)place_of_next;
        return !(next < item);
    }
};

/* Rounds within a warp's stretch of 32 * Items, of which each lane holds Items neighbours, that go
 * to `own`, the `place`-th of all and those behind; true if they are in order. */
template <unsigned Rounds, unsigned Items, typename K, typename Order>
static __device__ __forceinline__ bool transposition_of_stretch(K (&key)[Items], K *own,
                                                                uint32_t place, const Order &order)
{
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned round = 0; round < Rounds; round++) {
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
    bool in_order = lane == 31 || order.in_order(key[Items - 1], next, place + Items);
#pragma unroll
    for (unsigned i = 0; i < Items; i++) {
        own[i] = key[i];
        if (i > 0)
            in_order &= order.in_order(key[i - 1], key[i], place + i);
    }
    return in_order;
}

/* Rounds on the 32 items around a seam, one a lane; true if they, and those beside them, are in
 * order. The seam is before the `place`-th item. */
template <unsigned Rounds, typename K, typename Order>
static __device__ __forceinline__ bool transposition_of_seam(K *seam, uint32_t place,
                                                             const Order &order)
{
    const unsigned lane = threadIdx.x % 32;
    K *own = seam - 16 + lane;
    K key = *own;
    const K outside = lane < 16 ? own[-(int)lane - 1] : own[32 - (int)lane];
#pragma unroll
    for (unsigned round = 0; round < Rounds; round++) {
        const bool lower = (lane ^ round) % 2 == 0;
        const K next = transposition_next_lane(key), previous = transposition_previous_lane(key);
        if (lower && lane < 31)
            key = code_lower(key, next);
        if (!lower && lane > 0)
            key = code_higher(key, previous);
    }
    *own = key;
    const K next = transposition_next_lane(key);
    bool in_order = order.in_order(key, lane == 31 ? outside : next, place - 15 + lane);
    if (lane == 0)
        in_order &= order.in_order(outside, key, place - 16);
    return in_order;
}

/* One turn of the block over `count` items, padded to whole stretches by items that are last; true
 * for all threads if they are in order. `load` brings a thread's items into registers. */
template <unsigned Items, unsigned Rounds, typename K, typename Load, typename Order>
static __device__ __forceinline__ bool transposition_turn(K *items, uint32_t count,
                                                          const Load &load, const Order &order)
{
    constexpr unsigned stretch = 32 * Items;
    const uint32_t first = threadIdx.x / 32 * stretch, own = threadIdx.x * Items;
    bool in_order = true;
    if (first < count) {
        K key[Items];
        load(key, own);
        in_order = transposition_of_stretch<Rounds>(key, items + own, own, order);
    }
    __syncthreads();
    if (first + stretch < count)
        in_order &= transposition_of_seam<Rounds>(items + first + stretch, first + stretch, order);
    return __syncthreads_and(in_order);
}

/* The same of items in shared memory that are their own keys. */
template <unsigned Items, unsigned Rounds = TRANSPOSITION_ROUNDS, typename K>
static __device__ __forceinline__ bool transposition_turn(K *items, uint32_t count)
{
    const auto load = [items](K(&key)[Items], uint32_t own) {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            key[i] = items[own + i];
    };
    return transposition_turn<Items, Rounds>(items, count, load, transposition_by_key());
}

#endif
