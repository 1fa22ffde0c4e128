/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every instantiation of radix_template.h shares, and the list of instances.
 */
#ifndef CONSORT_CPU_RADIX_INSTANCES_H
#define CONSORT_CPU_RADIX_INSTANCES_H

#include <string.h>

#include "cpu/radix_kernels.h"
#include "cpu/stream.h"

enum {
    RADIX_SAMPLE = 1024,
    RADIX_INSERTION = 32,
    RADIX_FEW = 16,  /* a part of a range below one in so many is few */
    RADIX_SLACK = 6, /* leading bits sorted beyond log2(count) before inversions are repaired */
};

enum {
    RADIX_BLOCK = 128,  /* keys encoded at a time: at most 2 KiB on the stack */
    RADIX_AHEAD = 4096, /* bytes */
};

static inline uint64_t radix_block(uint64_t first, uint64_t last)
{
    return last - first < RADIX_BLOCK ? last - first : RADIX_BLOCK;
}

/* `digits` digits of `bits` bits each, the lowest at `shift`. */
struct radix_digits {
    uint32_t digits;
    uint32_t bits;
    uint32_t shift;
};

static inline struct radix_digits radix_plan_digits(uint64_t count, uint32_t top)
{
    uint32_t length = 64 - (uint32_t)__builtin_clzll(count | 1);
    uint32_t bits = length + RADIX_SLACK < top ? length + RADIX_SLACK : top;
    if (bits == 0)
        bits = 1;
    uint32_t digits = (bits + RADIX_LEAF_BITS - 1) / RADIX_LEAF_BITS;
    if (digits > RADIX_LEAF_DIGITS)
        digits = RADIX_LEAF_DIGITS;
    uint32_t each = (bits + digits - 1) / digits;
    if (each > RADIX_LEAF_BITS)
        each = RADIX_LEAF_BITS;
    uint32_t covered = digits * each;
    return (struct radix_digits){digits, each, covered < top ? top - covered : 0};
}

/* The leading digit that leaves RADIX_LEAF_TARGET items a bucket. */
static inline struct radix_digits radix_plan_split(uint64_t count, uint32_t top)
{
    uint32_t bits = 1;
    while (bits < RADIX_LEAF_BITS && bits < top && count >> bits > RADIX_LEAF_TARGET)
        bits++;
    return (struct radix_digits){1, bits, top - bits};
}

/* Turns counts into exclusive sums; true when one bucket holds all `count`. */
static inline bool radix_exclusive_sums(uint32_t *counts, uint32_t bits, uint32_t count)
{
    uint32_t sum = 0, most = 0;
    for (uint32_t bucket = 0; bucket < 1u << bits; bucket++) {
        uint32_t here = counts[bucket];
        counts[bucket] = sum;
        sum += here;
        most = here > most ? here : most;
    }
    return most == count;
}

#define RADIX_DECLARE(isa, bits)                                                                   \
    extern const struct radix_kernels isa##_u##bits##_v0_kernels, isa##_u##bits##_v4_kernels,      \
        isa##_u##bits##_v8_kernels, isa##_u##bits##_v16_kernels;
RADIX_DECLARE(radix, 8)
RADIX_DECLARE(radix, 16)
RADIX_DECLARE(radix, 32)
RADIX_DECLARE(radix, 64)
RADIX_DECLARE(radix, 128)
RADIX_DECLARE(radix_avx2, 32)
RADIX_DECLARE(radix_avx2, 64)
#undef RADIX_DECLARE
extern const struct radix_kernels radix_avx512_u32_v0_kernels, radix_avx512_u64_v0_kernels;

#endif
