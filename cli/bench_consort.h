/* SPDX-License-Identifier: Apache-2.0 */
/* This library as a contender: by plans with memory of ours, or by its one-call functions. */
#ifndef CONSORT_CLI_BENCH_CONSORT_H
#define CONSORT_CLI_BENCH_CONSORT_H

#include "bench_contender.h"

enum bench_form {
    BENCH_FORM_IN_PLACE,
    BENCH_FORM_COPY,     /* input and output are two places */
    BENCH_FORM_DOUBLE,   /* both may be overwritten; device memory only */
    BENCH_FORM_LAUNCHES, /* two places, by a plan that does not replay; device memory only */
    BENCH_FORM_COUNT
};

struct bench_consort {
    char algorithm[BENCH_NAME]; /* "auto" or one by force */
    struct bench_number_list parameters;
    bool one_call; /* plans and takes memory inside the timing */
    bool unstable; /* gives stability up */
    enum bench_form form;
};

/* For contenders whose subject is a struct bench_consort. */
extern const struct bench_methods bench_consort_on_host;
extern const struct bench_methods bench_consort_on_device;
extern const struct bench_methods bench_consort_on_gpus;

#endif
