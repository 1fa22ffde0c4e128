/* SPDX-License-Identifier: Apache-2.0 */
/* How large samples, candidate buffers and teams are: arithmetic of the GPU's `radix-select`. */
#ifndef CONSORT_TOPK_SIZES_H
#define CONSORT_TOPK_SIZES_H

#include <stdbool.h>
#include <stdint.h>

/* Keys of a row of `length` that are sampled. */
uint64_t topk_sizes_samples(uint64_t length);

/* Which of a sample's codes, counted from 1, becomes the threshold for `kept` of a row. */
uint64_t topk_sizes_sample_rank(uint64_t length, uint64_t kept);

/* Candidates there is room for. Never falls when an argument rises. */
uint64_t topk_sizes_capacity(uint64_t length, uint64_t kept);

/* How a grid is cut up. */
struct topk_teams {
    uint32_t teams, blocks; /* blocks of a team */
};

/* For rows of `row_bytes` bytes, with `resident` blocks at once. */
struct topk_teams topk_sizes_teams(uint64_t rows, uint64_t row_bytes, uint32_t resident);

/* Where everything lies in the workspace, in bytes from its start, for every run with at most
 * `count` items, `rows` rows and `kept` of each; with positions of candidates, or without. */
struct topk_workspace {
    uint64_t bins, counts, ties, sampled, codes[2], positions[2], total;
};

struct topk_workspace topk_sizes_workspace(uint64_t count, uint64_t rows, uint64_t kept,
                                           uint32_t key_bytes, uint32_t position_bytes,
                                           bool positions);

#endif
