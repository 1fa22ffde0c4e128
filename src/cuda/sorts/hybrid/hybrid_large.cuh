/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A group of different keys that is longer than a chunk reaches, sorted by one block: stable passes
 * over the bytes below the prefix, between where the group is and the spare arrays. Samples see
 * large groups; what they miss are few and short.
 */
#ifndef CONSORT_HYBRID_LARGE_CUH
#define CONSORT_HYBRID_LARGE_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/code_range.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/values.cuh"
#include "cuda/device/warp_ranks.cuh"
#include "cuda/sorts/hybrid/hybrid_layout.h"

/* Keys as the caller has them, and values. */
struct hybrid_arrays {
    void *keys, *values;
};

template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items> struct hybrid_large {
    using ranks = warp_ranks<Threads, Items>;
    static constexpr uint32_t tile = Threads * Items;

    struct storage {
        typename ranks::bins_type bins;
        uint32_t next[LSD_BINS]; /* where the next item of each digit goes */
        uint32_t sums[LSD_BINS / 32];
        uint32_t varying[sizeof(K) / 4];
    };

    storage &s;
    const codes<K> codec;
    const hybrid_arrays home, spare;
    const uint32_t begin, end; /* of the group */

    __device__ __forceinline__ K code_at(const hybrid_arrays &from, uint32_t i) const
    {
        return codec.encode(((const K *)from.keys)[i]);
    }

    static __device__ __forceinline__ uint32_t digit_of(K code, uint32_t shift)
    {
        return code_window(code, shift) & (LSD_BINS - 1);
    }

    /* The bits in which codes differ. */
    __device__ __forceinline__ K find_varying() const
    {
        const K first = code_at(home, begin);
        K varying = 0;
        if (threadIdx.x < sizeof(K) / 4)
            s.varying[threadIdx.x] = 0;
        for (uint32_t i = begin + threadIdx.x; i < end; i += Threads)
            varying |= (K)(code_at(home, i) ^ first);
        __syncthreads();
        return code_any_of_block(varying, s.varying);
    }

    __device__ __forceinline__ void count(const hybrid_arrays &from, uint32_t shift) const
    {
        if (threadIdx.x < LSD_BINS)
            s.next[threadIdx.x] = 0;
        __syncthreads();
        for (uint32_t i = begin + threadIdx.x; i < end; i += Threads)
            atomicAdd(&s.next[digit_of(code_at(from, i), shift)], 1u);
        __syncthreads();
        const uint32_t own = threadIdx.x < LSD_BINS ? s.next[threadIdx.x] : 0;
        const uint32_t start = block_exclusive_sum_256(own, s.sums);
        if (threadIdx.x < LSD_BINS)
            s.next[threadIdx.x] = begin + start;
        __syncthreads();
    }

    /* Places beyond the end have the highest digit, behind all items. */
    __device__ __forceinline__ void move_tile(const hybrid_arrays &from, const hybrid_arrays &to,
                                              uint32_t first, uint32_t shift) const
    {
        packed_digits<Items> digit;
        packed_places<Items> place;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t at = first + ranks::position(i);
            digit.set(i, at < end ? digit_of(code_at(from, at), shift) : LSD_BINS - 1);
        }
        const auto own = [&digit](unsigned i) { return digit.at(i); };
        ranks::count(s.bins, place, own);
        __syncthreads();
        const uint32_t total = threadIdx.x < LSD_BINS ? ranks::total(s.bins) : 0;
        if (threadIdx.x < LSD_BINS)
            ranks::starts(s.bins, 0);
        __syncthreads();
        ranks::places(s.bins, place, own);
        const value_reader<ValueBytes> in(from.values);
        const value_writer<ValueBytes> out(to.values);
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t at = first + ranks::position(i);
            if (at >= end)
                continue;
            const uint32_t target = s.next[digit.at(i)] + place.at(i);
            ((K *)to.keys)[target] = ((const K *)from.keys)[at];
            out.put(target, in.at(at));
        }
        __syncthreads();
        if (threadIdx.x < LSD_BINS)
            s.next[threadIdx.x] += total;
        __syncthreads();
    }

    __device__ __forceinline__ void bring_home() const
    {
        const value_reader<ValueBytes> in(spare.values);
        const value_writer<ValueBytes> out(home.values);
        for (uint32_t i = begin + threadIdx.x; i < end; i += Threads) {
            ((K *)home.keys)[i] = ((const K *)spare.keys)[i];
            out.put(i, in.at(i));
        }
        __syncthreads();
    }

    __device__ __forceinline__ void sort() const
    {
        const K varying = find_varying();
        bool away = false;
#pragma unroll 1
        for (uint32_t shift = 0; shift < 8 * sizeof(K); shift += 8) {
            if (digit_of(varying, shift) == 0)
                continue;
            const hybrid_arrays &from = away ? spare : home, &to = away ? home : spare;
            count(from, shift);
            for (uint32_t first = begin; first < end; first += tile)
                move_tile(from, to, first, shift);
            away = !away;
        }
        if (away)
            bring_home();
    }
};

#endif
