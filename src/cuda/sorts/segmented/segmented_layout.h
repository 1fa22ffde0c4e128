/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host side and the kernels of `segmented` share. Plain C, included by both.
 *
 * A leaf is what one sorting network sorts: a segment, or a part of a large segment that the
 * partitions have put where it belongs. Class c sorts up to 2^(c + 1) threads' items. Segments are
 * listed by class, but for those of one thread; parts, which nobody can count beforehand, are
 * chained by class, in memory that they have left (segmented_parts.cuh).
 */
#ifndef CONSORT_SEGMENTED_LAYOUT_H
#define CONSORT_SEGMENTED_LAYOUT_H

#include "cuda/device/code_constants.h"
#include "cuda/device/constant_function.h"
#include "cuda/sorts/segmented/segmented_tuning.h"

enum {
    SEGMENTED_DIGIT_BITS = 8,
    SEGMENTED_BINS = 1 << SEGMENTED_DIGIT_BITS,
    SEGMENTED_LEVELS = 16,
    SEGMENTED_CLASSES = 9,
    SEGMENTED_WARP_CLASSES = 5,                   /* 2 to 32 threads */
    SEGMENTED_PAIRS = SEGMENTED_WARP_CLASSES - 1, /* words of its parts have up to two leaves */
    SEGMENTED_PART_CLASSES = SEGMENTED_CLASSES - SEGMENTED_PAIRS, /* parts are in no lower one */
    /* Of parts of the last class, at most, and of each lower one twice as many: so many blocks, or
     * in the end warps, sort at once on a H200, whose 132 multiprocessors hold two of the last. */
    SEGMENTED_CHAINS = 264,
    SEGMENTED_CHAINS_OF_ALL = (SEGMENTED_CHAINS << SEGMENTED_PART_CLASSES) - SEGMENTED_CHAINS,
    SEGMENTED_PAGE = 256, /* segments of a list that lie together */
    /* A leaf in one word: where it starts, its length less one, the buffer it lies in. */
    SEGMENTED_LEAF_LENGTH_SHIFT = 48,
    SEGMENTED_LEAF_LENGTH_BITS = 14,
    SEGMENTED_LEAF_BUFFER_SHIFT = 62,
    /* Two parts of a warp, the second behind the first: the start and the length less one of the
     * first, the length of the second, which may be 0, the buffer. */
    SEGMENTED_PAIR_LENGTH_SHIFT = 41,
    SEGMENTED_PAIR_LENGTH_BITS = 10,
    SEGMENTED_PAIR_SECOND_SHIFT = 51,
    /* A bucket of one unit in one word: its start, its length, `coarse`, `settled`, `buffer`. */
    SEGMENTED_SINGLE_COARSE_SHIFT = 59,
    SEGMENTED_SINGLE_SETTLED_SHIFT = 61,
    SEGMENTED_SINGLE_BUFFER_SHIFT = 62
};

/* All zero before a run. */
struct segmented_control {
    uint64_t bad; /* 0, or the complement of the first bad segment's number */
    uint64_t leaf_count[SEGMENTED_CLASSES];      /* segments of each list */
    uint32_t single_count[SEGMENTED_LEVELS + 1]; /* buckets of one unit */
    uint32_t shared_count[SEGMENTED_LEVELS + 1]; /* of several, */
    uint32_t unit_count[SEGMENTED_LEVELS + 1];   /* and their units */
    uint32_t arrivals;                           /* of the grid's barrier */
    uint32_t tiny;                               /* 1: there are segments that one thread sorts */
    uint32_t mixed;                              /* 1: there are short segments among longer ones */
    uint32_t few_count;
    uint32_t page_count; /* of all lists */
    uint32_t
        part_count[SEGMENTED_PART_CLASSES]; /* words of chains, from class SEGMENTED_PAIRS on */
};

/* A large segment, or a part of one that is still large and agrees in all higher digits. */
struct segmented_bucket {
    uint64_t start, length;
    uint32_t first_unit; /* if it has several */
    uint8_t buffer;      /* where its items lie now */
    uint8_t settled;     /* 1: its items agree in this digit, too, and stay where they are */
    uint8_t coarse;      /* lowest bits of the digit in which parts do not differ */
};

