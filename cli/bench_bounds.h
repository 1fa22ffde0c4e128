/* SPDX-License-Identifier: Apache-2.0 */
/* What no sort of a case can do better, measured in the same run. */
#ifndef CONSORT_CLI_BENCH_BOUNDS_H
#define CONSORT_CLI_BENCH_BOUNDS_H

#include "bench_run.h"

/* Fills the result's ceiling and bus. Of several GPUs, which have several links, the ceiling of
 * host arrays is what the bus needs if that is known. */
void bench_bounds_measure(struct bench_run *run, struct bench_result *result);

#endif
