/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host side and the kernels of `normalised` share. Plain C, included by both.
 *
 * The normalised key of an item is its pieces' codes (core/order.h) one after the other: a byte
 * string that compares like the item. A window is up to 16 of its bytes, as a number.
 */
#ifndef CONSORT_NORMALISED_LAYOUT_H
#define CONSORT_NORMALISED_LAYOUT_H

#include <stdint.h>

enum {
    NORMALISED_THREADS = 256,
    NORMALISED_WINDOW_BYTES = 16,
    NORMALISED_WINDOW_PIECES = 16 /* a piece has at least one byte in it */
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

struct normalised_items {
    const void *items;
    uint64_t item_bytes;
    uint64_t count;
    const void *indices; /* which item is at a place; NULL: that of the same number */
    uint32_t index_bytes;
    uint32_t reserved;
};

#endif
