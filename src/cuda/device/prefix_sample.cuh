/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the upper bytes of keys, a prefix, tell nearly all different keys of a sample apart.
 * Equal keys may be as many as they like, unless others share their prefix. A block puts its sample
 * into a table by their prefixes.
 */
#ifndef CONSORT_PREFIX_SAMPLE_CUH
#define CONSORT_PREFIX_SAMPLE_CUH

#include "code_range.cuh"

/* Sampled keys beyond the first of a prefix that others have, too: so many of one prefix, and of
 * all, are not too many. */
struct prefix_limits {
    uint32_t of_one;
    float of_all;
};

/* Numbers of bytes that may be left out; none if the least is more than the most. */
struct prefix_cuts {
    uint32_t least, most;
};

/* Of keys that differ in these bits, so many bytes that at least `saved` of those in which keys
 * differ are left out, and at least `kept` are not. */
template <typename K>
static __device__ __forceinline__ prefix_cuts prefix_cuts_of(K varying, uint32_t saved,
                                                             uint32_t kept)
{
    prefix_cuts cuts = {sizeof(K), 0};
    uint32_t below = 0, above = 0;
#pragma unroll
    for (uint32_t i = 0; i < sizeof(K); i++) {
        below += (code_window(varying, 8 * i) & 0xff) != 0;
        if (below >= saved)
            cuts.least = min(cuts.least, i + 1);
        above += (code_window(varying, 8 * (sizeof(K) - 1 - i)) & 0xff) != 0;
        if (above >= kept)
            cuts.most = max(cuts.most, (uint32_t)sizeof(K) - 1 - i);
    }
    return cuts;
}

template <typename K, unsigned Threads, unsigned Samples> struct prefix_sample {
    static constexpr unsigned samples = Samples, slots = 2 * samples, each = samples / Threads;

    /* A slot has the number of the first key with its prefix, plus one; above it, how many more
     * there are; and at the top whether any is another key. */
    struct storage {
        K key[samples];
        uint32_t slot[slots];
    };
    static constexpr uint32_t numbers = (1u << 14) - 1, more = numbers + 1, other = 1u << 31;
    static_assert(samples <= numbers, "a number, and one more count, fit a slot");

    storage &s;
    uint32_t *varying_words; /* four, in shared memory */
    uint32_t *told;          /* in shared memory */

    /* The thread's code of a row of samples, one of each thread. */
    __device__ __forceinline__ void keep(unsigned row, K code) const
    {
        s.key[row * Threads + threadIdx.x] = code;
    }

    /* Bits that differ for any thread of the block. Holds two barriers. */
    __device__ __forceinline__ K differing(K varying) const
    {
        if (threadIdx.x < 4)
            varying_words[threadIdx.x] = 0;
        __syncthreads();
        return code_any_of_block(varying, varying_words);
    }

    static __device__ __forceinline__ uint32_t slot_of(K prefix)
    {
        const uint32_t word = code_hash(prefix);
        return (word ^ word >> 15) % slots;
    }

    /* How many samples more than one have a prefix that is in the slot, if they differ. */
    static __device__ __forceinline__ uint32_t alike(uint32_t slot)
    {
        return slot & other ? (slot & ~other) / more : 0;
    }

    /* Puts a sample to its slot. Returns how many of those with its prefix are there, if they
     * differ, as far as it has seen: if more than `most` it need not wait until it can add itself.
     */
    __device__ __forceinline__ uint32_t add(uint32_t number, uint32_t cut_bits, uint32_t most) const
    {
        const K own = s.key[number], prefix = (K)(own >> cut_bits);
        for (uint32_t at = slot_of(prefix);; at = (at + 1) % slots) {
            const uint32_t there = atomicCAS(&s.slot[at], 0u, number + 1);
            if (there == 0)
                return 0;
            const K first = s.key[(there & numbers) - 1];
            if ((K)(first >> cut_bits) != prefix)
                continue;
            if (alike(there) > most)
                return alike(there);
            atomicAdd(&s.slot[at], more);
            if (first != own && !(there & other))
                atomicOr(&s.slot[at], other);
            return first != own || there & other ? alike(there | other) + 1 : 0;
        }
    }

    /* Whether groups of different keys without their lowest `cut` bytes are small enough. Of most
     * others a part of the sample tells: `need` is told of each row before it is looked at, and
     * returns when all threads have kept their codes. */
    template <typename Need>
    __device__ __forceinline__ bool separates(uint32_t cut, const prefix_limits &most,
                                              const Need &need) const
    {
        for (unsigned i = threadIdx.x; i < slots; i += Threads)
            s.slot[i] = 0;
        if (threadIdx.x == 0)
            *told = 0;
        __syncthreads();
        float seen = 0;
        for (unsigned i = 0; i < each; i++) {
            need(i);
            seen += __syncthreads_count(add(i * Threads + threadIdx.x, 8 * cut, most.of_one) > 0);
            if (seen > most.of_all)
                return false;
        }
        bool large = false;
        uint32_t all = 0;
        for (unsigned i = threadIdx.x; i < slots; i += Threads) {
            large |= alike(s.slot[i]) > most.of_one;
            all += alike(s.slot[i]);
        }
        all = __reduce_add_sync(0xffffffffu, all);
        if (threadIdx.x % 32 == 0 && all)
            atomicAdd(told, all);
        large = __syncthreads_or(large);
        const bool few = (float)*told <= most.of_all;
        __syncthreads();
        return few && !large;
    }

    /* How many samples find another key with their prefix in its slot, of about three quarters of
     * those that there are: each slot has the last that came, of whatever prefix. That takes a
     * sixth of the time of separates() if few do. */
    __device__ __forceinline__ uint32_t clashes(uint32_t cut) const
    {
        uint32_t clashing = 0;
#pragma unroll
        for (unsigned i = 0; i < each; i++) {
            const uint32_t number = i * Threads + threadIdx.x;
            atomicExch(&s.slot[slot_of((K)(s.key[number] >> 8 * cut))], number);
        }
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < each; i++) {
            const K own = s.key[i * Threads + threadIdx.x], prefix = (K)(own >> 8 * cut);
            const K last = s.key[s.slot[slot_of(prefix)]];
            clashing += (K)(last >> 8 * cut) == prefix && last != own;
        }
        if (threadIdx.x == 0)
            *told = 0;
        __syncthreads();
        clashing = __reduce_add_sync(0xffffffffu, clashing);
        if (threadIdx.x % 32 == 0 && clashing)
            atomicAdd(told, clashing);
        __syncthreads();
        return *told;
    }
};

#endif
