/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finishing a leaf of wide keys. As in msd_local.cuh bins put keys almost in place, but what the
 * rounds of transposition move are words of 32 bits: bits of the key, and below them the lowest
 * bits of the place where it lies. Bins are in order already, so a key goes no farther than its bin
 * is long, and in bins of at most half of what these bits count, they and the place where the word
 * ends say where the key is. Keys themselves move once more, on their way out.
 *
 * Where two neighbours agree in the bits of their words, or a bin is too long, rounds move keys.
 */
#ifndef CONSORT_MSD_WORDED_CUH
#define CONSORT_MSD_WORDED_CUH

#include "cuda/sorts/msd/msd_local.cuh"

enum {
    /* Of a word for the place. One more would double the leaves (3 % of 4096 even keys) of which
     * words leave neighbours undecided, one less would let bins have four keys. */
    MSD_PLACE_BITS = 4,
    MSD_TAG_BITS = 32 - MSD_PLACE_BITS,
    MSD_PLACES = 1 << MSD_PLACE_BITS,
    MSD_WORDED_BIN = MSD_PLACES / 2 /* most keys of a bin */
};

/* Words of keys: neighbours whose tags agree are in no order, unless tags are whole keys. Behind
 * `count` words is padding. */
struct msd_word_order {
    uint32_t undecided, count;

    __device__ __forceinline__ bool in_order(uint32_t word, uint32_t next,
                                             uint32_t place_of_next) const
    {
        return (word | undecided) < next || place_of_next >= count;
    }
};

/* Two turns sort nearly all leaves that words can sort. */
template <typename K, unsigned Threads, unsigned Items, unsigned BinBits>
struct msd_worded : msd_local<K, Threads, Items, BinBits> {
    using plain = msd_local<K, Threads, Items, BinBits>;

    struct alignas(16) storage : plain::storage {
        uint32_t word[plain::keys];
    };

    uint32_t *word;

    static_assert(sizeof(K) > sizeof(uint32_t), "words are shorter than keys");
    static_assert(BinBits <= MSD_TAG_BITS, "words tell bins apart");

    __device__ __forceinline__ msd_worded(const msd_arguments &a, storage &memory)
        : msd_worded(a.codec, memory)
    {
    }

    __device__ __forceinline__ msd_worded(const code_constants &constants, storage &memory)
        : plain(constants, memory), word(memory.word)
    {
    }

    /* Of keys in their bins; true for all threads if words are in order and decide it. */
    __device__ __forceinline__ bool sort_words(K base, uint32_t bits)
    {
        const K *key = this->s.key;
        const uint32_t all = this->count, shift = bits > MSD_TAG_BITS ? bits - MSD_TAG_BITS : 0;
        const msd_word_order order = {shift ? MSD_PLACES - 1u : 0u, all};
        const auto make = [=](uint32_t(&made)[Items], uint32_t own) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                made[i] = code_window((K)(key[own + i] - base), shift) << MSD_PLACE_BITS |
                          (own + i) % MSD_PLACES;
            if (own + Items > all)
#pragma unroll
                for (unsigned i = 0; i < Items; i++)
                    made[i] = own + i < all ? made[i] : ~0u;
        };
        const auto load = [from = word](uint32_t(&loaded)[Items], uint32_t own) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                loaded[i] = from[own + i];
        };
        return transposition_turn<Items, plain::rounds>(word, all, make, order) ||
               transposition_turn<Items, plain::rounds>(word, all, load, order);
    }

    template <typename To, typename Decode>
    __device__ __forceinline__ void write_by_words(const To &to, const Decode &decode) const
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t at = i * Threads + threadIdx.x, lowest = at - MSD_WORDED_BIN;
            if (at < this->count)
                msd_put(to, at, decode(this->s.key[lowest + (word[at] - lowest) % MSD_PLACES]));
        }
    }

    /* As that of msd_local. */
    template <typename To, typename Fetch>
    __device__ __forceinline__ void sort_within(K base, uint32_t bits, const To &to,
                                                const Fetch &fetch_next)
    {
        const msd_bins_filled filled =
            this->template put_in_bins<MSD_WORDED_BIN>(plain::digit_for(base, bits));
        if (plain::fetches_early)
            fetch_next();
        if (filled.many || !sort_words(base, bits)) {
            msd_finish_bins<plain>(this->s, this->count, filled.crowded);
            this->write(to);
        } else {
            this->codec.with_decoder([&](const auto &decode) { write_by_words(to, decode); });
        }
        if (!plain::fetches_early)
            fetch_next();
    }
};

/* What finishes small leaves, most of all keys. */
template <typename K, unsigned Threads, unsigned Items, unsigned BinBits> struct msd_small {
    using leaf = msd_worded<K, Threads, Items, BinBits>;
};

template <unsigned Threads, unsigned Items, unsigned BinBits>
struct msd_small<uint32_t, Threads, Items, BinBits> {
    using leaf = msd_local<uint32_t, Threads, Items, BinBits>;
};

#endif
