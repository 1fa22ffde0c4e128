/* SPDX-License-Identifier: Apache-2.0 */
/* This library as a contender: by plans with memory of ours, or by its one-call functions. */
#ifndef CONSORT_CLI_BENCH_CONSORT_H
#define CONSORT_CLI_BENCH_CONSORT_H

#include "bench_contender.h"

struct bench_consort {
    char algorithm[BENCH_NAME]; /* "auto" or one by force */
    bool one_call;              /* plans and takes memory inside the timing */
    bool separate;              /* input and output are two places; else sorts in place */
    bool unstable;              /* gives stability up */
};

/* `subject` must outlive the contender. */
struct bench_contender bench_consort_contender(const struct bench_consort *subject);

#endif
