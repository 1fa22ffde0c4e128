/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host side and the kernels of `msd` share: the tables in device memory and the arguments
 * of the kernels. Plain C, included by both.
 */
#ifndef CONSORT_MSD_LAYOUT_H
#define CONSORT_MSD_LAYOUT_H

#include "cuda/device/code_constants.h"

enum {
    MSD_DIGIT_BITS = 8,
    MSD_DIGITS = 1 << MSD_DIGIT_BITS,
    MSD_CELL_BITS = 16, /* of the histogram, at most: two 16-bit counters a word in 128 KiB */
    MSD_CELLS = 1 << MSD_CELL_BITS,
    MSD_TABLE_BITS = 14, /* groups of cells from which uneven keys find their bucket */
    MSD_TABLE = 1 << MSD_TABLE_BITS,
    MSD_HALF_BITS = 16, /* of a code below its cell's number, if halves of keys are written */
    MSD_STRAYS = 16,    /* codes without a cell of their own that do not spoil a count */
    MSD_BATCH = 1024,   /* segments that the levels split at a time, at most */
    MSD_HISTOGRAM_THREADS = 1024,
    MSD_PLAN_THREADS = 1024,
    MSD_STRETCHES = MSD_CELLS / MSD_PLAN_THREADS,
    MSD_MIDDLING_BITS = 10, /* of a cell's number in middling lists, at most */
    MSD_MIDDLING_CELLS = 1 << MSD_MIDDLING_BITS,
    MSD_TALLY_BITS = 24,  /* of a word: keys; above, tiles */
    MSD_MOST_TILES = 255, /* of a bucket that has a room */
    MSD_ROOM_SPARE =
        512, /* one in so many codes that rooms are for may be beyond all sampled ones */
    MSD_ALIKE_SPARE = 256 /* the same of keys that are like their neighbours */
};

/* What the root plan decided. */
enum {
    MSD_DIRECT = 1,  /* digits of the code, less a base, make buckets of about equal size */
    MSD_TABLED = 2,  /* buckets are ranges of cells, looked up in a table */
    MSD_EQUAL = 3,   /* all keys are the same */
    MSD_COUNTED = 4, /* a count for each key is all that is needed */
    MSD_PASSES = 5,  /* passes over digits: the sample chose them */
    MSD_VALUED = 6,  /* as MSD_DIRECT, by digits of the numbers that keys are */
    MSD_MOVED = 7,   /* keys are in their cells already, those of MSD_DIRECT */
    MSD_WRITTEN = 8, /* the result is there: few different keys were counted */
    MSD_LISTED = 9   /* keys are in their leaves already */
};

/* When passes over all digits sort a list. */
enum {
    MSD_NEVER = 0,
    MSD_BIASED = 1, /* keys crowd, in their lowest byte, too */
    MSD_CROWDED = 2
};

/* What the levels do with a segment when its digits are counted. */
enum {
    MSD_WAIT = 0, /* nothing: it is in the queue again, with exact bounds, or a leaf */
    MSD_MOVE = 1,
    MSD_EXPAND = 2, /* write it by its counts */
    MSD_MOVE_OCTAVES = 3
};

/* What is known of a segment that waits. */
enum {
    MSD_PLAIN = 0,
    MSD_PEELED = 1, /* it is nearly all of the one that was split */
    MSD_OCTAVES = 2 /* it is to be split by octaves */
};

/* Work that blocks take as they have time for it: multiprocessors are not equally fast, nor are the
 * blocks of one. */
enum {
    MSD_TAKEN_COUNTED = 0, /* stretches of the histogram */
    MSD_TAKEN_AGAIN = 1,   /* the same if it is made once more */
    MSD_TAKEN_FIRST = 2,   /* tiles of the first partition */
    MSD_TAKEN_SECOND = 3,
    MSD_TAKEN_CELLS = 4, /* leaves that are cells */
    MSD_TAKEN = 5
};

/* How a histogram's cells are numbered if each is to hold one code. */
enum {
    MSD_PLACED = 1,   /* by the distance to a base */
    MSD_GATHERED = 2, /* by the bits in which keys differ */
    MSD_RANKED = 5    /* by the rank among few different codes */
};

/* Bits in which keys differ, neighbours in codes and in cell numbers. */
struct msd_run {
    uint32_t shift; /* from the code to the cell number, to the right */
    uint32_t mask;  /* in the cell number */
};

/* What is known of a place for a stray. */
enum {
    MSD_STRAY_TAKEN = 1, /* somebody is writing its code */
    MSD_STRAY_KNOWN = 2
};

/* A code that has no cell of its own. */
struct msd_stray {
    uint64_t code[2]; /* low word first */
    uint32_t known;
    uint32_t keys;  /* that have it */
    uint32_t place; /* counted keys before them */
    uint32_t unused;
};

enum {
    MSD_FEW = 32 /* different keys, at most, that are counted by their ranks */
};

