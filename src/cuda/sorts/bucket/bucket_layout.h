/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host side and the kernels of `bucket` share: the tables in device memory and the
 * arguments of the kernels. Plain C, included by both.
 *
 * The list, and later every bucket that is too large, is a part. Parts are divided in batches; the
 * first batch is the list alone, in one launch for each stage, all others are done by one launch.
 */
#ifndef CONSORT_BUCKET_LAYOUT_H
#define CONSORT_BUCKET_LAYOUT_H

#include <stdbool.h>

#include "cuda/device/constant_function.h"
#include "cuda/sorts/items/items_layout.h"

enum {
    BUCKET_THREADS = 256,
    BUCKET_EACH = 8, /* items a thread has under way */
    BUCKET_TILE = BUCKET_THREADS * BUCKET_EACH,
    BUCKET_SLICE_TILE = BUCKET_THREADS, /* slices that one block merges into buckets */
    BUCKET_APART = 2,                   /* slices for what lies below and above all finite values */
    BUCKET_LEAST_SLICES = BUCKET_SLICE_TILE - BUCKET_APART, /* of a part: 7.98 bits a level */
    BUCKET_BATCH = 1024,
    BUCKET_VALUE_LEVELS = 3, /* deeper parts are divided by code, which bounds their depth */
    BUCKET_SORT_EACH = 16,   /* items a thread of a bucket's sort holds in registers */
    BUCKET_MOST = 2048,      /* items of a bucket */
    BUCKET_MOST_THREADS = BUCKET_MOST / BUCKET_SORT_EACH,
    BUCKET_CROWD_SLOTS = 512, /* slices of a crowded tile that are counted in shared memory */
    /* A tile is crowded if its threads' first items have so few slices, warp by warp. Uniform keys
     * have 240 in the fewest slices; keys of which one in 14 is the same, 226. */
    BUCKET_CROWDED = 232
};

/* More than any part is given. */
#define BUCKET_NO_SLICE 0xffffffffu

/* How a part is divided. Nothing moves up to BUCKET_RESTS. */
enum {
    BUCKET_RESTS,  /* in order, in place */
    BUCKET_COPIED, /* in order, but in the spare array */
    BUCKET_BY_VALUE,
    BUCKET_BY_CODE,
    BUCKET_BY_INDEX /* all codes are the same */
};

/* When stages begin, in the order of the counters; the last is the end. */
enum {
    BUCKET_STAGE_RANGE,
    BUCKET_STAGE_DISORDER,
    BUCKET_STAGE_SLICES,
    BUCKET_STAGE_MERGE,
    BUCKET_STAGE_MOVE,
    BUCKET_STAGE_RECURSION,
    BUCKET_STAGE_SORT,
    BUCKET_STAGES
};

enum {
    BUCKET_HINT_NONE,
    BUCKET_HINT_DISORDERLY,
    BUCKET_HINT_NEARLY_SORTED
};

/* From the code of an item to the value of its floating-point key: the first field of the code,
 * taken back to its bits. */
struct bucket_values {
    uint32_t bits;     /* of the field: 16, 32, 64; 0: no float, values are codes */
    uint32_t shift;    /* code bits below the field */
    uint32_t left;     /* from the field's bits to those of a single or double */
    uint32_t descends; /* 1: the greater the code the less the value */
    uint64_t flip, bias;
    uint64_t lowest, highest; /* fields of finite values lie between them */
    float factor;             /* what the other bias of a narrow exponent is worth */
    uint32_t reserved;
};

/* From an item of a part to its slice. */
struct bucket_map {
    uint64_t low[2]; /* the lowest code or index */
    uint64_t multiplier;
    double half_low, scale; /* by value: half the lowest value, slices of half a unit */
    double range;           /* what the sum of the differences is compared with */
    uint32_t shift;
    uint32_t slices;
    uint32_t mode;
    uint32_t reserved;
};

struct bucket_part {
    uint64_t begin, count;
    uint32_t buffer; /* 0: in place, 1: in the spare array */
    uint32_t level;
};

/* A part of the batch that is being divided. */
struct bucket_division {
    struct bucket_part part;
    struct bucket_map map;
};

/* A bucket that one block sorts. */
struct bucket_leaf {
    uint64_t begin;
    uint32_t count, buffer;
};

/* All zero before a run. */
struct bucket_control {
    uint64_t queue_head, queue_tail; /* parts that wait, in a ring */
    uint64_t leaves;
    uint32_t batch; /* parts of this batch */
    uint32_t levels, by_code;
    uint32_t arrivals; /* for grid_barrier */
    uint32_t nearly_sorted;
    uint32_t reserved;
    double disorder; /* of the list: sum of differences, in the measure of bucket_map.range */
    double degree;   /* the same divided by the range: the paper's disorderDegree */
    uint64_t stamps[BUCKET_STAGES + 1];
};

struct bucket_arguments {
    struct items arrays[2]; /* in place, and spare */
    struct bucket_control *control;
    struct bucket_division *divisions;
    uint32_t *first_tile;       /* of each part of the batch, and one more */
    uint32_t *first_slice_tile; /* the same for tiles of slices */
    uint64_t *slice_tiles;      /* items of each tile of slices, then where they begin */
    void *slices;               /* the same for each slice of the batch: places */
    void *offsets;              /* of each item within its slice: places */
    void *extremes;             /* by tile: bucket_extremes of a block's share of a part */
    struct bucket_part *queue;
    struct bucket_leaf *leaves;
    uint64_t count;
    uint32_t wide;     /* places have 64 bits, not 32 */
    uint32_t most;     /* items of a bucket: M */
    uint32_t expected; /* items of a slice: E */
    uint32_t hint;
    uint64_t queue_capacity;
    uint32_t batch_capacity;
    uint32_t range_blocks; /* of the launch that filled `extremes`; 0: this one */
    double threshold;      /* C */
    struct bucket_values values;
};

/* At least the bytes of bucket_extremes for codes of so many bytes. */
CONSTANT_FUNCTION uint64_t bucket_extremes_bytes(uint64_t code_bytes)
{
    return (4 * code_bytes + 16 + 15) / 16 * 16;
}

/* The same of an item that is sorted in shared memory; `wide` if indices exceed 32 bits. */
CONSTANT_FUNCTION uint32_t bucket_item_bytes(uint32_t code_bytes, uint32_t index_bytes, bool wide)
{
    if (wide && index_bytes == 8)
        return code_bytes > 8 ? 32 : 16;
    return index_bytes ? 2 * code_bytes : code_bytes > 4 ? code_bytes : 4;
}

#endif
