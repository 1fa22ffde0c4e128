/* SPDX-License-Identifier: Apache-2.0 */
/* One call of the library: the same arguments, through a plan or through the one-call functions. */
#ifndef CONSORT_CLI_BENCH_CALL_H
#define CONSORT_CLI_BENCH_CALL_H

#include "bench_case.h"

struct bench_call {
    const struct bench_case *shape;
    const consort_options *options;
    const consort_field *field; /* records */
    const void *in;
    void *out;
    uint64_t count;
    consort_column values;
    uint32_t value_count;
    void *indices;
    const void *in_b; /* merge */
    uint64_t count_b;
    const void *offsets; /* segmented */
    uint64_t segments;
    consort_stream stream; /* device memory: where it is queued */
    consort_outcome *outcome;
};

consort_status bench_call_plan(const struct bench_call *call, const consort_plan *plan,
                               void *workspace, uint64_t workspace_bytes);
consort_status bench_call_directly(const struct bench_call *call);

#endif