/* All zero when blocks of the first launch have met. */
struct msd_control {
    uint64_t base[2]; /* the code where cell 0 begins, low word first */
    uint32_t shift;   /* code bits below a cell's number */
    uint32_t mode;
    uint32_t small_leaves, large_leaves; /* listed */
    uint32_t queue_head, queue_tail;     /* segments too large for a leaf, in a ring */
    uint32_t arrivals;                   /* for grid_barrier */
    uint32_t valued;                     /* cells are ranges of numbers, not of codes */
    uint64_t rest[2];                    /* counted codes are this and the number of a cell */
    uint64_t varying[2];                 /* bits in which sampled codes differ */
    uint64_t scale, offset;              /* from a number to its cell: bits of floats */
    uint32_t crowd;                      /* by their codes sampled keys crowd: unless cells are
                                            ranges of numbers, or hold one code, passes sort
                                            them */
    uint32_t dense;                      /* by these cells would be too large for leaves */
    uint32_t votes[8];                   /* samples of which different keys are told apart by
                                            the bytes above the lowest two, three, … */
    uint32_t ahead;                      /* blocks that guessed so, and have counted digits */
    uint32_t counted;                    /* how cells are numbered that hold one code; 0: they
                                            are ranges */
    uint32_t strays;                     /* codes that belong to no counted cell */
    uint32_t runs;
    uint32_t outside;     /* some numbers are beyond all cells */
    uint32_t halved;      /* the second partition writes what a cell does not say, in 16 bits */
    uint32_t planned;     /* blocks that have come through the cells */
    uint32_t cells_taken; /* by blocks that sort halves, beyond the first of each */
    uint32_t taken[MSD_TAKEN]; /* pieces of work */
    uint32_t larger_cells;     /* listed: too large for small leaves */
    uint32_t excess;           /* keys of cells too large for any leaf */
    uint32_t octaves;          /* some segments are split by octaves */
    uint32_t roomy;            /* buckets have rooms: keys move before cells are counted */
    uint32_t spilled;          /* some keys had no room */
    uint32_t long_runs;        /* 1: passes by some bytes have left long runs out of order */
    uint32_t many;             /* 1: they crowd, and are not few, as the sample shows */
    uint32_t uneven; /* by a few keys: all digits were counted, no cells; the first pass's number,
                        and 1 */
    uint32_t begun;  /* 1: keys have been moved by the digit of the first pass */
    /* Short lists of wide keys need no more than the above. */
    uint64_t few[MSD_FEW][2];   /* codes, low word first, in order; the last repeat the highest */
    uint32_t few_keys[MSD_FEW]; /* of each rank, where different keys are few */
    uint32_t few_strays;        /* 1: some key is none of the few */
    uint32_t nameless;          /* 1: some key that blocks hold, or that spills, is no number */
    uint32_t crowded_cells;     /* of halves, listed: bins do not put them in order */
    /* Of middling lists; those of each digit, if passes are to sort them. Short lists of narrow
     * keys need some of these: keys of their highest digits, or, behind those, of ranges of
     * numbers. */
    uint32_t cell_keys[MSD_MIDDLING_CELLS];
    uint32_t bucket_cursor[MSD_DIGITS];    /* where the next key of a bucket goes; in its room */
    uint32_t bucket_begin[MSD_DIGITS + 1]; /* where buckets begin */
    uint32_t bucket_tile[MSD_DIGITS + 1];  /* their first tiles in the second partition */
    union {
        uint32_t whole[MSD_DIGITS]; /* of long lists: buckets of numbers with cells that 16 bits do
                                     * not tell apart */
        uint32_t pass_cursor[MSD_DIGITS]; /* of middling ones: of the first pass's digit, less
                                           * where its values begin */
    };
    uint32_t stretch_keys[MSD_STRETCHES]; /* keys of so many cells and one, when they are counted */
    struct msd_run run[MSD_CELL_BITS];
    struct msd_stray found[MSD_STRAYS], stray[MSD_STRAYS]; /* as they came; sorted */
};

/* Keys that share a bucket so small that one block finishes it. */
struct msd_leaf {
    uint32_t begin;
    uint32_t count_and_buffer; /* count, and in the top bit which of the two buffers holds it */
};

struct msd_arguments {
    const void *in;   /* NULL: words that somebody makes of items, and takes back if rooms spill */
    void *buffers[2]; /* keys rest in these, as codes; the first partition writes [0] */
    void *out;        /* where leaves write sorted keys; may be one of the buffers */
    struct msd_control *control;
    uint32_t *cells;   /* keys of each cell, then where the next key of the cell goes; of short
                        * lists of wide keys, those of their highest digits */
    uint32_t *singles; /* the same of cells with one code each, and the count behind; if the second
                        * partition writes halves of keys, where cells begin */
    uint32_t *tallies; /* of each cell of buckets that have rooms: tiles that have told, and keys */
    void *extremes;    /* lowest and highest code of each block's or tile's keys */
    void *bounds;      /* of cells that are ranges of numbers: the first code of each, and an end */
    void *rooms;       /* as many keys each, or NULL */
    void *cleared;     /* behind all that the first launch empties, from the control block on */
    struct msd_leaf *leaves; /* small ones; before them, downwards, large ones */
    void *queue;             /* of msd_segment<K> */
    uint32_t *counters; /* rows of MSD_DIGITS, one for each segment of a batch of levels; before
                         * levels begin, lists of cells, or the table of MSD_TABLED */
    uint32_t *moves;    /* what is done with each segment of a batch */
    uint32_t *tiles;    /* the first of each, among those of the batch, and an end */
    uint64_t count;
    uint32_t cell_bits, counted_bits;
    uint32_t second_bits;            /* of a cell's number, by which the second partition divides */
    uint32_t tile_keys;              /* of the second partition */
    uint32_t pass_keys;              /* of a tile of the passes that crowds take */
    uint32_t halves;                 /* whether the second partition may write halves of keys */
    uint32_t small_leaf, large_leaf; /* most keys of a leaf */
    uint32_t queue_capacity, batch;
    uint32_t room_keys;
    uint32_t histogram_blocks;
    uint32_t passes;     /* MSD_NEVER, MSD_BIASED, MSD_CROWDED: when passes sort */
    uint32_t asks;       /* 1: passes by a prefix may sort */
    uint32_t most_alike; /* sampled keys that find others with their prefix */
    uint32_t seed;       /* of the places of sampled keys */
    uint32_t salt;       /* of the places of counters */
    void *outcome;       /* a consort_outcome, or NULL */
    struct code_constants codec;
};

#endif
