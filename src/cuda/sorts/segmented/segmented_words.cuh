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
#include "cuda/device/sorting_network.cuh"

/* After every item's word, or equal to it in all bits. */
static constexpr uint32_t segmented_last_word = 0xffffffffu;

struct segmented_words {
    uint32_t place_bits;
    uint32_t shift; /* the tag's lowest bit in the code */

    __device__ __forceinline__ uint32_t tag_bits() const
    {
        return 32 - place_bits;
    }

    /* For codes that differ in their lowest `bits` bits only. */
    __device__ __forceinline__ void take_highest_of(uint32_t bits)
    {
        shift = bits > tag_bits() ? bits - tag_bits() : 0;
    }

    template <typename K> __device__ __forceinline__ uint32_t of(K code, uint32_t place) const
    {
        return code_window(code, shift) << place_bits | place;
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

/* In a network of fewer comparators words cost more than they save. */
template <typename K, unsigned Count>
static constexpr bool segmented_takes_words = sizeof(K) >= 4 && Count * sizeof(K) > 32;

/*
 * Sorts one lane's segment of up to `Count` items, of which number i lies at at(i): their codes,
 * and in `source` where each came from. Every lane of the warp calls it, and may read the codes of
 * others until all have.
 */
template <unsigned Count, typename K, typename At>
static __device__ __forceinline__ void segmented_sort_words(K *code, uint16_t *source,
                                                            uint32_t length, At at)
{
    segmented_words form = {Count > 16 ? 5u : Count > 8 ? 4u : 3u, 0};
    uint32_t x[Count];
    K sorted[Count], differing = 0;
    static_assert(Count <= 32, "places of five bits");
#pragma unroll
    for (unsigned i = 1; i < Count; i++)
        differing |= i < length ? code[at(i)] ^ code[at(0)] : (K)0;
    form.take_highest_of(code_bit_length(differing));
#pragma unroll 1
    for (uint32_t turn = 0;; turn++) {
#pragma unroll
        for (unsigned i = 0; i < Count; i++) {
            const uint32_t from = turn ? source[at(i)] : at(i);
            x[i] = i < length ? form.of(code[from], i) : segmented_last_word;
        }
        odd_even_merge_sort(x);
        bool in_order = true;
#pragma unroll
        for (unsigned i = 0; i < Count; i++) {
            if (i >= length)
                continue;
            const uint32_t from = at(form.place(x[i]));
            x[i] = turn ? source[from] : from;
            sorted[i] = code[x[i]];
            in_order &= i == 0 || !(sorted[i] < sorted[i - (i > 0)]);
        }
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            if (i < length)
                source[at(i)] = (uint16_t)x[i];
        if (__all_sync(0xffffffffu, in_order))
            break;
        form.shift = turn * form.tag_bits();
    }
#pragma unroll
    for (unsigned i = 0; i < Count; i++)
        if (i < length)
            code[at(i)] = sorted[i];
}

#endif
