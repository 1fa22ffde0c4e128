/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host side and the kernels of `hybrid` share: the table of cells and the arguments of the
 * kernels. Plain C, included by both.
 */
#ifndef CONSORT_HYBRID_LAYOUT_H
#define CONSORT_HYBRID_LAYOUT_H

#include "cuda/sorts/lsd/lsd_layout.h"

enum {
    HYBRID_CELL_BITS = 16, /* at most, of two digits: two 16-bit counters a word in 128 KiB */
    HYBRID_CELLS = 1 << HYBRID_CELL_BITS,
    HYBRID_FEW = 32 /* different keys, at most, that one pass sorts by their ranks */
};

/* Behind the table of cells. All zero before cells are counted. */
struct hybrid_control {
    uint32_t counted_blocks; /* that are done, and in the upper half how many found keys uneven */
    uint32_t uneven;         /* not 0: some block did, so that others need not go on */
    uint64_t common[2];      /* the bits above `lead`, the same for all keys; low word first */
    uint32_t bucket_bits;    /* by which leaves are told apart */
    uint32_t few;            /* different keys, if they are so few that one pass sorts; else 0 */
    uint32_t cut_groups;     /* not 0: some chunk begins within a group; */
    uint32_t disordered;     /* chunks that are not in order with a part of it before them */
    uint32_t separating;     /* for each number of lowest bytes whether a prefix may end there */
    uint32_t reserved[5];
    uint32_t few_counts[HYBRID_FEW];
};

struct hybrid_arguments {
    struct lsd_arguments sort;
    struct hybrid_control *control;
    const uint32_t *sorted; /* NULL, or whether somebody has sorted the list before */
    uint32_t *cells;        /* where the first key of each goes, and the end of all */
    uint64_t *few_codes; /* there, as few keys have no cells: in order, two words each, low first */
    /* Keys of each, 16 bits for each of four; right before `control`, where places will be. */
    uint64_t *counts;
    uint32_t *low_digit;  /* keys of each value of the lower of two digits, right before; or NULL */
    uint64_t clear;       /* bytes from these on that the count empties; 0: they are empty */
    uint32_t digit_bits;  /* by which steps sort: of one digit or of two */
    uint32_t cell_bits;   /* of the table of cells: no finer than leaves may be told apart */
    uint32_t bucket_bits; /* by which leaves are told apart if they fit, else by up to cell_bits */
    uint32_t leaf;        /* most keys of a bucket */
    uint32_t keys_follow; /* 0: a key is its bucket and its tag, and takes no shared memory */
    uint32_t seed;        /* of the places of sampled keys */
    /* Buckets told apart by so many bits are halved: places count from the start of the half, so
     * that they take a bit less. 0: none are. */
    uint32_t halved_bits;
    uint32_t prefixes;    /* 1: uneven keys may be sorted by a prefix, and others finish groups */
    uint32_t group;       /* items of a group of different keys, at most, if a sample is right */
    uint32_t late_saved;  /* bytes that a prefix spares, at least, if it is looked for late */
    uint32_t digits;      /* 1: blocks that find keys uneven count all digits */
    uint32_t first_apart; /* 1: the first pass over bytes has a launch of its own */
};

#endif
