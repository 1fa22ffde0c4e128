/* SPDX-License-Identifier: Apache-2.0 */
/* What every algorithm of the operation `merge` does around its launches. */
#include "cuda/sorts/merge/merge_two_lists.h"

#include "cuda/carried_values.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/merge/merge_rounds.h"

uint64_t merge_two_lists_workspace(const struct request *request, uint64_t own)
{
    uint64_t count = request->maximum_count;
    bool indices = carried_values_are_indices(request);
    if (count == 0)
        return 0;
    return launch_aligned(own) + (indices ? count * carried_values_bytes(request) : 0);
}

/* The array of an empty list may be NULL, with which no address can be computed. */
static const void *merge_two_lists_base(const void *list, const void *other)
{
    return list ? list : other;
}

static struct merge_arguments merge_two_lists_arguments(const struct request *request,
                                                        const struct run *run, uint64_t own)
{
    const consort_arguments *arguments = run->arguments;
    struct merge_arguments a =
        merge_rounds_arguments(request, arguments->count + arguments->count_b);
    a.a_count = arguments->count;
    a.keys[0] = merge_two_lists_base(arguments->in, arguments->in_b);
    a.keys[1] = merge_two_lists_base(arguments->in_b, arguments->in);
    a.keys_out = arguments->out;
    a.last_cuts = run->workspace;
    a.outcome = arguments->outcome;
    a.buffer = 1;
    a.encode = a.decode = 1;
    if (carried_values_are_indices(request)) {
        a.value_mode = MERGE_VALUES_INDEX;
        a.values_out = (char *)run->workspace + launch_aligned(own);
    } else if (request->value_count == 1) {
        const consort_column *column = &arguments->values[0];
        a.values[0] = merge_two_lists_base(column->in, column->in_b);
        a.values[1] = merge_two_lists_base(column->in_b, column->in);
        a.values_out = column->out;
    }
    return a;
}

consort_status merge_two_lists_run(const struct consort_plan *plan, const struct run *run,
                                   uint64_t own, const struct launch *gather,
                                   merge_two_launches *launches)
{
    const struct request *request = &plan->request;
    struct merge_arguments a = merge_two_lists_arguments(request, run, own);
    bool indices = carried_values_are_indices(request);
    consort_status status = CONSORT_OK;
    if (request->value_count > 0 && !indices)
        status = run_wants_column(run, 0);
    if (status == CONSORT_OK)
        status = launches(plan, &a, run->stream);
    if (status == CONSORT_OK)
        status = run_items_done(run);
    for (uint32_t i = 0; indices && i < request->value_count && status == CONSORT_OK; i++) {
        status = run_wants_column(run, i);
        if (status == CONSORT_OK)
            status = cuda_gather_lists(gather, &run->arguments->values[i], a.a_count, a.values_out,
                                       a.value_bytes, a.count, run->stream);
        if (status == CONSORT_OK)
            status = run_column_done(run, i);
    }
    return status;
}
