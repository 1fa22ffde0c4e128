/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Suites: named lists of command lines, and what their results should reach. A target compares the
 * speeds of two scores of the same run.
 */
#ifndef CONSORT_CLI_BENCH_SUITE_H
#define CONSORT_CLI_BENCH_SUITE_H

#include <stdio.h>

#include "bench_pick.h"

/* Speed of this library at one case against another score. What is left out: keys alone or pairs,
 * uniform, one thread of the CPU, and for `against_…` what the case itself has, or this library. */
struct bench_target {
    consort_type type;
    uint32_t value_bytes; /* 0: keys alone */
    uint64_t count;
    const char *distribution;
    uint32_t threads;
    const char *against_peer; /* BENCH_BEST_PEER: the fastest one; BENCH_CEILING: the ceiling */
    const char *against_distribution;
    uint32_t against_threads;
    double ratio; /* our speed over the other, at least */
    enum bench_operation operation;
    uint64_t segment;
    enum bench_lengths lengths;
    uint64_t k;       /* top-k */
    bool on_gpu;      /* arrays in device memory */
    bool pinned;      /* on a GPU, from and to pinned memory */
    const char *ours; /* the score of this library; NULL: "consort", the planner's choice */
    uint32_t gpus; /* not 0: a list in the memory of so many, `count` items each, against one GPU */
    bool every;    /* each case that is measured on a GPU; of all above only the ratio counts */
};

struct bench_suite {
    const char *name;
    const char *summary;
    const char *const *lines; /* options as typed; ends with NULL */
    const struct bench_target *targets;
    size_t target_count;
};

/* The index-th suite; NULL past the last. */
const struct bench_suite *bench_suite_at(size_t index);
const struct bench_suite *bench_suite_find(const char *name);
const char *bench_suite_choice(size_t index);

#endif
