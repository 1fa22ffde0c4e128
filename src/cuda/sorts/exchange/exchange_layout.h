/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host side and the kernels of `exchange` share: ranges, splitters, the arguments of the
 * kernels, their shapes. Plain C, included by both.
 *
 * Splitters cut a list into classes: what comes before the first, what equals it, what lies between
 * it and the second, and so on; or, with one class a splitter, what comes before the first, what
 * equals it or lies between it and the second, and so on.
 */
#ifndef CONSORT_EXCHANGE_LAYOUT_H
#define CONSORT_EXCHANGE_LAYOUT_H

#include "cuda/device/code_constants.h"
#include "cuda/device/constant_function.h"

enum {
    EXCHANGE_MOST_RANGES = 128,
    EXCHANGE_MOST_SPLITTERS = EXCHANGE_MOST_RANGES - 1,
    EXCHANGE_CLASSES = 256, /* more than splitters make, and as many as a byte tells apart */
    EXCHANGE_UNCLEAR = EXCHANGE_CLASSES - 1,
    EXCHANGE_TABLE_BITS = 13,
    EXCHANGE_FIRST_BITS = 12,
    EXCHANGE_DIGIT_BITS = 8,
    EXCHANGE_COUNT_THREADS = 512,
    EXCHANGE_COUNT_BLOCKS = 2,  /* a multiprocessor: all that fit */
    EXCHANGE_KEPT_BYTES = 1024, /* that a warp gathers */
    EXCHANGE_DOUBTS = 2 * 32 /* codes of a warp: those of all lanes and less than as many before */
};

/* Look-back words: two status bits and a sum. */
#define EXCHANGE_SUM (((uint64_t)1 << 62) - 1)

/* What is counted. */
enum exchange_way {
    EXCHANGE_DIGITS,   /* the first digit of every code */
    EXCHANGE_PREFIXED, /* the digit that follows, of codes that begin with one of the prefixes */
    EXCHANGE_CLASSED   /* the classes that the codes given make */
};

/* Codes in rising order, none twice, the low word of each first. */
struct exchange_codes {
    uint64_t words[EXCHANGE_MOST_SPLITTERS][2];
    uint32_t count;
    uint32_t each; /* classes of a code: 2, or 1 if what equals it goes with what is behind it */
};

/* One round of a selection, or the count of classes before it. */
struct exchange_count {
    const void *keys;
    uint64_t count;
    uint64_t *bins;   /* of the first prefix, then of the second, …, or of classes; 0 before */
    void *kept;       /* if not NULL, the codes of interest go here … */
    uint64_t *cursor; /* … so many; 0 before */
    uint32_t way;
    uint32_t shift; /* the digit's lowest bit */
    uint32_t bits;  /* and how many it has */
    uint32_t reserved;
    uint32_t keeps[EXCHANGE_CLASSES / 32]; /* a bit for each class of interest */
    struct code_constants codec;
    struct exchange_codes codes; /* prefixes, or splitters */
};

/* One code of each `stride` keys. */
struct exchange_sample {
    const void *keys;
    void *codes;
    uint64_t count, samples, stride;
    struct code_constants codec;
};

/* Where a member's classes go, by class: the number of its first item, that of the first item which
 * there is no room for, and by how many bytes its items lie elsewhere than they would by these
 * numbers. (A distance from an array that the kernel was given: stores to a mere address could be
 * to shared memory, for all that the compiler knows, and would wait for each other.) A tile's items
 * of a class that has no room for them go to `spare`, which holds a tile. */
struct exchange_targets {
    uint64_t places[EXCHANGE_CLASSES]; /* taken from, if keys are free to change places */
    uint64_t ends[EXCHANGE_CLASSES];
    int64_t keys[EXCHANGE_CLASSES];
    int64_t values[EXCHANGE_CLASSES];
    uint64_t spare;
};

/* Moves items to their classes, each in its order. */
struct exchange_move {
    const void *keys_in;
    void *keys_out;
    const void *values_in; /* NULL: the items' numbers, the first being first_number */
    void *values_out;
    struct exchange_targets *targets;
    uint64_t *words;  /* look-back: a row of classes for each tile; 0 before */
    uint32_t *ticket; /* 0 before */
    uint64_t count, first_number;
    struct code_constants codec;
    struct exchange_codes splitters;
};

/* A block's counters: a row of bins for each prefix. */
CONSTANT_FUNCTION uint32_t exchange_count_bytes(uint32_t rows, uint32_t bits)
{
    return (rows << bits) * 4;
}

/* Of classes each lane has its own; doubtful codes lie behind. */
CONSTANT_FUNCTION uint32_t exchange_class_bytes(uint32_t classes, uint32_t key_bytes)
{
    return classes * 32 * 4 + EXCHANGE_COUNT_THREADS / 32 * EXCHANGE_DOUBTS * key_bytes;
}

/*
 * Shapes of tiles: EXCHANGE_SHAPES(X) expands X(key bits, value bytes, threads, items a thread,
 * blocks a multiprocessor). Those of `lsd` with fewer items: splitters take room, too. Keys alone
 * of 1 and 16 bytes are never floats, so that nobody sees the order of equal ones.
 */
/* clang-format off */
#define EXCHANGE_FREE_SHAPES(X)                                                                    \
    X(8, 0, 512, 16, 2)   X(128, 0, 512, 8, 2)
#define EXCHANGE_STABLE_SHAPES(X)                                                                  \
                          X(8, 4, 512, 16, 2)   X(8, 8, 512, 12, 2)   X(8, 16, 512, 8, 2)          \
    X(16, 0, 512, 16, 2)  X(16, 4, 512, 16, 2)  X(16, 8, 512, 12, 2)  X(16, 16, 512, 8, 2)         \
    X(32, 0, 512, 16, 2)  X(32, 4, 512, 16, 2)  X(32, 8, 512, 12, 2)  X(32, 16, 512, 8, 2)         \
    X(64, 0, 512, 12, 2)  X(64, 4, 512, 12, 2)  X(64, 8, 512, 12, 2)  X(64, 16, 512, 8, 2)         \
                          X(128, 4, 512, 8, 2)  X(128, 8, 512, 8, 2)  X(128, 16, 512, 6, 2)
#define EXCHANGE_SHAPES(X) EXCHANGE_FREE_SHAPES(X) EXCHANGE_STABLE_SHAPES(X)
/* clang-format on */

/* Bytes of shared memory of a tile: its items in order, or counts of classes a warp; splitters and
 * their table; places; what the block scan needs. */
CONSTANT_FUNCTION uint32_t exchange_move_bytes(uint32_t key_bytes, uint32_t value_bytes,
                                               uint32_t threads, uint32_t items)
{
    uint32_t widest = key_bytes > value_bytes ? key_bytes : value_bytes;
    uint32_t sorted = threads * items * widest, bins = threads / 32 * EXCHANGE_CLASSES * 4;
    uint32_t buffer = sorted > bins ? sorted : bins;
    return (buffer + 15) / 16 * 16 + EXCHANGE_MOST_RANGES * key_bytes +
           EXCHANGE_CLASSES * (8 + 8 + 4 + 4) + (1 << EXCHANGE_TABLE_BITS) + 64;
}

#endif
