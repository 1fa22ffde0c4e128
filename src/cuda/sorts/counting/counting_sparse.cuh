/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A short list of 16-bit keys, counted and written by one block. Most codes have no key: each
 * thread owns a stretch of counters and visits the words of them that have one. The first key of a
 * code is put at its place; a scan of maxima fills the places behind it.
 */
#ifndef CONSORT_COUNTING_SPARSE_CUH
#define CONSORT_COUNTING_SPARSE_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/sorts/counting/counting_expand.cuh"

struct counting_sparse {
    static constexpr unsigned each = COUNTING_BINS / 2 / COUNTING_THREADS; /* words of a thread */
    static constexpr unsigned row = each + 1; /* threads meet in no bank */
    static constexpr unsigned loads = COUNTING_SPARSE_KEYS / COUNTING_THREADS;
    static constexpr unsigned warps = COUNTING_THREADS / 32;
    static_assert(each == 32, "a bit for each word");
    static_assert(COUNTING_SPARSE_KEYS < 1 << 16, "no counter overflows, nor a sum of them");

    struct alignas(16) storage {
        uint32_t pairs[COUNTING_THREADS * row]; /* two 16-bit counters a word */
        uint16_t code[COUNTING_SPARSE_KEYS];
        uint32_t warp_sums[warps];
    };

    storage &s;
    const uint32_t count;

    __device__ __forceinline__ void clear() const
    {
        const uint4 none = make_uint4(0, 0, 0, 0);
        for (unsigned i = threadIdx.x; i < COUNTING_THREADS * row / 4; i += COUNTING_THREADS)
            ((uint4 *)s.pairs)[i] = none;
        for (unsigned i = threadIdx.x; i < COUNTING_SPARSE_KEYS / 8; i += COUNTING_THREADS)
            ((uint4 *)s.code)[i] = none;
    }

    __device__ __forceinline__ void add(uint32_t code, uint32_t times) const
    {
        const uint32_t word = code / 2;
        atomicAdd(&s.pairs[word / each * row + word % each], times << 16 * (code % 2));
    }

    /* Equal and sorted keys would queue up at one counter. All lanes call it. */
    __device__ __forceinline__ void add_of_warp(uint32_t code, bool exists) const
    {
        const uint32_t first = __shfl_sync(0xffffffffu, code, 0);
        if (__all_sync(0xffffffffu, exists && code == first)) {
            if (threadIdx.x % 32 == 0)
                add(code, 32);
        } else if (exists) {
            add(code, 1);
        }
    }

    /* Places of a thread's keys begin where those of all lower threads end. */
    __device__ __forceinline__ uint32_t first_place(uint32_t keys) const
    {
        const uint32_t inclusive = warp_inclusive_sum(keys), lane = threadIdx.x % 32;
        if (lane == 31)
            s.warp_sums[threadIdx.x / 32] = inclusive;
        __syncthreads();
        const uint32_t before = lane < threadIdx.x / 32 ? s.warp_sums[lane] : 0;
        return __reduce_add_sync(0xffffffffu, before) + inclusive - keys;
    }

    __device__ __forceinline__ void put_first_keys() const
    {
        const uint32_t *own = s.pairs + threadIdx.x * row;
        uint32_t both = 0, used = 0;
#pragma unroll 8
        for (unsigned i = 0; i < each; i++) {
            both += own[i];
            used |= (uint32_t)(own[i] != 0) << i;
        }
        uint32_t place = first_place((both & 0xffff) + (both >> 16));
        for (; used; used &= used - 1) {
            const uint32_t i = __ffs((int)used) - 1, pair = own[i];
            const uint32_t code = 2 * (threadIdx.x * each + i);
            if (pair & 0xffff)
                s.code[place] = (uint16_t)code;
            place += pair & 0xffff;
            if (pair >> 16)
                s.code[place] = (uint16_t)(code + 1);
            place += pair >> 16;
        }
        __syncthreads();
    }

    /* Codes ascend, so that the highest before a place is its own. */
    __device__ __forceinline__ void fill() const
    {
        const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const uint32_t mine = (count + COUNTING_THREADS - 1) / COUNTING_THREADS;
        uint16_t *own = s.code + threadIdx.x * mine;
        uint32_t highest = 0;
        for (uint32_t i = 0; i < mine; i++)
            highest = max(highest, (uint32_t)own[i]);
        for (unsigned distance = 1; distance < 32; distance *= 2) {
            const uint32_t lower = __shfl_up_sync(0xffffffffu, highest, distance);
            highest = lane >= distance ? max(highest, lower) : highest;
        }
        if (lane == 31)
            s.warp_sums[warp] = highest;
        const uint32_t below = __shfl_up_sync(0xffffffffu, highest, 1);
        __syncthreads();
        uint32_t running = __reduce_max_sync(0xffffffffu, lane < warp ? s.warp_sums[lane] : 0);
        running = lane > 0 ? max(running, below) : running;
        for (uint32_t i = 0; i < mine; i++) {
            running = max(running, (uint32_t)own[i]);
            own[i] = (uint16_t)running;
        }
        __syncthreads();
    }

    __device__ __forceinline__ void sort(const counting_arguments &a) const
    {
        const counting_key_of<uint16_t> key_of = {codes<uint16_t>(a.codec)};
        const uint16_t *in = (const uint16_t *)a.in;
        uint16_t key[loads];
#pragma unroll
        for (unsigned i = 0; i < loads; i++) {
            const uint32_t at = i * COUNTING_THREADS + threadIdx.x;
            key[i] = at < count ? in[at] : (uint16_t)0;
        }
        clear();
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < loads; i++)
            if (i * COUNTING_THREADS < count)
                add_of_warp(key_of.codec.encode(key[i]),
                            i * COUNTING_THREADS + threadIdx.x < count);
        __syncthreads();
        put_first_keys();
        fill();
        for (uint32_t i = threadIdx.x; i < count; i += COUNTING_THREADS)
            ((uint16_t *)a.out)[i] = key_of(s.code[i]);
        counting_tell_outcome(a);
    }
};

#endif
