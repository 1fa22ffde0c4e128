/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of the GPU's `bitonic`: the whole network, fused, or with the launches of the paper,
 * one for each (size, stride) and a thread for each item.
 */
#include "cuda/sorts/bitonic/cuda_bitonic.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/sorts/items/cuda_items.h"
#include "cuda/sorts/network/cuda_network.h"

enum {
    BITONIC_BLOCK,
    BITONIC_FUSED,
    BITONIC_PARAMETERS
};

static const consort_parameter_info cuda_bitonic_parameters[BITONIC_PARAMETERS] = {
    {"block", "threads of a block, rounded down to a power of two", 64, NETWORK_MOST_THREADS, 256},
    {"fused", "1: many steps a launch; 0: one, as in the paper", 0, 1, 1},
};

struct bitonic_state {
    struct cuda_items items;
    struct cuda_network network;
    bool fused;
};

static uint64_t cuda_bitonic_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return cuda_items_workspace(request);
}

static double cuda_bitonic_cost(const struct request *request)
{
    return cuda_network_cost(request, 1);
}

static consort_status cuda_bitonic_prepare(struct consort_plan *plan, const struct device *device)
{
    uint32_t block = 1u << cuda_network_log_down((uint64_t)plan->parameters[BITONIC_BLOCK]);
    struct bitonic_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    state->fused = plan->parameters[BITONIC_FUSED] != 0;
    consort_status status = cuda_network_prepare(&state->network, &plan->request, device, block);
    return status == CONSORT_OK ? cuda_items_prepare(&state->items, &plan->request, device)
                                : status;
}

static consort_status cuda_bitonic_run(const struct consort_plan *plan, const struct run *run)
{
    const struct bitonic_state *state = plan->state;
    struct items items;
    consort_status status = cuda_items_begin(&state->items, plan, run, &items);
    if (status == CONSORT_OK)
        status = state->fused ? cuda_network_merge(&state->network, &items, 1, NULL, run->stream)
                              : cuda_network_merge_unfused(&state->network, &items, 1, run->stream);
    return status == CONSORT_OK ? cuda_items_finish(&state->items, plan, run, &items) : status;
}

const struct algorithm cuda_bitonic_sort = {
    .name = "bitonic",
    .summary = "bitonic network over the whole array, in place, any length (Batcher 1968)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = cuda_bitonic_parameters,
    .parameter_count = BITONIC_PARAMETERS,
    .refuses = cuda_items_refuses,
    .workspace = cuda_bitonic_workspace,
    .cost = cuda_bitonic_cost,
    .prepare = cuda_bitonic_prepare,
    .run = cuda_bitonic_run,
};

const struct algorithm cuda_bitonic_argsort = {
    .name = "bitonic",
    .summary = "bitonic network over codes and positions, any length (Batcher 1968)",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = cuda_bitonic_parameters,
    .parameter_count = BITONIC_PARAMETERS,
    .refuses = cuda_items_refuses,
    .workspace = cuda_bitonic_workspace,
    .cost = cuda_bitonic_cost,
    .prepare = cuda_bitonic_prepare,
    .run = cuda_bitonic_run,
};
