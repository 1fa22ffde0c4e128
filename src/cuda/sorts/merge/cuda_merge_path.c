/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of `merge-path`: one round of `merge` over the caller's two lists. */
#include "cuda/sorts/merge/cuda_merge_path.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/carried_values.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/merge/merge_rounds.h"

enum {
    MERGE_PATH_ALIGNMENT = 256
};

struct merge_path_state {
    struct merge_rounds rounds;
    struct launch gather;
};

static const char *cuda_merge_path_refuses(const struct request *request)
{
    return merge_rounds_exist(request) ? NULL : "the GPU's merge-path merges numbers";
}

static uint64_t cuda_merge_path_index(const struct request *request)
{
    uint64_t cuts = merge_rounds_cut_bytes(request, request->maximum_count);
    return (cuts + MERGE_PATH_ALIGNMENT - 1) / MERGE_PATH_ALIGNMENT * MERGE_PATH_ALIGNMENT;
}

static uint64_t cuda_merge_path_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    if (request->maximum_count == 0)
        return 0;
    bool indices = carried_values_are_indices(request);
    return cuda_merge_path_index(request) +
           (indices ? request->maximum_count * carried_values_bytes(request) : 0);
}

/* H200, CUDA 13.0, 2026-11: 2^28 u32 in 0.76 ms, u64 + 8 bytes in 2.2 ms. */
static double cuda_merge_path_cost(const struct request *request)
{
    double bytes = (double)(request->item_bytes + carried_values_bytes(request));
    return 20e3 + (double)request->maximum_count * bytes / 1800.0;
}

static consort_status cuda_merge_path_prepare(struct consort_plan *plan,
                                              const struct device *device)
{
    struct merge_path_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    consort_status status = merge_rounds_prepare(&state->rounds, &plan->request, device);
    return status == CONSORT_OK ? cuda_gather_prepare(&state->gather, device) : status;
}

/* The array of an empty list may be NULL, with which no address can be computed. */
static const void *cuda_merge_path_base(const void *list, const void *other)
{
    return list ? list : other;
}

static struct merge_arguments cuda_merge_path_arguments(const struct request *request,
                                                        const struct run *run)
{
    const consort_arguments *arguments = run->arguments;
    struct merge_arguments a =
        merge_rounds_arguments(request, arguments->count + arguments->count_b);
    a.a_count = arguments->count;
    a.keys[0] = cuda_merge_path_base(arguments->in, arguments->in_b);
    a.keys[1] = cuda_merge_path_base(arguments->in_b, arguments->in);
    a.keys_out = arguments->out;
    a.cuts = run->workspace;
    a.outcome = arguments->outcome;
    a.buffer = 1;
    a.encode = a.decode = 1;
    if (carried_values_are_indices(request)) {
        a.value_mode = MERGE_VALUES_INDEX;
        a.values_out = (char *)run->workspace + cuda_merge_path_index(request);
    } else if (request->value_count == 1) {
        const consort_column *column = &arguments->values[0];
        a.values[0] = cuda_merge_path_base(column->in, column->in_b);
        a.values[1] = cuda_merge_path_base(column->in_b, column->in);
        a.values_out = column->out;
    }
    return a;
}

static consort_status cuda_merge_path_run(const struct consort_plan *plan, const struct run *run)
{
    const struct merge_path_state *state = plan->state;
    const struct request *request = &plan->request;
    struct merge_arguments a = cuda_merge_path_arguments(request, run);
    if (a.count == 0)
        return CONSORT_OK;
    bool indices = carried_values_are_indices(request);
    consort_status status = CONSORT_OK;
    if (request->value_count > 0 && !indices)
        status = run_wants_column(run, 0);
    if (status == CONSORT_OK)
        status = merge_rounds_merge(&state->rounds, &a, run->stream);
    if (status == CONSORT_OK)
        status = run_items_done(run);
    for (uint32_t i = 0; indices && i < request->value_count && status == CONSORT_OK; i++) {
        status = run_wants_column(run, i);
        if (status == CONSORT_OK)
            status = cuda_gather_lists(&state->gather, &run->arguments->values[i], a.a_count,
                                       a.values_out, a.value_bytes, a.count, run->stream);
        if (status == CONSORT_OK)
            status = run_column_done(run, i);
    }
    return status;
}

const struct algorithm cuda_merge_path = {
    .name = "merge-path",
    .summary = "parallel stable merge of equal tiles of output found by co-ranks (GPU Merge Path: "
               "Green, McColl, Bader 2012)",
    .operation = CONSORT_OPERATION_MERGE,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = cuda_merge_path_refuses,
    .workspace = cuda_merge_path_workspace,
    .cost = cuda_merge_path_cost,
    .prepare = cuda_merge_path_prepare,
    .run = cuda_merge_path_run,
};
