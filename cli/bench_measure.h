/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures contenders side by side: in every round each of them runs once, in rotating order, so
 * that what the machine does meanwhile hits all alike. Every run gets a fresh copy of the input,
 * and every result is checked; one wrong result and a contender has no figures.
 */
#ifndef CONSORT_CLI_BENCH_MEASURE_H
#define CONSORT_CLI_BENCH_MEASURE_H

#include "bench_results.h"

struct bench_effort {
    uint32_t warm_ups; /* runs before that; 0: as many as suit the device */
    uint32_t repeat;   /* timings of each contender, at least; 0: as many as suit the device */
    double time;       /* seconds that they last together, at least; negative: the usual */
    double budget;     /* seconds after which a slow contender is done with fewer */
};

/* A case and who takes part in it; both have result->score_count. */
struct bench_side {
    struct bench_result *result;
    struct bench_contender *contenders;
};

/* Fills the scores of all sides: cases of one input, which differ in their threads alone and take
 * turns, too. The thread that sorts is pinned where the result says so. */
void bench_measure(const struct bench_side *sides, size_t count, struct bench_place *place,
                   const struct bench_effort *effort);

#endif
