/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists with few different keys: a sample shows them all, and the count how many there are of each.
 * One stable pass by a key's rank among them sorts, where passes over bytes would take as many as
 * there are bytes in which keys differ. A key that the sample missed ends it: the passes over bytes
 * follow, as for other crowded lists.
 */
#ifndef CONSORT_HYBRID_FEW_CUH
#define CONSORT_HYBRID_FEW_CUH

#include "cuda/device/codes.cuh"
#include "cuda/device/few_codes.cuh"
#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_tuning.h"
#include "cuda/sorts/lsd/lsd_pass.cuh"

static_assert((unsigned)HYBRID_FEW == (unsigned)FEW_CODES, "the host reserves memory for all");

template <typename K> struct hybrid_few_storage {
    few_codes<K, HYBRID_COUNT_THREADS> few;
    uint32_t counts[FEW_CODES];
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

    /* Every thread has sampled one code: how many different ones there are; 0 if they are not few,
     * or if there is but one. */
    __device__ __forceinline__ uint32_t find(K own)
    {
        if (threadIdx.x < FEW_CODES)
            s.counts[threadIdx.x] = 0;
        const uint32_t found = s.few.find(own);
        return found > 1 ? found : 0;
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
                code[i] = at < a.sort.count ? codec.encode(keys[at]) : s.few.codes[0];
            }
#pragma unroll
            for (unsigned i = 0; i < items; i++) {
                const bool real = first + i * HYBRID_COUNT_THREADS + threadIdx.x < a.sort.count;
                const uint32_t rank = few_code_rank(s.few.codes, code[i]);
                all &= s.few.codes[rank] == code[i];
                few_codes_count(s.counts, rank, real);
            }
        }
        return __syncthreads_and(all);
    }

    __device__ __forceinline__ void add_counts() const
    {
        if (threadIdx.x < FEW_CODES && s.counts[threadIdx.x])
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
        control->bins[0][threadIdx.x] = warp_inclusive_sum(count) - count;
        code_to_words(s.few.codes[threadIdx.x], &a.few_codes[2 * threadIdx.x]);
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

    struct origin : base::origin {
        const K *few;
    };

    __device__ __forceinline__ explicit hybrid_few_tile(const origin &same)
        : base(static_cast<const typename base::origin &>(same)), few(same.few)
    {
    }

    __device__ __forceinline__ origin whence() const
    {
        return {base::whence(), few};
    }

    __device__ __forceinline__ uint32_t digit_at(uint64_t i) const
    {
        const K key = ((const K *)this->route.keys_in)[i];
        return few_code_rank(few, codes<K>(this->a.codec).encode(key));
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
                this->code[i] = (K)few_code_rank(few, codec.encode(this->code[i]));
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
