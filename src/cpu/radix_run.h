/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a radix driver: the workspace carved up, and the phases that a team does together.
 */
#ifndef CONSORT_CPU_RADIX_RUN_H
#define CONSORT_CPU_RADIX_RUN_H

#include <stdatomic.h>

#include "cpu/radix_kernels.h"

struct radix_run {
    struct radix_job *job;
    struct radix_state state;
    struct radix_scratch *scratch; /* one per member */
    uint64_t *ends;                /* per bucket of the last partition: where it ends */
    uint64_t *tables;              /* per part: its items in each bucket, then their places */
    struct radix_prefixes *prefixes;
    uint32_t members;
    bool in_place;
    /* the present phase */
    uint32_t parts; /* of the range: whoever is free takes the next */
    _Atomic uint32_t next;
    enum radix_place from;
    enum radix_place to;
    uint64_t first;
    uint64_t last;
    struct radix_digit digit;
    uint128 varying;
};

/* Bytes for `count` items: all of them once, unless the input is spare, and each member's scratch.
 */
uint64_t radix_run_workspace(uint64_t count, uint32_t width, uint32_t value_bytes,
                             enum radix_takes takes, uint32_t members);

/* Bytes for a leaf alone. */
uint64_t radix_leaf_workspace(uint64_t count, uint32_t width, uint32_t value_bytes);

/* Fails when the workspace is too small. */
bool radix_run_begin(struct radix_run *run, struct radix_job *job);

/* The whole job as one leaf, on the calling thread. */
enum radix_result radix_run_leaf(struct radix_job *job);

/* The team counts the digits of [first, last) at `from` and sums `varying`. */
void radix_run_histogram(struct radix_run *run, enum radix_place from, uint64_t first,
                         uint64_t last, struct radix_digit digit);

/* The team moves the range just counted to `to`; afterwards `ends` is set. */
void radix_run_scatter(struct radix_run *run, enum radix_place to);

/* The team writes the range to the output as it stands. */
void radix_run_settle(struct radix_run *run, enum radix_place from, uint64_t first, uint64_t last);

/* Most items that one thread sorts at once as a leaf. */
uint64_t radix_leaf_items(uint32_t item_bytes);

#endif
