/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many of the lowest bytes of wide keys need no passes, where leaves by cells are of no use: if
 * the bytes above, the prefix, tell nearly all different keys of a sample apart, the list is sorted
 * by these, and groups with the same prefix are put in order in shared memory. Equal keys may be as
 * many as they like, unless others share their prefix.
 */
#ifndef CONSORT_HYBRID_PREFIX_CUH
#define CONSORT_HYBRID_PREFIX_CUH

#include "cuda/device/code_range.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/flag.cuh"
#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_sample.cuh"

/* Of a block that counts, in the place of its counters. */
template <typename K> struct hybrid_prefix {
    static constexpr unsigned samples = 65536 / sizeof(K), slots = 2 * samples;
    static constexpr unsigned each = samples / HYBRID_COUNT_THREADS;
    static constexpr float usual = 0.625f; /* of the largest group an item's own, on average */

    /* A slot has the number of the first key with its prefix, plus one; above it, how many more
     * there are; and at the top whether any is another key. */
    struct storage {
        K key[samples];
        uint32_t slot[slots];
    };
    static constexpr uint32_t numbers = (1u << 14) - 1, more = numbers + 1, other = 1u << 31;
    static_assert(samples <= numbers, "a number, and one more count, fit a slot");

    const hybrid_arguments &a;
    hybrid_count_storage &count;
    storage &s;

    __device__ __forceinline__ hybrid_prefix(const hybrid_arguments &arguments,
                                             hybrid_count_storage &memory)
        : a(arguments), count(memory), s(*(storage *)memory.pairs)
    {
        static_assert(sizeof(storage) <= sizeof memory.pairs, "in the place of counters");
    }

    __device__ __forceinline__ K key_at(uint32_t number) const
    {
        return hybrid_sampled_key<K, samples>(a, number);
    }

    /* Fetches the sample; returns the bits in which it differs. Holds two barriers. */
    __device__ __forceinline__ K take() const
    {
        const codes<K> codec(a.sort.codec);
        K first = key_at(0), code[each], varying = 0;
#pragma unroll
        for (unsigned i = 0; i < each; i++)
            code[i] = key_at(i * HYBRID_COUNT_THREADS + threadIdx.x);
        if (threadIdx.x < 4)
            count.varying[threadIdx.x] = 0;
        first = codec.encode(first);
        codec.encode_all(code);
#pragma unroll
        for (unsigned i = 0; i < each; i++) {
            s.key[i * HYBRID_COUNT_THREADS + threadIdx.x] = code[i];
            varying |= (K)(code[i] ^ first);
        }
        __syncthreads();
        return code_any_of_block(varying, count.varying);
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

    /* Puts a sample to its slot. Returns whether too many are there: then it need not wait until it
     * can add itself. */
    __device__ __forceinline__ bool add(uint32_t number, uint32_t cut_bits, uint32_t most) const
    {
        const K own = s.key[number], prefix = (K)(own >> cut_bits);
        for (uint32_t at = slot_of(prefix);; at = (at + 1) % slots) {
            uint32_t there = shared_flag_poll_acquire(&s.slot[at]);
            if (there == 0)
                there = atomicCAS(&s.slot[at], 0u, number + 1);
            if (there == 0)
                return false;
            const K first = s.key[(there & numbers) - 1];
            if ((K)(first >> cut_bits) != prefix)
                continue;
            if (alike(there) > most)
                return true;
            atomicAdd(&s.slot[at], more);
            if (first != own && !(there & other))
                atomicOr(&s.slot[at], other);
            return false;
        }
    }

    /* Whether groups of different keys are small enough: so many samples of one, and of all, would
     * say otherwise. */
    __device__ __forceinline__ bool separates(uint32_t cut) const
    {
        const float share = (float)samples / (float)a.sort.count;
        const uint32_t most_of_one = 4 + (uint32_t)(2 * share * (float)a.group);
        const float most = 4 + samples * share * (float)a.group * usual / 2;
        for (unsigned i = threadIdx.x; i < slots; i += HYBRID_COUNT_THREADS)
            s.slot[i] = 0;
        if (threadIdx.x == 0)
            count.told = 0;
        __syncthreads();
        bool large = false;
#pragma unroll
        for (unsigned i = 0; i < each; i++)
            large |= add(i * HYBRID_COUNT_THREADS + threadIdx.x, 8 * cut, most_of_one);
        __syncthreads();
        uint32_t all = 0;
        for (unsigned i = threadIdx.x; i < slots; i += HYBRID_COUNT_THREADS) {
            large |= alike(s.slot[i]) > most_of_one;
            all += alike(s.slot[i]);
        }
        all = __reduce_add_sync(0xffffffffu, all);
        if (threadIdx.x % 32 == 0 && all)
            atomicAdd(&count.told, all);
        large = __syncthreads_or(large);
        const bool few = (float)count.told <= most;
        __syncthreads();
        return few && !large;
    }

    /* How many bytes may be left out: so many that it pays, and so few that a prefix is left; with
     * a greater least than most, none. */
    __device__ __forceinline__ void find_range(uint32_t &least, uint32_t &most) const
    {
        const K varying = take();
        const uint32_t told = (code_bit_length(varying) + 7) / 8;
        uint32_t below = 0;
        for (least = 0; least < told && below < HYBRID_PREFIX_SAVED; least++)
            below += (code_window(varying, 8 * least) & 0xff) != 0;
        most = max(told, (uint32_t)HYBRID_PREFIX_BYTES) - HYBRID_PREFIX_BYTES;
        if (below < HYBRID_PREFIX_SAVED)
            least = most + 1;
    }

    /* Tells which of some numbers of bytes, `step` apart, may be left out. */
    __device__ __forceinline__ void tell(uint32_t first, uint32_t step) const
    {
        uint32_t least, most;
        find_range(least, most);
        for (uint32_t cut = least + first; cut <= most; cut += step)
            if (separates(cut) && threadIdx.x == 0)
                atomicOr(&a.control->separating, 1u << cut);
    }
};

/* By all blocks, if all know that keys are uneven: they share prefixes out. */
template <typename K>
static __device__ __forceinline__ void hybrid_look_at_prefixes(const hybrid_arguments &a,
                                                               hybrid_count_storage &s)
{
    const uint32_t blocks = min(gridDim.x, (unsigned)sizeof(K));
    if (blockIdx.x < blocks)
        hybrid_prefix<K>(a, s).tell(blockIdx.x, blocks);
}

/* By the last block: the shortest prefix that is known to separate keys, if any is; else, if others
 * did not know that keys are uneven, it looks at all. */
template <typename K>
static __device__ __forceinline__ void hybrid_choose_prefix(const hybrid_arguments &a, bool looked,
                                                            hybrid_count_storage &s)
{
    __syncthreads();
    if (!looked)
        hybrid_prefix<K>(a, s).tell(0, 1);
    if (threadIdx.x > 0)
        return;
    const uint32_t separating = load_relaxed(&a.control->separating);
    if (separating == 0)
        return;
    a.sort.control->cut = 31 - (uint32_t)__clz((int)separating);
    a.sort.control->leaves = LSD_GROUPS;
}

#endif
