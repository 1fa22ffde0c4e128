/* SPDX-License-Identifier: Apache-2.0 */
/* Names one score of a run, for targets and for what studies compare. */
#ifndef CONSORT_CLI_BENCH_PICK_H
#define CONSORT_CLI_BENCH_PICK_H

#include "bench_results.h"

#define BENCH_BEST_PEER "the best peer"
#define BENCH_CEILING   "copies alone"

enum bench_where {
    BENCH_ON_CPU,
    BENCH_ON_GPU, /* arrays in its memory */
    BENCH_ON_GPU_HOST,
    BENCH_ON_GPU_PINNED,
    BENCH_ON_GPUS, /* a list in the memory of several */
    BENCH_ON_GPUS_HOST,
    BENCH_ON_GPUS_PINNED
};

struct bench_pick {
    const char *name; /* of the score, or BENCH_BEST_PEER; for seconds, or BENCH_CEILING */
    enum bench_where where;
    enum bench_operation operation;
    consort_type type;
    uint32_t value_bytes;
    uint64_t segment;
    enum bench_lengths lengths;
    uint64_t record_bytes;
    uint64_t k;               /* of a top-k; 0: any */
    const char *distribution; /* NULL: uniform */
    uint64_t count;
    uint32_t threads; /* 0: any */
    uint32_t gpus;    /* of a list in the memory of several; else 0 */
};

/* The first case in which it has figures, or NULL. */
const struct bench_result *bench_pick_result(const struct bench_pick *pick,
                                             const struct bench_results *results);

/* The first with figures, or NULL. */
const struct bench_score *bench_pick_score(const struct bench_pick *pick,
                                           const struct bench_results *results);

/* Its median, or what the ceiling takes; 0 without figures. */
double bench_pick_seconds(const struct bench_pick *pick, const struct bench_results *results);

#endif
