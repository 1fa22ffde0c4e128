/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a case, and what it is made of: for arrays in host and in device memory alike. */
#ifndef CONSORT_CLI_BENCH_PLAN_H
#define CONSORT_CLI_BENCH_PLAN_H

#include "bench_consort.h"
#include "bench_spread.h"

struct bench_plan {
    struct bench_case shape;
    consort_context *context;
    consort_options options;
    consort_plan *plan;
    consort_field field;
    uint64_t value_bytes;
    consort_parameter parameters[BENCH_NUMBERS];
    int32_t devices[BENCH_GPUS]; /* spread: of each part */
    bool counts;                 /* its runs have counters to tell */
};

/* Fills what open has to fill in the contender, whose place and subject are set. The plan stays
 * where it is: it points into itself. */
bool bench_plan_open(struct bench_plan *plan, struct bench_contender *contender,
                     const struct bench_case *shape, struct problem *problem);

/* Should this run tell its counters? Those that are timed pass no outcome, as most callers do. */
bool bench_plan_asks(const struct bench_plan *plan, const struct bench_contender *contender);

/* Keeps the counters of a run. */
void bench_plan_count(const struct bench_plan *plan, struct bench_contender *contender,
                      const consort_outcome *outcome);

void bench_plan_close(struct bench_plan *plan);

#endif
