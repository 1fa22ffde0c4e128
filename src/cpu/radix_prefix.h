/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A digit that tells keys apart by prefixes of unequal length: short where keys are few, long where
 * they crowd, so that one pass makes buckets of about one size. Floats need that: half of those
 * drawn uniformly from [0, 1) have the same exponent. A sample says how long.
 */
#ifndef CONSORT_CPU_RADIX_PREFIX_H
#define CONSORT_CPU_RADIX_PREFIX_H

#include <stdint.h>

#include "core/codec.h"

enum {
    RADIX_CELL_BITS = 12, /* leading bits that the table is read with */
    RADIX_CELLS = 1 << RADIX_CELL_BITS,
    RADIX_PREFIX_BITS = 11, /* of a bucket's number */
    RADIX_PREFIX_BUCKETS = 1 << RADIX_PREFIX_BITS,
};

enum {
    RADIX_CELL_SHIFT = 7 /* bits of a shift */
};

struct radix_prefixes {
    uint32_t shift; /* the cell of a code: (code >> shift) & mask */
    uint32_t mask;
    /* Codes of a cell have the bucket base + (code >> shift), modulo the number of buckets; a word
     * is base << RADIX_CELL_SHIFT | shift. */
    uint32_t cells[RADIX_CELLS];
    uint8_t tops[RADIX_PREFIX_BUCKETS]; /* per bucket: bits that its codes may differ in */
};

/* A digit of all codes: (code >> shift) modulo 2^bits, or what prefixes say. */
struct radix_digit {
    uint32_t shift;
    uint32_t bits;
    const struct radix_prefixes *prefixes; /* may be NULL */
};

/* The digit that tells the cells of codes apart that are equal above bit `top`. */
struct radix_digit radix_cell_digit(uint32_t top);

/* Makes prefixes for codes that are equal to `pivot` above bit `top`, given how many of a sample
 * each cell has, such that no bucket is expected to have more than `target` of them, if that can
 * be. */
struct radix_digit radix_prefixes_make(struct radix_prefixes *prefixes, uint32_t top, uint128 pivot,
                                       const uint32_t *sampled, uint32_t target);

static inline uint32_t radix_prefix_bucket(const struct radix_prefixes *prefixes, uint64_t code)
{
    uint32_t cell = prefixes->cells[(uint32_t)(code >> prefixes->shift) & prefixes->mask];
    uint32_t rest = (uint32_t)(code >> cell % (1u << RADIX_CELL_SHIFT));
    return ((cell >> RADIX_CELL_SHIFT) + rest) % RADIX_PREFIX_BUCKETS;
}

/* Bits in which the codes of a bucket may differ. */
static inline uint32_t radix_digit_top(const struct radix_digit *digit, uint32_t bucket)
{
    return digit->prefixes ? digit->prefixes->tops[bucket] : digit->shift;
}

#endif
