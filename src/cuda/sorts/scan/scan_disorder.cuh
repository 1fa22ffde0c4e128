/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first key that comes before its predecessor, in one read. Blocks go through the array
 * together, so that what is left to read once a disorder is known is a stretch of the whole grid.
 */
#ifndef CONSORT_SCAN_DISORDER_CUH
#define CONSORT_SCAN_DISORDER_CUH

#include "cuda/device/codes.cuh"
#include "cuda/device/key_array.cuh"
#include "cuda/device/warp_reduce.cuh"
#include "cuda/sorts/scan/scan_layout.h"

enum : uint64_t {
    SCAN_NONE = UINT64_MAX
};

template <typename K> struct scan_disorder {
    static constexpr unsigned keys_per_word = key_array<K>::per_word;
    const scan_arguments &a;
    const ordered_codes<K> codec;
    const key_array<K> keys;

    __device__ __forceinline__ explicit scan_disorder(const scan_arguments &arguments)
        : a(arguments), codec(arguments.codec), keys(arguments.in, arguments.count)
    {
    }

    /* Every lane of the warp calls it; SCAN_NONE where there is nothing to tell. */
    __device__ __forceinline__ void tell(uint64_t disorder)
    {
        if (!__any_sync(0xffffffffu, disorder != SCAN_NONE))
            return;
        const uint64_t least = warp_min(disorder);
        if (threadIdx.x % 32 == 0)
            atomicMax((unsigned long long *)&a.control->earliest,
                      (unsigned long long)(SCAN_NONE - least));
    }

    /* True, for the whole warp, if a disorder before key `first` is known. */
    __device__ __forceinline__ bool passed(uint64_t first)
    {
        const uint64_t earliest = SCAN_NONE - load_relaxed(&a.control->earliest);
        return warp_from_lane(earliest, 0) < first;
    }

    __device__ __forceinline__ bool disorder_at(uint64_t i)
    {
        return i > 0 && codec.encode(keys.at(i)) < codec.encode(keys.at(i - 1));
    }

    /* Keys outside whole words: few, or all of them where there are no words. */
    __device__ __forceinline__ void singles(uint64_t first, uint64_t last)
    {
        const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
        for (uint64_t from = first; from < last; from += threads) {
            const uint64_t i = from + (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
            if (from > first && passed(from))
                return;
            tell(i < last && disorder_at(i) ? i : SCAN_NONE);
        }
    }

    /* True if some key of the word comes before the one in front of it. */
    static __device__ __forceinline__ bool is_disordered(const K (&code)[keys_per_word], K before)
    {
        bool disordered = code[0] < before;
#pragma unroll
        for (unsigned i = 1; i < keys_per_word; i++)
            disordered |= code[i] < code[i - 1];
        return disordered;
    }

    __device__ __forceinline__ uint64_t first_in_word(uint64_t word)
    {
        uint64_t i = keys.first_of_word(word);
        while (!disorder_at(i))
            i++;
        return i;
    }

    /* A warp's words are consecutive: each lane has its neighbour's last key, only the first lane
     * of the first row reads one from memory. */
    __device__ __forceinline__ void stretch(uint64_t first)
    {
        const unsigned lane = threadIdx.x % 32;
        uint4 word[SCAN_UNROLL];
#pragma unroll
        for (unsigned i = 0; i < SCAN_UNROLL; i++)
            word[i] = keys.word(first + i * 32 + lane);
        const uint64_t start = keys.first_of_word(first);
        K last = lane == 0 && start > 0 ? codec.encode(keys.at(start - 1)) : (K)0;
        uint64_t disorder = SCAN_NONE;
#pragma unroll
        for (unsigned i = 0; i < SCAN_UNROLL; i++) {
            K code[keys_per_word];
            keys.split(word[i], code);
            codec.encode_all(code);
            K before = warp_shift_up(code[keys_per_word - 1]);
            if (lane == 0)
                before = last;
            if (is_disordered(code, before) && disorder == SCAN_NONE)
                disorder = first_in_word(first + i * 32 + lane);
            last = warp_last(code[keys_per_word - 1]);
        }
        tell(disorder);
    }

    __device__ __forceinline__ void words()
    {
        constexpr uint64_t warp_words = 32 * SCAN_UNROLL;
        const uint64_t warps = (uint64_t)gridDim.x * (SCAN_THREADS / 32);
        const uint64_t warp = (uint64_t)blockIdx.x * (SCAN_THREADS / 32) + threadIdx.x / 32;
        const uint64_t whole = keys.words / warp_words;
        for (uint64_t i = warp; i < whole; i += warps) {
            if (passed(keys.first_of_word(i * warp_words)))
                return;
            stretch(i * warp_words);
        }
        singles(keys.first_of_word(whole * warp_words), a.count);
    }
};

/* The block that finishes last writes the outcome: status, buffer and position. */
static __device__ __forceinline__ void scan_finish(const scan_arguments &a, uint32_t *last)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        *last = atomicAdd(&a.control->finished_blocks, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!*last || threadIdx.x != 0)
        return;
    __threadfence();
    const uint64_t disorder = SCAN_NONE - load_relaxed(&a.control->earliest);
    ((int32_t *)a.outcome)[0] = 0;
    ((int32_t *)a.outcome)[1] = 1;
    ((uint64_t *)a.outcome)[1] = disorder == SCAN_NONE ? a.count : disorder;
}

template <typename K>
static __device__ __forceinline__ void scan_kernel(const scan_arguments &a, uint32_t *last)
{
    scan_disorder<K> scan(a);
    scan.singles(0, scan.keys.head);
    scan.words();
    scan_finish(a, last);
}

#endif
