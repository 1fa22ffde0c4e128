/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How items that carry an index are sorted: as words of 32 bits, of which the highest are bits of
 * the code, the tag, and the lowest the item's place. No two words are equal, and equal tags keep
 * their order, so that a network of the cheapest comparators, two instructions whatever the key,
 * sorts stably. A tag begins at the highest bit in which the codes differ. If they differ in more
 * bits than it has, codes with equal tags may be out of order; who asks finds out, and sorts again,
 * from the lowest bits up, a tag at a time.
 */
#ifndef CONSORT_SEGMENTED_WORDS_CUH
#define CONSORT_SEGMENTED_WORDS_CUH

#include "cuda/device/code_range.cuh"

/* After every item's word, or equal to it in all bits. */
static constexpr uint32_t segmented_last_word = 0xffffffffu;

struct segmented_words {
    uint32_t place_bits;
    uint32_t rank_bits; /* above the tag: of the segment, where several share a leaf */
    uint32_t shift;     /* the tag's lowest bit in the code */
    bool bounded;       /* some codes differ above the tag: theirs is its lowest or highest value */

    __device__ __forceinline__ uint32_t tag_bits() const
    {
        return 32 - place_bits - rank_bits;
    }

    /* For codes that differ in their lowest `bits` bits only. */
    __device__ __forceinline__ void take_highest_of(uint32_t bits)
    {
        shift = bits > tag_bits() ? bits - tag_bits() : 0;
        bounded = false;
    }

    template <typename K> __device__ __forceinline__ uint32_t of(K code, uint32_t place) const
    {
        const uint32_t tag = code_window(code, shift) << place_bits;
        return (tag & 0xffffffffu >> rank_bits) | place;
    }

    /* If the codes that differ in the tag's bits and below, from the leaf's first, are `low` to
     * `high`. */
    template <typename K>
    __device__ __forceinline__ uint32_t within(K code, K low, K high, uint32_t place) const
    {
        const uint32_t word = code < low ? place : of(code, place);
        return code > high ? word | ~((1u << place_bits) - 1) : word;
    }

    __device__ __forceinline__ uint32_t place(uint32_t word) const
    {
        return word & ((1u << place_bits) - 1);
    }

    __device__ __forceinline__ bool alike(uint32_t a, uint32_t b) const
    {
        return (a ^ b) >> place_bits == 0;
    }
};

#endif
