/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a case, and what it is made of: for arrays in host and in device memory alike. */
#ifndef CONSORT_CLI_BENCH_PLAN_H
#define CONSORT_CLI_BENCH_PLAN_H

#include "bench_consort.h"

struct bench_plan {
    struct bench_case shape;
    consort_context *context;
    consort_options options;
    consort_plan *plan;
    consort_field field;
    uint64_t value_bytes;
    consort_parameter parameters[BENCH_NUMBERS];
    bool counted; /* a run has told its counters, or there are none */
};

/* Fills what open has to fill in the contender, whose place and subject are set. The plan stays
 * where it is: it points into itself. */
bool bench_plan_open(struct bench_plan *plan, struct bench_contender *contender,
                     const struct bench_case *shape, struct problem *problem);

/* Keeps the counters of the first run; the others pass no outcome, as most callers do. */
void bench_plan_count(struct bench_plan *plan, struct bench_contender *contender,
                      const consort_outcome *outcome);

void bench_plan_close(struct bench_plan *plan);

#endif
