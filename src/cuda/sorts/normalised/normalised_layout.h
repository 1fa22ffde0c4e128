/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host side and the kernels of `normalised` share. Plain C, included by both.
 *
 * The normalised key of an item is its pieces' codes (core/order.h) one after the other: a byte
 * string that compares like the item. A window is up to 16 of its bytes, as a number.
 */
#ifndef CONSORT_NORMALISED_LAYOUT_H
#define CONSORT_NORMALISED_LAYOUT_H

#include "cuda/sorts/lsd/lsd_layout.h"

enum {
    NORMALISED_THREADS = 256,
    NORMALISED_WINDOW_BYTES = 16,
    NORMALISED_WINDOW_PIECES = 16, /* a piece has at least one byte in it */
    NORMALISED_PREFIX_BYTES = 8,
    NORMALISED_LEAST_PREFIX = 4, /* bytes of a longer prefix that are sorted in any case */
    NORMALISED_MOST_BLOCKS = 2048
};

/* A piece of an order (core/codec.h has the constants; 128-bit numbers are low word first). */
struct normalised_piece {
    uint64_t offset;
    uint64_t magnitude[2], flip[2], bias[2], infinity[2];
    uint32_t stored;       /* bytes */
    uint32_t reversed;     /* 1: the lowest byte comes first */
    uint32_t equal_floats; /* 1: NumPy's float order */
    int32_t shift;         /* bits that its code moves up into the window, or down */
};

struct normalised_window {
    uint32_t bytes; /* 1…16 */
    uint32_t piece_count;
    struct normalised_piece pieces[NORMALISED_WINDOW_PIECES];
};

/* A whole order: pieces in device memory, most significant first. */
struct normalised_order {
    const struct normalised_piece *pieces;
    uint32_t piece_count;
    uint32_t reserved;
};

struct normalised_items {
    const void *items;
    uint64_t item_bytes;
    uint64_t count;
};

/* Items that are tied with others, and the groups that they make. */
struct normalised_ties {
    uint64_t items, groups;
};

/* What rounds leave for the next. All zero before a run. */
struct normalised_control {
    uint64_t count;      /* items that were tied when the last round began */
    uint32_t depth;      /* bytes of the key by which the prefix sort told items apart */
    uint32_t disordered; /* 1: some tied items of this round are not in order */
    uint32_t arrivals;   /* of the grid's barrier */
    uint32_t reserved;
    struct normalised_ties ties[NORMALISED_MOST_BLOCKS]; /* that each block saw in this round */
};

/*
 * A round takes a list of items sorted by their codes and tells those apart whose codes are equal:
 * it makes a list of them, with their places in the whole, gives each a new code (number of the
 * group of equal codes, then what bytes of the key fit), sorts that list by it, and writes its
 * order into the whole. Groups stay where they are: the list keeps its places.
 */
struct normalised_round {
    struct normalised_items items;
    struct normalised_control *control;
    const void *codes_in;
    const void *index_in;
    const void *places_in; /* NULL: the list is the whole, sorted by prefixes */
    void *places_out;
    void *index_final;
    uint64_t key_bytes;
    uint32_t prefix_bytes;
    uint32_t number; /* of this round, from 0 */
    uint32_t group_bytes;
    uint32_t reserved;
    struct lsd_arguments sort; /* the new list, in place; its count is found here */
};

#endif
