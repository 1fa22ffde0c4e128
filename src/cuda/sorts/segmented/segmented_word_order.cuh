/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a tile's leaves, for one warp or one block: codes stand in shared memory, and their
 * words (segmented_words.cuh) go through the network in their place.
 */
#ifndef CONSORT_SEGMENTED_WORD_ORDER_CUH
#define CONSORT_SEGMENTED_WORD_ORDER_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/placed_code.cuh"
#include "cuda/sorts/segmented/segmented_scope.cuh"
#include "cuda/sorts/segmented/segmented_words.cuh"

enum {
    /* Of exchanges between neighbours with equal tags, before passes take over. Of 8192 uniform
     * keys 128 have the tag of another one, hardly ever of three others. */
    SEGMENTED_SETTLE_ROUNDS = 6
};

template <typename K, unsigned Items, typename Scope> struct segmented_word_order {
    using code_word = typename compared_code<K>::type;

    code_word *code;
    uint32_t *words;
    uint16_t *followed; /* the item at each place, where it takes passes */
    bool by_passes;     /* it took them */
    segmented_words form;
    const uint32_t own_word, own_code; /* where this thread's stand in the tile */
    uint32_t leaf_items, leaf_first; /* places of a leaf; the first of this thread's in the tile */
    uint32_t own_first, mine;        /* this thread's first place in it; its items that there are */
    uint32_t begins, first_rank; /* ranked: own places that begin a segment, a bit each; how many
                                  * segments begin before */

    __device__ __forceinline__ segmented_word_order(code_word *codes, uint32_t *memory,
                                                    uint16_t *places)
        : code(codes), words(memory), followed(places), by_passes(false), form{0, 0, 0, false},
          own_word(word_at(thread() * Items)), own_code(code_at(thread() * Items)), leaf_items(0),
          leaf_first(0), own_first(0), mine(0), begins(0), first_rank(0)
    {
    }

    /* This thread's leaf, which `lanes` threads sort, has `length` items. */
    __device__ __forceinline__ void begin(uint32_t lanes, uint32_t length)
    {
        leaf_items = lanes * Items;
        leaf_first = (thread() & ~(lanes - 1)) * Items;
        own_first = thread() * Items - leaf_first;
        mine = length > own_first ? min(length - own_first, (uint32_t)Items) : 0;
        form.place_bits = 31 - (uint32_t)__clz((int)leaf_items);
    }

    /* This warp's leaf is so many segments, which begin where `bits` has a bit for their place. */
    __device__ __forceinline__ void rank(const uint32_t *bits, uint32_t segments)
    {
        begins = bits[own_first / 32] >> own_first % 32 & ((1u << Items) - 1);
        const uint32_t count = (uint32_t)__popc(begins);
        first_rank = warp_inclusive_sum(count) - count;
        form.rank_bits = 32 - (uint32_t)__clz((int)segments);
    }

    /* Leaves the items' order in `words`, as their places. Codes are there, but for a barrier. */
    __device__ __forceinline__ void sort(uint32_t length)
    {
        constexpr bool one_tag = sizeof(K) < 4;
        Scope::sync();
        const uint32_t bits = one_tag ? all_bits() : choose_tag();
        by_passes = false;
        uint32_t x[Items];
#pragma unroll 1
        for (bool done = false; !done;) {
            if (by_passes)
                take_followed(x);
            else
                take(x);
            Scope::sort(x, leaf_items / Items, words, length);
            if (by_passes) {
                done = follow(x, bits);
                continue;
            }
            put(x);
            done =
                one_tag || (form.shift == 0 && !(Scope::leaves_out && form.bounded)) || settled(x);
            if (!done)
                begin_passes();
        }
    }

    /* Where a word, or what follows it, and a code of the tile lie in shared memory. */
    static __device__ __forceinline__ uint32_t word_at(uint32_t place)
    {
        return network_skewed<uint32_t, Items>(place);
    }

    static __device__ __forceinline__ uint32_t code_at(uint32_t place)
    {
        return network_skewed<code_word, Items>(place);
    }

  private:
    static __device__ __forceinline__ uint32_t thread()
    {
        return Scope::first_thread() + threadIdx.x % 32;
    }

    /* Of this thread's codes and the leaf's first: bits up to the highest that is not the same. */
    __device__ __forceinline__ uint32_t differing_bits() const
    {
        const code_word first = code[code_at(leaf_first)];
        code_word differing = 0;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i < mine)
                differing |= code[own_code + i] ^ first;
        return code_bit_length(differing);
    }

    /* Of codes that a tag holds. */
    __device__ __forceinline__ uint32_t all_bits()
    {
        form.take_highest_of(8 * sizeof(K));
        return 8 * sizeof(K);
    }

    /* Bits in which codes differ. The tag leaves out those in which only one thread's of a leaf do:
     * one outlier would leave all others the same tag. */
    __device__ __forceinline__ uint32_t choose_tag()
    {
        const uint32_t own = differing_bits(), bits = Scope::most(own, words);
        form.take_highest_of(bits);
        if constexpr (Scope::leaves_out) {
            if (form.shift > 0 && Scope::count(own == bits) == 1) {
                form.take_highest_of(Scope::most(own == bits ? 0 : own, words));
                form.bounded = true;
            }
        }
        return bits;
    }

    __device__ __forceinline__ void take_bounded(uint32_t (&x)[Items]) const
    {
        const code_word first = code[code_at(leaf_first)];
        const code_word inside = ((code_word)1 << (form.shift + form.tag_bits())) - 1;
        const code_word low = first & ~inside, high = first | inside;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t word = form.within(code[own_code + i], low, high, own_first + i);
            x[i] = i < mine ? word : segmented_last_word;
        }
    }

    __device__ __forceinline__ void take(uint32_t (&x)[Items]) const
    {
        if constexpr (Scope::leaves_out) {
            if (form.bounded)
                return take_bounded(x);
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t word = form.of(code[own_code + i], own_first + i);
            x[i] = i < mine ? word : segmented_last_word;
        }
        put_ranks(x);
    }

    /* Above the words' tags. Each segment keeps its places, from which passes take them, too. */
    __device__ __forceinline__ void put_ranks(uint32_t (&x)[Items]) const
    {
        if constexpr (Scope::ranked) {
            const uint32_t step = 1u << (32 - form.rank_bits);
            uint32_t rank = (first_rank - 1) * step;
#pragma unroll
            for (unsigned i = 0; i < Items; i++) {
                rank += begins >> i & 1 ? step : 0;
                x[i] |= rank;
            }
        }
    }

    __device__ __forceinline__ void put(const uint32_t (&x)[Items]) const
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            words[own_word + i] = x[i];
        Scope::sync();
    }

    /* False if codes with equal tags are still out of order after some exchanges. */
    __device__ __forceinline__ bool settled(const uint32_t (&x)[Items]) const
    {
        const uint32_t places = leaf_items - 1;
        bool alike = false; /* less one, words that are equal are far apart: those of no item */
#pragma unroll
        for (unsigned i = 0; i + 1 < Items; i++)
            alike |= (x[i] ^ x[i + 1]) - 1 < places;
        if (own_first + Items < leaf_items)
            alike |= (x[Items - 1] ^ words[word_at((thread() + 1) * Items)]) - 1 < places;
        for (unsigned round = 0; Scope::any(alike); round++) {
            if (round == SEGMENTED_SETTLE_ROUNDS)
                return false;
            alike = exchange_neighbours(0);
            Scope::sync();
            alike |= exchange_neighbours(1);
        }
        return true;
    }

    /* Of the whole tile, those whose first is at an even place, or an odd one. True if any moved.
     */
    __device__ __forceinline__ bool exchange_neighbours(uint32_t odd) const
    {
        bool moved = false;
#pragma unroll 4
        for (unsigned i = 0; i < Items / 2; i++) {
            const uint32_t place = 2 * (i * Scope::threads() + thread()) + odd;
            const uint32_t leaf = place & ~(leaf_items - 1);
            if (place + 1 == leaf + leaf_items)
                continue;
            uint32_t &first = words[word_at(place)];
            uint32_t &second = words[word_at(place + 1)];
            const uint32_t low = first, high = second;
            if (!form.alike(low, high))
                continue;
            if (code[code_at(leaf + form.place(high))] < code[code_at(leaf + form.place(low))]) {
                first = high;
                second = low;
                moved = true;
            }
        }
        return moved;
    }

    /* From the lowest bits up, a tag at a time. */
    __device__ __forceinline__ void begin_passes()
    {
        form.shift = 0;
        form.bounded = false;
        by_passes = true;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            followed[own_word + i] = (uint16_t)(own_first + i);
        Scope::sync();
    }

    __device__ __forceinline__ void take_followed(uint32_t (&x)[Items]) const
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t word =
                form.of(code[code_at(leaf_first + followed[own_word + i])], own_first + i);
            x[i] = i < mine ? word : segmented_last_word;
        }
        put_ranks(x);
    }

    /* Puts the order of the pass's words behind that before it. True after the last pass. */
    __device__ __forceinline__ bool follow(uint32_t (&x)[Items], uint32_t bits)
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            x[i] = i < mine ? followed[word_at(leaf_first + form.place(x[i]))] : 0;
        Scope::sync();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            followed[own_word + i] = (uint16_t)x[i];
        put(x);
        form.shift += form.tag_bits();
        return form.shift >= bits;
    }
};

#endif
