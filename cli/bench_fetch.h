/* SPDX-License-Identifier: Apache-2.0 */
/* What contenders have in common when their results are brought to where the check looks. */
#ifndef CONSORT_CLI_BENCH_FETCH_H
#define CONSORT_CLI_BENCH_FETCH_H

#include "bench_contender.h"

/* The place's values are indices: puts the keys in that order beside them. */
bool bench_fetch_gather(struct bench_place *place, struct problem *problem);

/* From contender->result in device memory. */
bool bench_fetch_device(struct bench_contender *contender, struct problem *problem);

#endif
