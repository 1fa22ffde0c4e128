/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sorts by splitting share between host side and kernels: segments of the array that wait to
 * be split, leaves that one block sorts, and the arguments of the kernels. Plain C, included by
 * both.
 */
#ifndef CONSORT_SPLIT_LAYOUT_H
#define CONSORT_SPLIT_LAYOUT_H

#include "cuda/sorts/items/items_layout.h"

enum {
    SPLIT_THREADS = 512,   /* of a block that splits */
    SPLIT_BATCH = 1024,    /* segments that are split at a time: bounds their tables */
    SPLIT_MOST_PARTS = 256 /* of a segment */
};

/* Of a segment. */
enum {
    SPLIT_SPARE = 1, /* its items lie in the spare arrays */
    SPLIT_EQUAL = 2  /* they are all the same: written, not split */
};

struct split_segment {
    uint64_t begin, count;
    uint32_t depth; /* splits that made it */
    uint32_t state;
};

/* Neighbouring parts that fit one block. */
struct split_leaf {
    uint64_t begin;
    uint32_t count;
    uint32_t state;
};

/* All zero before a run. */
struct split_control {
    uint32_t arrivals; /* for grid_barrier */
    uint32_t tail;     /* segments that were ever queued */
    uint32_t leaves, ticket;
    uint32_t stuck;    /* segments split too often, left to a network */
    uint32_t depth;    /* of the deepest split */
    uint64_t fallback; /* items of those that are stuck */
};

struct split_arguments {
    void *codes[2], *indices[2]; /* where the result will be; spare */
    struct split_control *control;
    struct split_segment *queue; /* a ring */
    struct split_segment *stuck;
    struct split_leaf *leaves;
    void *rows;         /* by segment of a batch: what its parts are told apart by */
    uint64_t *counters; /* by segment of a batch and part: items, then where the next goes */
    uint64_t count;
    uint32_t queue_capacity;
    uint32_t leaf;                   /* most items of a leaf */
    uint32_t levels;                 /* splits until a segment is stuck */
    uint32_t log_ways, oversampling; /* of `sample` */
};

#endif
