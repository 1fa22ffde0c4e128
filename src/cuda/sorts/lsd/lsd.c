/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `lsd`: how much workspace a request needs, and its launches.
 */
#include "cuda/sorts/lsd/lsd.h"

#include <stddef.h>
#include <stdlib.h>

#include "core/status.h"
#include "cuda/carried_values.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/lsd/lsd_passes.h"
#include "cuda/sorts/lsd/lsd_request.h"

struct lsd_state {
    struct lsd_passes passes;
    struct launch gather;
    bool held; /* every list by blocks of one launch, which move keys in place */
};

/* A double buffer has the other array. */
static bool lsd_is_held(const struct request *request)
{
    const uint32_t key = (uint32_t)request->item_bytes, value = lsd_request_value_bytes(request);
    const struct lsd_shape *shape = lsd_passes_at_once(key, value, request->maximum_count);
    return shape && request->operation == CONSORT_OPERATION_SORT &&
           !carried_values_use_both_buffers(request) &&
           request->maximum_count <=
               lsd_request_held_keys(request, shape->threads * shape->items,
                                     lsd_shared_bytes(key, value, shape->threads, shape->items));
}

/* The control block and look-back words come first. */
static struct lsd_workspace lsd_lay_out(const struct request *request, bool held)
{
    const uint64_t scratch = lsd_passes_scratch(
        (uint32_t)request->item_bytes, lsd_request_value_bytes(request), request->maximum_count);
    return held ? lsd_request_lay_out_at_once(request, scratch)
                : lsd_request_lay_out(request, scratch);
}

static uint64_t lsd_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return request->maximum_count == 0 ? 0 : lsd_lay_out(request, lsd_is_held(request)).total;
}

static consort_status lsd_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct request *request = &plan->request;
    struct lsd_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    consort_status status = lsd_passes_prepare(&state->passes, (uint32_t)request->item_bytes,
                                               lsd_request_value_bytes(request), device);
    state->held = lsd_is_held(request);
    if (status == CONSORT_OK && state->held)
        status = lsd_request_check_held(request, state->passes.resident_keys);
    return status == CONSORT_OK ? cuda_gather_prepare(&state->gather, device) : status;
}

static consort_status lsd_launch(const struct consort_plan *plan, const struct run *run,
                                 const struct lsd_workspace *w)
{
    const struct lsd_state *state = plan->state;
    struct lsd_arguments a = lsd_request_arguments(&plan->request, run, w);
    if (state->held)
        a.keys_spare[0] = a.keys_out;
    return lsd_passes_run(&state->passes, &a, run->workspace, run->stream);
}

static consort_status lsd_run(const struct consort_plan *plan, const struct run *run)
{
    const struct lsd_state *state = plan->state;
    struct lsd_workspace w = lsd_lay_out(&plan->request, state->held);
    return lsd_request_run(plan, run, &w, &state->gather, lsd_launch);
}

const struct algorithm lsd_sort = {
    .name = "lsd",
    .summary = "stable radix sort, one pass a byte, after Adinets and Merrill's Onesweep",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .steps = true,
    .refuses = lsd_request_refuses,
    .cost = lsd_request_cost,
    .workspace = lsd_workspace_bytes,
    .prepare = lsd_prepare,
    .run = lsd_run,
};

const struct algorithm lsd_argsort = {
    .name = "lsd",
    .summary = "stable radix sort, one pass a byte, after Adinets and Merrill's Onesweep",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = lsd_request_refuses,
    .cost = lsd_request_cost,
    .workspace = lsd_workspace_bytes,
    .prepare = lsd_prepare,
    .run = lsd_run,
};
