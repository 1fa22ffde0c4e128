/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of the GPU's `radix-select` share. Plain C, included by both.
 */
#ifndef CONSORT_TOPK_LAYOUT_H
#define CONSORT_TOPK_LAYOUT_H

#include "cuda/device/code_constants.h"
#include "cuda/device/constant_function.h"

enum {
    TOPK_THREADS = 512,
    TOPK_WARPS = TOPK_THREADS / 32,
    TOPK_UNROLL = 4, /* 16-byte words a thread has in flight */
    TOPK_DIGIT = 11, /* bits of a histogram that narrows */
    TOPK_BINS = 1 << TOPK_DIGIT,
    TOPK_TURNS = 2,         /* sets of counters of them, one in use while one is read */
    TOPK_SLOTS = 4,         /* two in use, one read, one being cleared */
    TOPK_STAGE = 128,       /* items a warp keeps back before it writes them */
    TOPK_BLOCK_SORT = 4096, /* items that one block sorts in shared memory */
    TOPK_BLOCK_SAMPLE = 1024,
    TOPK_SORT_BINS = 256,
    TOPK_SORT_ITEMS = 4,    /* a thread, in a pass of the larger sort */
    TOPK_SORT_SHARE = 4096, /* items that are worth a block in it */
    TOPK_LONG_RUN = 64,     /* equal codes that one thread still puts in order */
    TOPK_MOST_BLOCKS = 1024,
    TOPK_MOST_TEAMS = 64,       /* of several blocks */
    TOPK_SHORT = 512,           /* rows that a warp sorts whole */
    TOPK_SELECTED = 32,         /* of keys of at most 32 bits are found without sorting, … */
    TOPK_SELECTED_SHORT = 1024, /* … in rows of so many by a warp */
    TOPK_SHORT_THREADS = 128
};

/* What the blocks of a team tell each other in one phase: zero before it. */
struct topk_slot {
    uint64_t collected;
    uint32_t unordered, long_run;
};

/* All zero before a run. */
struct topk_control {
    struct topk_slot slots[TOPK_SLOTS];
    uint32_t arrivals, sort_arrivals;
    uint32_t reserved[2];
};

struct topk_arguments {
    const void *in;
    void *out;     /* NULL: only indices are wanted */
    void *indices; /* NULL: only keys are wanted */
    uint64_t length, rows;
    uint64_t kept;     /* of each row: min(k, length) */
    uint64_t capacity; /* candidates of a row there is room for */
    uint64_t samples;
    uint64_t sample_rank; /* of the sample that is taken for a threshold */
    uint32_t teams, team_blocks;
    uint32_t index_bytes;
    uint32_t ties_matter; /* 1: equal codes are told apart by their position, which is kept */
    uint32_t gather;      /* 1: codes do not give the keys back */
    uint32_t code_bytes;  /* bytes of a code that can differ */
    struct topk_control *controls; /* one for each team */
    void *bins;       /* TOPK_TURNS × TOPK_BINS counters, as wide as positions, for each team */
    uint32_t *counts; /* 2 × TOPK_SORT_BINS for each block */
    uint64_t *ties;   /* one for each block */
    void *sampled;    /* codes; `samples` for each team */
    void *codes[2];   /* `capacity` for each team */
    void *positions[2];
    struct code_constants codec;
};

/* Bytes of shared memory of a block: the larger sort's items, or what else shares their place. */
CONSTANT_FUNCTION uint32_t topk_shared_bytes(uint32_t key_bytes, uint32_t position_bytes)
{
    return TOPK_BLOCK_SORT * (key_bytes + position_bytes) + TOPK_SORT_BINS * 8 + TOPK_WARPS * 8 +
           32;
}

#endif
