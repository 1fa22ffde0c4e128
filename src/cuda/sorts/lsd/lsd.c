/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `lsd`: how much workspace a request needs, what it costs, and its launches.
 */
#include "cuda/sorts/lsd/lsd.h"

#include <stddef.h>
#include <stdlib.h>

#include "core/status.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/lsd/lsd_passes.h"
#include "cuda/sorts/lsd/lsd_request.h"

struct lsd_state {
    struct lsd_passes passes;
    struct launch gather;
};

/* The control block and look-back words come first. */
static struct lsd_workspace lsd_lay_out(const struct request *request)
{
    return lsd_request_lay_out(request, lsd_passes_scratch((uint32_t)request->item_bytes,
                                                           lsd_request_value_bytes(request),
                                                           request->maximum_count));
}

static uint64_t lsd_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return request->maximum_count == 0 ? 0 : lsd_lay_out(request).total;
}

/* H200, CUDA 13.0, 2026-11: 15 µs and 12.5 µs a pass of launches (2^17 u8 27 µs, u16 38 µs, u32
 * 65 µs, u64 110 µs); then lsd_passes_cost. */
static double lsd_cost(const struct request *request)
{
    double passes = (double)request->item_bytes;
    double moved = lsd_passes_cost((uint32_t)request->item_bytes, lsd_request_value_bytes(request));
    return 15e3 + passes * (12.5e3 + (double)request->maximum_count * moved);
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
    return status == CONSORT_OK ? cuda_gather_prepare(&state->gather, device) : status;
}

static consort_status lsd_run(const struct consort_plan *plan, const struct run *run)
{
    const struct lsd_state *state = plan->state;
    struct lsd_workspace w = lsd_lay_out(&plan->request);
    struct lsd_arguments a = lsd_request_arguments(&plan->request, run, &w);
    bool moves_index = lsd_request_moves_index(&plan->request);
    consort_status status = CONSORT_OK;
    if (plan->request.value_count > 0 && !moves_index)
        status = run_wants_column(run, 0);
    if (status == CONSORT_OK)
        status = lsd_passes_run(&state->passes, &a, run->workspace, run->stream);
    if (status == CONSORT_OK)
        status = run_items_done(run);
    if (status == CONSORT_OK && moves_index)
        status = lsd_request_gather(&state->gather, &plan->request, run, &w);
    return status;
}

const struct algorithm lsd_sort = {
    .name = "lsd",
    .summary = "stable radix sort, one pass a byte, after Adinets and Merrill's Onesweep",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .steps = true,
    .refuses = lsd_request_refuses,
    .cost = lsd_cost,
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
    .cost = lsd_cost,
    .workspace = lsd_workspace_bytes,
    .prepare = lsd_prepare,
    .run = lsd_run,
};
