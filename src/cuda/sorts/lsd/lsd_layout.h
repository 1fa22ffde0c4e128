/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host side and the kernels of `lsd` share: the control block in device memory and the
 * arguments of the kernels. Plain C, included by both.
 */
#ifndef CONSORT_LSD_LAYOUT_H
#define CONSORT_LSD_LAYOUT_H

#include <stddef.h>

#include "cuda/device/code_constants.h"
#include "cuda/device/constant_function.h"

enum {
    LSD_DIGIT_BITS = 8,
    LSD_BINS = 1 << LSD_DIGIT_BITS,
    LSD_MAXIMUM_PASSES = 16,
    LSD_SKIPPED = -1
};

/* Where blocks hold a tile each, so many add up their counts; groups of this pass and the next take
 * the place of `bins`, in turns. */
enum {
    LSD_GROUP = 16,
    LSD_MOST_GROUPS = 32
};

/* Keys of a digit in such a tile, in the place of look-back words. */
typedef uint16_t lsd_held_count;

/* Who sorts beside the steps. */
enum {
    LSD_LEAVES = 1,
    LSD_SORTED = 2,
    LSD_GROUPS = 3
};

/* A pass over more keys than a look-back word counts runs as several launches. */
#define LSD_PORTION_KEYS ((uint64_t)1 << 29)

/* All zero before a run. */
struct lsd_control {
    /* Which of the passes that move keys this one is; LSD_SKIPPED if all keys agree in its digit.
     */
    int32_t step[LSD_MAXIMUM_PASSES];
    int32_t step_count;
    uint32_t cut; /* how many of the lowest passes are left out: for LSD_GROUPS, or `cuttable` */
    uint32_t finished_blocks;
    /* LSD_LEAVES: the steps sort by the top digits only and leave codes where they end; other
     * kernels finish the buckets. LSD_SORTED: nobody has anything to do. LSD_GROUPS: the steps sort
     * by the bytes above `cut` and leave codes, whose groups other kernels finish. */
    uint32_t leaves;
    /* The first step shifts codes so far to the left: bits above are the same for all keys. */
    uint32_t lead;
    uint32_t planned;  /* 1: the steps are known, and need no histogram */
    uint64_t varying;  /* bits in which keys differ, if blocks that hold a tile each tell */
    uint32_t arrivals; /* for grid_barrier, if there is nobody else's */
    uint32_t tickets[LSD_MAXIMUM_PASSES][2]; /* of portions of each pass, in turns */
    /* A row for each pass: keys per digit value, then where the first of each value goes. A pass in
     * several portions finds its places in row portion % 2 of two, of which the other ones are
     * behind those of all passes, and leaves the next one's in the other. Memory is there for as
     * many rows as a request needs: lsd_control_bytes(). */
    uint64_t bins[2 * LSD_MAXIMUM_PASSES][LSD_BINS];
};

/* The look-back words of a tile count a digit value each; or three of a warp's 32, of lists that
 * have no more keys than three counts of so many bits find room for. */
enum {
    LSD_TRIPLE_BITS = 20,
    LSD_WARP_TRIPLES = 11,
    LSD_WORDS_BYTES = LSD_BINS * 4,
    LSD_TRIPLES_BYTES = LSD_BINS / 32 * LSD_WARP_TRIPLES * 8
};

/* Of a tile of lists of at most 1 << most_bits keys; 0: of any. */
CONSTANT_FUNCTION uint32_t lsd_row_bytes(uint32_t most_bits)
{
    return most_bits > 0 && most_bits <= LSD_TRIPLE_BITS ? LSD_TRIPLES_BYTES : LSD_WORDS_BYTES;
}

/* Of all tiles of a list: where there are three counts a word the last, which nobody asks, has
 * none. */
CONSTANT_FUNCTION uint64_t lsd_rows_bytes(uint32_t row_bytes, uint64_t tiles)
{
    return (tiles - (row_bytes == LSD_TRIPLES_BYTES && tiles > 0)) * row_bytes;
}

/* Of a control block with so many rows, or for groups of so many tiles that blocks hold. */
CONSTANT_FUNCTION uint64_t lsd_control_bytes(uint32_t rows, uint64_t tiles)
{
    const uint64_t counts = rows * LSD_BINS * sizeof(uint64_t);
    const uint64_t added = (tiles + LSD_GROUP - 1) / LSD_GROUP * 2 * LSD_BINS * sizeof(uint32_t);
    return offsetof(struct lsd_control, bins) + (counts > added ? counts : added);
}

/* Bytes of shared memory of a tile: its sorted keys, values or per-warp bins share the first part;
 * the places of the digits' runs and what the block scan needs follow. */
CONSTANT_FUNCTION uint32_t lsd_tile_bytes(uint32_t digit_bits, uint32_t key_bytes,
                                          uint32_t value_bytes, uint32_t threads, uint32_t items)
{
    uint32_t widest = key_bytes > value_bytes ? key_bytes : value_bytes, bins = 4u << digit_bits;
    uint32_t sorted = threads * items * widest, counted = threads / 32 * bins;
    uint32_t buffer = sorted > counted ? sorted : counted;
    return (buffer + 15) / 16 * 16 + 2 * bins + bins / 32 + 16;
}

CONSTANT_FUNCTION uint32_t lsd_shared_bytes(uint32_t key_bytes, uint32_t value_bytes,
                                            uint32_t threads, uint32_t items)
{
    return lsd_tile_bytes(LSD_DIGIT_BITS, key_bytes, value_bytes, threads, items);
}

/* The same where values come ahead; sorted positions take 2 bytes in the place of keys. */
CONSTANT_FUNCTION uint32_t lsd_ahead_bytes(uint32_t key_bytes, uint32_t value_bytes,
                                           uint32_t threads, uint32_t items)
{
    return threads * items * value_bytes +
           lsd_shared_bytes(key_bytes < 2 ? 2 : key_bytes, 0, threads, items);
}

/* How values come and go. */
enum {
    LSD_VALUES_MOVED = 0, /* an array of values moves with the keys */
    LSD_VALUES_INDEX = 1  /* the value is the key's position: nothing is read in the first step */
};

struct lsd_arguments {
    const void *keys_in;
    void *keys_out;      /* NULL: only values are wanted */
    void *keys_spare[2]; /* where keys rest between steps; [0] alone is used if keys_out is there */
    const void *values_in;
    void *values_out;
    void *values_spare;
    struct lsd_control *control;
    uint32_t *lookback;
    uint64_t count;
    uint32_t passes;        /* bytes of a code that can differ, from the lowest */
    uint32_t in_place;      /* 1: some output is its input */
    uint32_t first_done;    /* 1: step 0 has been done, by others: it has left no look-back words */
    uint32_t double_buffer; /* 1: the spare buffers are the inputs; the result is where it ends */
    uint32_t value_mode;
    /* So many of the lowest passes are left out where the others will tell nearly all keys apart:
     * for callers that put in order what these leave together. */
    uint32_t cuttable;
    /* 1: before leaves the last step leaves the lower halves of codes only, of 4 bytes and below
     * 2^32 of them. */
    uint32_t halves;
    void *outcome; /* a consort_outcome, or NULL */
    struct code_constants codec;
};

#endif
