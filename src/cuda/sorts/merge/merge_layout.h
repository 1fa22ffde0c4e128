/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of `merge` share. Plain C, included by both. */
#ifndef CONSORT_MERGE_LAYOUT_H
#define CONSORT_MERGE_LAYOUT_H

#include "cuda/device/code_constants.h"
#include "cuda/device/constant_function.h"

/* Bytes of shared memory of a block that sorts or merges `threads` × `items` items: codes and, if
 * they are placed, places; one cut a thread. */
CONSTANT_FUNCTION uint32_t merge_shared_bytes(uint32_t key_bytes, uint32_t placed, uint32_t threads,
                                              uint32_t items)
{
    uint32_t word = key_bytes < 4 ? 4 : key_bytes, keys = threads * items;
    uint32_t bytes = keys * word + 2 * (placed ? keys : 8) + 2 * threads;
    return (bytes + 15) / 16 * 16;
}

enum {
    MERGE_CUT_GROUP = 32, /* tiles, one for each lane of a warp, cut after the ends of the group */
    MERGE_FOUR = 4,       /* runs that are merged at a time on long lists, else two */
    MERGE_FOUR_SLACK = 2, /* items a thread more, that are no outputs */
    MERGE_CUT_BYTES = 32  /* of a tile's cuts, a sector of memory */
};

/* What a block that merges four runs has room for. */
#define MERGE_FOUR_SLOTS(threads, items) ((threads) * ((items) + MERGE_FOUR_SLACK))

/* How values come. */
enum {
    MERGE_VALUES_MOVED = 0, /* arrays of values move with the keys */
    MERGE_VALUES_INDEX = 1  /* the value is the item's position, list b's after list a's */
};

/* One launch: sorting tiles, or one round of merging. */
struct merge_arguments {
    const void *keys[2];   /* list a and list b; the runs of a sort all lie in keys[0] */
    const void *values[2]; /* likewise */
    void *keys_out;        /* NULL: only values are wanted */
    void *values_out;
    char *cuts;          /* the first tile's, as merge_cuts.cuh says; or NULL */
    uint64_t cut_stride; /* bytes to the next tile's */
    void *last_cuts;     /* the last tile's */
    uint64_t count;      /* items in all */
    uint64_t a_count;    /* of list a, if run_tiles is 0 */
    uint64_t run_tiles;  /* sorted runs of so many tiles, a power of two; 0: two lists */
    uint64_t first_nan;  /* the lowest code of a NaN, where equal_floats */
    uint64_t zero;       /* the higher code of the two zeros */
    uint32_t value_bytes;
    uint32_t value_mode;
    uint32_t encode;       /* 1: keys come as the caller has them, else as codes */
    uint32_t decode;       /* 1: keys go as the caller wants them */
    uint32_t equal_floats; /* 1: NumPy's order; keys are moved by their places */
    int32_t buffer;        /* for the outcome */
    void *outcome;         /* a consort_outcome, or NULL */
    struct code_constants codec;
};

#endif
