/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Studies: a paper's experiment, run here. A study is a suite whose claims set what the paper says
 * beside what was measured; what an algorithm or a peer that is not there should have shown is
 * reported as unmeasured.
 */
#ifndef CONSORT_CLI_BENCH_STUDY_H
#define CONSORT_CLI_BENCH_STUDY_H

#include <stdio.h>

#include "bench_pick.h"
#include "bench_suite.h"

enum bench_claim_kind {
    BENCH_SPEED_UP,      /* time of `against` over time of `what` */
    BENCH_GAIN,          /* percent of the time of `against` that `what` saves */
    BENCH_MILLISECONDS,  /* of `what` */
    BENCH_COUNTER,       /* of `what` */
    BENCH_COUNTER_SHARE, /* percent that a counter of `what` has in the sum of all of its unit */
    BENCH_CROSSOVER,     /* millions of items from which on `what` is faster; of every count */
    BENCH_OF_BUS_ONCE,   /* time of `what` over that of copying everything up and then down */
    BENCH_OF_BUS_TWICE   /* over that of copying everything both ways at once, twice */
};

struct bench_claim {
    const char *label;
    const char *paper; /* its figure or its words */
    enum bench_claim_kind kind;
    struct bench_pick what;
    struct bench_pick against;
    const char *counter; /* BENCH_COUNTER_SHARE: the sum is of all with the same ending */
};

struct bench_study {
    struct bench_suite suite;
    const char *source; /* the paper */
    const struct bench_claim *claims;
    size_t claim_count;
};

/* The index-th study; NULL past the last. */
const struct bench_study *bench_study_at(size_t index);
const struct bench_study *bench_study_find(const char *name);
const char *bench_study_choice(size_t index);

/* What was measured for a claim; false: the results do not say. */
bool bench_study_measured(const struct bench_claim *claim, const struct bench_results *results,
                          double *measured);

/* "x", "%", "ms", "M" or "". */
const char *bench_study_unit(enum bench_claim_kind kind);

void bench_study_print(FILE *file, const struct bench_study *study,
                       const struct bench_results *results);

#endif
