/* SPDX-License-Identifier: Apache-2.0 */
/* Spells a call out for consort_plan_run and for the one-call functions. */
#include "bench_call.h"

consort_status bench_call_plan(const struct bench_call *call, const consort_plan *plan,
                               void *workspace, uint64_t workspace_bytes)
{
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = call->count;
    arguments.in = call->in;
    arguments.out = call->shape->operation == BENCH_ARGSORT ? NULL : call->out;
    arguments.values = call->value_count > 0 ? &call->values : NULL;
    arguments.indices = call->indices;
    arguments.in_b = call->in_b;
    arguments.count_b = call->count_b;
    arguments.offsets = call->offsets;
    arguments.segment_count = call->segments;
    arguments.k = call->shape->k;
    arguments.outcome = call->outcome;
    return consort_plan_run(plan, &arguments, workspace, workspace_bytes, call->stream);
}

static consort_type index_type(const struct bench_case *shape)
{
    return shape->value_bytes == 4 ? CONSORT_U32 : CONSORT_U64;
}

consort_status bench_call_directly(const struct bench_call *call)
{
    const struct bench_case *shape = call->shape;
    switch (shape->operation) {
    case BENCH_PAIRS:
        return consort_sort_pairs(call->in, call->out, &call->values, 1, call->count, shape->type,
                                  call->options);
    case BENCH_ARGSORT:
        return consort_argsort(call->in, call->indices, index_type(shape), call->count, shape->type,
                               call->options);
    case BENCH_SEGMENTED:
        return consort_segmented_sort(call->in, call->out, call->count, call->offsets, CONSORT_U64,
                                      call->segments, &call->values, call->value_count, shape->type,
                                      call->options);
    case BENCH_TOP_K:
        return consort_top_k(call->in, call->count, shape->k, call->out, NULL, 0, shape->type,
                             call->options);
    case BENCH_MERGE:
        return consort_merge(call->in, call->count, call->in_b, call->count_b, call->out,
                             &call->values, call->value_count, shape->type, call->options);
    case BENCH_RECORDS:
        return consort_sort_records(call->in, call->out, call->count, shape->record_bytes,
                                    call->field, 1, call->options);
    default:
        return consort_sort(call->in, call->out, call->count, shape->type, call->options);
    }
}
