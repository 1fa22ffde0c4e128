/* SPDX-License-Identifier: Apache-2.0 */
/* Runs settings or a suite: case by case, a table row at a time, everything kept for the report. */
#ifndef CONSORT_CLI_BENCH_RUN_H
#define CONSORT_CLI_BENCH_RUN_H

#include <stdio.h>

#include "bench_ceiling.h"
#include "bench_lineup.h"
#include "bench_results.h"
#include "bench_spread.h"
#include "bench_suite.h"

struct bench_run {
    FILE *table; /* where rows go */
    struct bench_plugins plugins;
    struct bench_results results;
    struct bench_ceilings ceilings;
    struct bench_input input;
    struct bench_place place;
    struct bench_arrays arrays; /* of the GPU that was opened last */
    struct bench_spread spread;
};

/* False: it could not go on, and the problem says why. What was measured so far stays. */
bool bench_run_settings(struct bench_run *run, const struct bench_settings *settings,
                        struct problem *problem);

/* The suite's lines, each on top of the defaults; bench_settings_override. */
bool bench_run_suite(struct bench_run *run, const struct bench_suite *suite,
                     const struct bench_settings *settings, struct problem *problem);

void bench_run_release(struct bench_run *run);

#endif
