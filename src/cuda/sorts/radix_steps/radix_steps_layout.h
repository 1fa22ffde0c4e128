/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of the textbook radix sorts share. Plain C, included by both.
 */
#ifndef CONSORT_RADIX_STEPS_LAYOUT_H
#define CONSORT_RADIX_STEPS_LAYOUT_H

#include "cuda/device/constant_function.h"
#include "cuda/sorts/items/items_layout.h"

enum {
    RADIX_STEPS_MOST_THREADS = 1024,
    RADIX_STEPS_MOST_BITS = 8, /* of a digit */
    RADIX_STEPS_MOST_PASSES = 128,
    RADIX_STEPS_SCAN_THREADS = 256,
    RADIX_STEPS_SCAN_ENTRIES = 2048 /* of the table, a block: 8 a thread */
};

/* All zero before a run. */
struct radix_steps_control {
    uint64_t ones[RADIX_STEPS_MOST_PASSES];    /* one launch a pass: of each bit, in all codes */
    uint32_t tickets[RADIX_STEPS_MOST_PASSES]; /* the next tile of each pass */
};

/*
 * One pass. `table` has a row for each digit value (the direct kernels: one row, for ones), a
 * column for each tile: counts, then sums of all counts before within RADIX_STEPS_SCAN_ENTRIES of
 * them; `words`, the look-back words, hold what lies before those. So the table stays 32 bits wide
 * for any number of items. With one launch a pass there is a word for each tile, and no table.
 */
struct radix_steps_pass {
    struct items from, to;
    struct radix_steps_control *control;
    uint32_t *table;
    uint64_t *words;
    uint64_t tiles, entries;
    uint32_t number, shift, bits;
    uint32_t direct; /* 1: count ones alone */
};

/* Bytes of shared memory of a tile that is sorted: the items and a word for each. */
CONSTANT_FUNCTION uint32_t radix_steps_shared_bytes(uint32_t code_bytes, uint32_t index_bytes,
                                                    uint32_t count)
{
    return count * (code_bytes + index_bytes + 4);
}

#endif
