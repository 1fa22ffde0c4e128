/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists with few different keys: a sample shows them all, and the count how many there are of each.
 * One stable pass by a key's rank among them sorts, where passes over bytes would take as many as
 * there are bytes in which keys differ. A key that the sample missed ends it: the passes over bytes
 * follow, as for other crowded lists.
 */
#ifndef CONSORT_HYBRID_FEW_CUH
#define CONSORT_HYBRID_FEW_CUH

#include "cuda/device/code_range.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/digit_match.cuh"
#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_tuning.h"
#include "cuda/sorts/lsd/lsd_pass.cuh"

enum {
    HYBRID_FEW_BITS = 5,
    HYBRID_FEW_WARPS = HYBRID_COUNT_THREADS / 32
};
static_assert(HYBRID_FEW == 1 << HYBRID_FEW_BITS && HYBRID_FEW == 32, "a lane for each");

/* The rank of a code among those in order, of which it is one; codes beyond the last are the
 * highest. */
template <typename K>
static __device__ __forceinline__ uint32_t hybrid_few_rank(const K *codes, K code)
{
    uint32_t rank = 0;
#pragma unroll
    for (unsigned step = HYBRID_FEW / 2; step > 0; step /= 2)
        rank += codes[rank + step - 1] < code ? step : 0;
    return rank;
}

template <typename K> struct alignas(16) hybrid_few_storage {
    K codes[HYBRID_FEW];
    K least[HYBRID_FEW_WARPS];
    uint32_t seen[32]; /* a bit for each of 1024 hashes */
    uint32_t counts[HYBRID_FEW];
};

