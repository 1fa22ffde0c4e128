/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the radix drivers (which know phases, teams and recursion) and their kernels (which know
 * key and value types): the state they share and the table of kernels per type.
 */
#ifndef CONSORT_CPU_RADIX_KERNELS_H
#define CONSORT_CPU_RADIX_KERNELS_H

#include "cpu/radix.h"
#include "cpu/radix_prefix.h"

enum {
    RADIX_MAX_BITS = 11, /* of a digit that goes through write-combining buffers */
    RADIX_MAX_BUCKETS = 1 << RADIX_MAX_BITS,
    RADIX_LEAF_BITS = 10, /* of a digit inside a leaf */
    RADIX_LEAF_BUCKETS = 1 << RADIX_LEAF_BITS,
    RADIX_LEAF_DIGITS = 3,
    RADIX_LEAF_TARGET = 1 << 11, /* items of a leaf whose passes stay in the first-level cache */
    RADIX_LEAF_SPLIT = 1 << 12,  /* a leaf of more items splits itself first */
    RADIX_SCAN = 512,            /* keys whose order is looked at together */
};

/* Where a range of items lies at some moment. */
enum radix_place {
    RADIX_INPUT, /* the caller's input: keys to be encoded, values apart or positions */
    RADIX_ITEMS, /* the workspace: code and value side by side */
    RADIX_CODES, /* the output arrays, holding codes */
    RADIX_FINAL, /* the output arrays, holding keys: only ever a destination */
};

/* One member's private part of the workspace. */
struct radix_scratch {
    void *buffers;      /* RADIX_MAX_BUCKETS write-combining buffers */
    uint64_t *position; /* per bucket: where its next item, or line of items, goes */
    uint32_t *cursor;   /* per bucket: next free item of its buffer */
    uint64_t *begin;    /* per bucket: where this member's items begin */
    uint64_t *counts;   /* per bucket: items of this member */
    uint32_t *digits;   /* RADIX_LEAF_DIGITS histograms and one for a split */
    void *first;        /* two leaf buffers of `leaf_items` items */
    void *second;
    uint128 varying; /* bits in which the codes that this member counted differ */
    uint128 pivot;   /* one of them */
    bool counted;    /* there were any */
};

struct radix_state {
    const void *keys_in;
    const unsigned char *values_in; /* NULL with values: they are positions */
    void *items;
    void *codes; /* as many keys as the input: keys_out, or workspace when there is none */
    void *keys_out;
    unsigned char *values_out;
    struct codec codec;
    uint64_t leaf_items;
    bool stream; /* what passes write does not stay in cache: write past it */
    const struct radix_kernels *kernels;
};

struct radix_kernels {
    uint32_t item_bytes;
    uint32_t buffer_bytes; /* one write-combining buffer */
    /* Counts digits of [first, last) into scratch->counts, and the bits in which codes differ. */
    void (*histogram)(const struct radix_state *state, struct radix_scratch *scratch,
                      enum radix_place from, uint64_t first, uint64_t last,
                      const struct radix_digit *digit);
    /* The bits in which some of the codes of [first, last) differ. */
    uint128 (*sample)(const struct radix_state *state, enum radix_place from, uint64_t first,
                      uint64_t last);
    /* Adds the digits of `samples` codes of the input's [first, last) to counts; returns one of
     * the codes. NULL: these kernels have plain digits only. */
    uint128 (*tally)(const struct radix_state *state, uint64_t first, uint64_t last,
                     uint64_t samples, const struct radix_digit *digit, uint32_t *counts);
    /* Moves [first, last) to where scratch->position says. */
    void (*scatter)(const struct radix_state *state, struct radix_scratch *scratch,
                    enum radix_place from, enum radix_place to, uint64_t first, uint64_t last,
                    const struct radix_digit *digit);
    /* Sorts at most leaf_items items, equal above bit `top`, into the output. */
    void (*leaf)(const struct radix_state *state, struct radix_scratch *scratch,
                 enum radix_place from, uint64_t first, uint64_t count, uint32_t top);
    /* Writes [first, last) to the output at the same positions. */
    void (*settle)(const struct radix_state *state, enum radix_place from, uint64_t first,
                   uint64_t last);
    /* Whether each key of [first, last), first > 0, stands in that order to the one before; at most
     * RADIX_SCAN keys. Of the kernels without values. */
    bool (*holds)(const struct codec *codec, const void *keys, enum presorted_order order,
                  uint64_t first, uint64_t last);
    /* Sorts the first `count` keys of the input, by way of `items`, which may be the input, into
     * the output. NULL: not this type on this processor. */
    void (*exchange)(const struct radix_state *state, struct radix_scratch *scratch,
                     uint64_t count);
};

/* The kernels for a key width and value size; NULL when there are none. */
const struct radix_kernels *radix_kernels_of(uint32_t width, uint32_t value_bytes);

static inline bool radix_codec_is_identity(const struct codec *codec)
{
    return codec->magnitude == 0 && codec->flip == 0 && codec->bias == 0 && !codec->swap;
}

static inline uint32_t radix_bit_width(uint128 x)
{
    uint64_t high = (uint64_t)(x >> 64);
    if (high)
        return 128 - (uint32_t)__builtin_clzll(high);
    return (uint64_t)x ? 64 - (uint32_t)__builtin_clzll((uint64_t)x) : 0;
}

#endif
