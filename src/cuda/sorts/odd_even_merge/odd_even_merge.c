/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `odd-even-merge`: tiles in shared memory, then a launch for each (size, stride): the
 * comparators of successive strides overlap, so that steps between tiles do not fuse as bitonic's
 * do.
 */
#include "cuda/sorts/odd_even_merge/odd_even_merge.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/sorts/items/cuda_items.h"
#include "cuda/sorts/network/cuda_network.h"
#include "cuda/sorts/odd_even_merge/odd_even_merge_layout.h"

struct odd_even_merge_state {
    struct cuda_items items;
    struct launch tile, step;
};

static uint64_t odd_even_merge_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return cuda_items_workspace(request);
}

/* A pass over the items for each step of the sizes above a tile. */
static double odd_even_merge_cost(const struct request *request)
{
    double bytes = cuda_items_code_bytes(request) + cuda_items_index_bytes(request);
    double sizes = cuda_network_log(request->maximum_count), passes = 4.0;
    for (double size = ODD_EVEN_MERGE_LOG_TILE + 1; size <= sizes; size++)
        passes += size;
    return passes * (5e3 + 2.0 * bytes * (double)request->maximum_count / 3300.0);
}

static consort_status odd_even_merge_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct request *request = &plan->request;
    struct odd_even_merge_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    uint32_t shared =
        items_shared_bytes(cuda_items_code_bytes(request), cuda_items_index_bytes(request),
                           1u << ODD_EVEN_MERGE_LOG_TILE);
    state->tile = (struct launch){
        cuda_items_kernel(request, device, "odd_even_merge", "odd_even_tile", shared),
        ODD_EVEN_MERGE_THREADS, shared};
    state->step =
        (struct launch){cuda_items_kernel(request, device, "odd_even_merge", "odd_even_step", 0),
                        ODD_EVEN_MERGE_THREADS, 0};
    bool found = state->tile.function && state->step.function;
    return found ? cuda_items_prepare(&state->items, request, device)
                 : consort_last_error()->status;
}

static consort_status odd_even_merge_steps(const struct odd_even_merge_state *state,
                                           struct items *items, consort_stream stream)
{
    void *tile[] = {items};
    uint64_t tiles = ((items->count - 1) >> ODD_EVEN_MERGE_LOG_TILE) + 1;
    uint32_t log_count = cuda_network_log(items->count);
    consort_status status = launch_kernel(&state->tile, tiles, stream, tile);
    for (uint32_t log_size = ODD_EVEN_MERGE_LOG_TILE + 1; log_size <= log_count; log_size++)
        for (uint32_t log_stride = log_size; log_stride-- > 0 && status == CONSORT_OK;) {
            void *parameters[] = {items, &log_size, &log_stride};
            uint64_t pairs = (items->count + ((uint64_t)1 << (log_stride + 1)) - 1) >>
                             (log_stride + 1) << log_stride;
            uint64_t blocks = (pairs + ODD_EVEN_MERGE_THREADS - 1) / ODD_EVEN_MERGE_THREADS;
            status = launch_kernel(&state->step, blocks, stream, parameters);
        }
    return status;
}

static consort_status odd_even_merge_run(const struct consort_plan *plan, const struct run *run)
{
    const struct odd_even_merge_state *state = plan->state;
    struct items items;
    consort_status status = cuda_items_begin(&state->items, plan, run, &items);
    if (status == CONSORT_OK)
        status = odd_even_merge_steps(state, &items, run->stream);
    return status == CONSORT_OK ? cuda_items_finish(&state->items, plan, run, &items) : status;
}

const struct algorithm odd_even_merge_sort = {
    .name = "odd-even-merge",
    .summary = "odd-even merge network over the whole array, in place (Batcher 1968)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = cuda_items_refuses,
    .workspace = odd_even_merge_workspace,
    .cost = odd_even_merge_cost,
    .prepare = odd_even_merge_prepare,
    .run = odd_even_merge_run,
};

const struct algorithm odd_even_merge_argsort = {
    .name = "odd-even-merge",
    .summary = "odd-even merge network over codes and positions (Batcher 1968)",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = cuda_items_refuses,
    .workspace = odd_even_merge_workspace,
    .cost = odd_even_merge_cost,
    .prepare = odd_even_merge_prepare,
    .run = odd_even_merge_run,
};
