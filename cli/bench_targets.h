/* SPDX-License-Identifier: Apache-2.0 */
/* Targets against results: reached or missed. */
#ifndef CONSORT_CLI_BENCH_TARGETS_H
#define CONSORT_CLI_BENCH_TARGETS_H

#include <stdio.h>

#include "bench_suite.h"

enum {
    BENCH_LABEL = 192
};

/* Target number `index`, where one for every case stands for as many as there are results; false:
 * past the last. */
bool bench_targets_at(const struct bench_suite *suite, const struct bench_results *results,
                      size_t index, struct bench_target *target);

/* Measured speed ratio; 0 if one of the two has no figures in these results. */
double bench_targets_ratio(const struct bench_target *target, const struct bench_results *results);

/* "pass", "MISS" or "unmeasured". */
const char *bench_targets_verdict(const struct bench_target *target, double ratio);

/* "u32 uniform, n = 100000000, 1 thread, against vqsort". */
void bench_targets_label(const struct bench_target *target, char label[BENCH_LABEL]);

void bench_targets_print(FILE *file, const struct bench_suite *suite,
                         const struct bench_results *results);

#endif