struct segmented_arguments {
    /* Buffer 0 holds the input; 1 and 2 take turns when a level moves a bucket, and hold codes. */
    void *keys[3];
    void *keys_out;
    void *values[3];
    void *values_out;
    const void *offsets;
    uint64_t count;
    uint64_t segment_count;
    struct segmented_control *control;
    void *lists;     /* numbers of segments: the pages of all lists */
    uint32_t *pages; /* for each list `page_room` words: its pages in order, numbered from 1 on */
    uint64_t *singles[2];               /* buckets of one unit, of even and odd levels */
    struct segmented_bucket *shared[2]; /* those of several, */
    uint32_t *units[2];                 /* and which of them each unit is of */
    void *bins; /* for each such unit: its items of each digit, then where they go in the bucket */
    uint64_t *chains; /* for each class of parts: the first word of each chain */
    void *few;        /* parts too small for a link, until they are where they belong */
    uint32_t chain_count[SEGMENTED_PART_CLASSES]; /* as many as have somebody to sort them */
    uint32_t page_room; /* wrong offsets could list more than there are items */
    uint32_t bucket_room;
    uint32_t unit_room;
    uint32_t start_bits; /* of the word of a bucket of one unit */
    uint32_t key_bytes;
    void *outcome;         /* a consort_outcome, or NULL */
    uint32_t parts_blocks; /* of the launch of warps: the last, which take parts */
    uint32_t in_place;     /* 1: buffer 2 is buffer 0 */
    uint32_t offset_bytes;
    uint32_t value_bytes;     /* 0, 4, 8 or 16 */
    uint32_t index_mode;      /* 1: the values are the items' positions: buffer 0 is not read */
    uint32_t levels;          /* digits of a code */
    uint32_t tiny_items;      /* the most of a segment that one thread sorts */
    uint32_t short_items;     /* the most of a segment that is not listed, among tiny ones */
    uint32_t collects_uneven; /* 1: tiny ones of different lengths are collected, too */
    uint64_t longest_beside;  /* longer segments among the same 32 leave to these tiny ones only */
    uint32_t thread_items;    /* of a thread in a network */
    uint32_t stretched_class; /* one that sorts more than twice what the one below it does */
    uint32_t stretched_items; /* the most that it sorts */
    uint32_t shared_items;    /* the most of neighbouring parts that share a leaf */
    uint32_t classes;
    uint32_t unit_items; /* least average of the units of a bucket that has several */
    uint32_t tile_items; /* of a tile of a unit */
    uint32_t bin_bytes;  /* 4, or 8 where a bucket may have more items than 32 bits tell */
    uint32_t list_bytes; /* of a segment's number in a list, the same */
    uint32_t few_bytes;  /* of a part in `few`, the same */
    struct code_constants codec;
};

/* Bytes of shared memory of a thread that holds `items` items: codes, and with values also words
 * (segmented_word_tile.cuh) and what a warp keeps, its values, or a block, the order of passes. */
CONSTANT_FUNCTION uint32_t segmented_shared_bytes(uint32_t key_bytes, uint32_t paired,
                                                  uint32_t items, uint32_t in_warp)
{
    uint32_t code = key_bytes < 4 ? 4 : key_bytes, value = key_bytes < 8 ? 4 : 8;
    return (items + 1) * (code + (paired ? 4 + (in_warp ? value : 2) : 0));
}

/* Bytes of shared memory of a tile that the partition moves. */
CONSTANT_FUNCTION uint32_t segmented_move_bytes(uint32_t key_bytes, uint32_t paired, uint32_t items)
{
    uint32_t widest = paired && key_bytes < 8 ? 8 : key_bytes;
    uint32_t keys = SEGMENTED_TILE_THREADS * items * widest;
    uint32_t bins = SEGMENTED_TILE_THREADS / 32 * SEGMENTED_BINS * 4;
    return (keys > bins ? keys : bins) + SEGMENTED_BINS * 8 + 32;
}

#endif