template <typename K> struct hybrid_few {
    static constexpr unsigned items = sizeof(K) < 16 ? 8 : 4;
    const hybrid_arguments &a;
    hybrid_few_storage<K> &s;
    const codes<K> codec;

    __device__ __forceinline__ hybrid_few(const hybrid_arguments &arguments,
                                          hybrid_few_storage<K> &storage)
        : a(arguments), s(storage), codec(a.sort.codec)
    {
    }

    static __device__ __forceinline__ uint32_t hash(K code)
    {
        uint32_t folded = 0;
#pragma unroll
        for (unsigned i = 0; i < sizeof(K) / 4; i++)
            folded = (folded ^ code_window(code, 32 * i)) * 0x9e3779b1u;
        return folded >> 22;
    }

    static __device__ __forceinline__ K warp_least(K code)
    {
#pragma unroll
        for (int mask = 16; mask > 0; mask /= 2)
            code = code_lower(code, code_from_lane_xor(code, mask));
        return code;
    }

    /* At least as many as hashes: more than a few of most crowded lists, found out soon. */
    __device__ __forceinline__ bool seem_few(K own)
    {
        if (threadIdx.x < 32)
            s.seen[threadIdx.x] = s.counts[threadIdx.x] = 0;
        if (threadIdx.x < HYBRID_FEW)
            s.codes[threadIdx.x] = (K) ~(K)0;
        __syncthreads();
        const uint32_t bit = hash(own);
        atomicOr(&s.seen[bit / 32], 1u << bit % 32);
        __syncthreads();
        const uint32_t seen = __reduce_add_sync(0xffffffffu, __popc(s.seen[threadIdx.x % 32]));
        return seen > 1 && seen <= HYBRID_FEW;
    }

    /* Every thread has sampled one code: how many different ones, which stand in order then; 0 if
     * they are not few. */
    __device__ __forceinline__ uint32_t find(K own)
    {
        if (!seem_few(own))
            return 0;
        bool left = true;
        uint32_t found = 0;
        for (; found < HYBRID_FEW; found++) {
            const K least = warp_least(left ? own : (K) ~(K)0);
            if (threadIdx.x % 32 == 0)
                s.least[threadIdx.x / 32] = least;
            if (!__syncthreads_or(left))
                return found;
            const K next = warp_least(s.least[threadIdx.x % 32]);
            if (threadIdx.x == 0)
                s.codes[found] = next;
            left &= own != next;
            __syncthreads();
        }
        return __syncthreads_or(left) ? 0 : found;
    }

    /* False if some key is another. */
    __device__ __forceinline__ bool count()
    {
        const K *keys = (const K *)a.sort.keys_in;
        const uint64_t round = (uint64_t)items * HYBRID_COUNT_THREADS;
        bool all = true;
        for (uint64_t first = blockIdx.x * round; first < a.sort.count;
             first += gridDim.x * round) {
            K code[items];
#pragma unroll
            for (unsigned i = 0; i < items; i++) {
                const uint64_t at = first + i * HYBRID_COUNT_THREADS + threadIdx.x;
                code[i] = at < a.sort.count ? codec.encode(keys[at]) : s.codes[0];
            }
#pragma unroll
            for (unsigned i = 0; i < items; i++) {
                const bool real = first + i * HYBRID_COUNT_THREADS + threadIdx.x < a.sort.count;
                const uint32_t rank = hybrid_few_rank(s.codes, code[i]);
                all &= s.codes[rank] == code[i];
                const uint32_t peers =
                    digit_match<HYBRID_FEW_BITS>(rank) & __ballot_sync(0xffffffffu, real);
                if (real && (peers & lanemask_lt()) == 0)
                    atomicAdd(&s.counts[rank], (uint32_t)__popc(peers));
            }
        }
        return __syncthreads_and(all);
    }

    __device__ __forceinline__ void add_counts() const
    {
        if (threadIdx.x < HYBRID_FEW && s.counts[threadIdx.x])
            atomicAdd(&a.control->few_counts[threadIdx.x], s.counts[threadIdx.x]);
    }

    /* By one block, when all keys are counted. */
    __device__ __forceinline__ void plan(uint32_t found) const
    {
        lsd_control *control = a.sort.control;
        if (threadIdx.x < sizeof(K))
            control->step[threadIdx.x] = LSD_SKIPPED;
        if (threadIdx.x >= 32)
            return;
        const uint32_t count = load_relaxed(&a.control->few_counts[threadIdx.x]);
        control->bins[0][0][threadIdx.x] = warp_inclusive_sum(count) - count;
        code_to_words(s.codes[threadIdx.x], a.control->few_codes[threadIdx.x]);
        if (threadIdx.x > 0)
            return;
        a.control->few = found;
        control->step_count = 1;
        control->planned = 1;
    }
};

/* Keys are their ranks, as long as they are in the tile. */
template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items, bool Ahead>
struct hybrid_few_tile : lsd_tile<K, ValueBytes, Threads, Items, Ahead> {
    using base = lsd_tile<K, ValueBytes, Threads, Items, Ahead>;
    const K *few; /* codes in order, in shared memory */

    __device__ __forceinline__ hybrid_few_tile(const lsd_arguments &arguments,
                                               typename base::storage &memory, const K *codes)
        : base(arguments, memory, lsd_route_of_step(arguments, 0), 0), few(codes)
    {
    }

    __device__ __forceinline__ void load_keys()
    {
        const codes<K> codec(this->a.codec);
        const K *in = (const K *)this->route.keys_in + this->first;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            this->code[i] = base::position(i) < this->filled ? in[base::position(i)] : (K) ~(K)0;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (base::position(i) < this->filled)
                this->code[i] = (K)hybrid_few_rank(few, codec.encode(this->code[i]));
    }

    __device__ __forceinline__ void store_keys()
    {
        const codes<K> codec(this->a.codec);
        K *out = (K *)this->route.keys_out;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = i * Threads + threadIdx.x;
            const uint32_t rank = this->digit(this->s.buffer.keys_sorted[j]);
            if (out && j < this->filled)
                out[this->target(rank, j)] = codec.decode(few[rank]);
            this->sorted_digit.set(i, rank);
        }
    }
};

#endif
