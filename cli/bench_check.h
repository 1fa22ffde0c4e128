/* SPDX-License-Identifier: Apache-2.0 */
/* Is the result of a run right, by what the contender claims to be? */
#ifndef CONSORT_CLI_BENCH_CHECK_H
#define CONSORT_CLI_BENCH_CHECK_H

#include "bench_contender.h"

/* Fetches the result and checks it; one in device memory that has the bytes of a result which was
 * checked before needs neither. */
bool bench_check(struct bench_contender *contender, struct problem *problem);

#endif
