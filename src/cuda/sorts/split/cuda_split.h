/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts by splitting: segments are split between the items' arrays and spare ones, in one launch,
 * until one block can sort each part; a second launch sorts those leaves into place.
 */
#ifndef CONSORT_CUDA_SPLIT_H
#define CONSORT_CUDA_SPLIT_H

#include "cuda/sorts/items/cuda_items.h"
#include "cuda/sorts/split/split_layout.h"

enum {
    SPLIT_COUNTERS = 3
};

extern const char *const cuda_split_counters[SPLIT_COUNTERS];

/* What an algorithm says about its plan; the same for the same request and parameters. */
struct split_settings {
    int64_t leaf;          /* asked for; what fits one block is taken at most */
    uint32_t levels;       /* splits before a network takes over */
    uint32_t row_words;    /* by segment: words that tell its parts apart */
    uint32_t row_counters; /* and counters of parts */
    uint32_t log_ways, oversampling;
};

/* The kernels of one plan; first in the algorithm's state. */
struct cuda_split {
    struct cuda_items items;
    struct launch levels, leaves, tell;
    uint32_t level_blocks, leaf_blocks; /* all that are resident */
};

/* Bytes of an item as kernels compare it, and items a thread of a tile of such. */
uint32_t cuda_split_word_bytes(const struct request *request);
uint32_t cuda_split_tile_items(const struct request *request);

/* Nanoseconds that a fast sort by splitting takes. */
double cuda_split_cost(const struct request *request);

uint64_t cuda_split_workspace(const struct request *request, const struct split_settings *settings);

/* Makes the plan's state. `image`: the algorithm's, with kernels IMAGE_levels_… that take
 * `shared` bytes of shared memory. */
consort_status cuda_split_prepare(struct consort_plan *plan, const struct device *device,
                                  const char *image, uint32_t shared);

consort_status cuda_split_run(const struct consort_plan *plan, const struct run *run,
                              const struct split_settings *settings);

#endif
