/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of `transposition`: one cooperative launch of a grid that is resident as a whole. */
#include "cuda/sorts/transposition/transposition.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/sorts/items/cuda_items.h"
#include "cuda/sorts/transposition/transposition_layout.h"

enum {
    TRANSPOSITION_CONTROL_BYTES = 256
};

/* 2^20 items take up to 2^20 rounds of some microseconds each: seconds. */
#define TRANSPOSITION_MOST_ITEMS ((uint64_t)1 << 20)

static const char *const transposition_counters[] = {"rounds"};

struct transposition_state {
    struct cuda_items items;
    struct launch rounds, tell;
    uint32_t blocks;
};

static const char *transposition_refuses(const struct request *request)
{
    if (request->maximum_count > TRANSPOSITION_MOST_ITEMS)
        return "transposition takes quadratic time, and at most 2^20 items";
    return cuda_items_refuses(request);
}

static uint64_t transposition_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return cuda_items_workspace(request) + TRANSPOSITION_CONTROL_BYTES;
}

/* Two grid barriers of 2 µs for each two items, as in random input. */
static double transposition_cost(const struct request *request)
{
    return 20e3 + (double)request->maximum_count * 2e3;
}

static consort_status transposition_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct request *request = &plan->request;
    struct transposition_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    state->rounds = (struct launch){
        cuda_items_kernel(request, device, "transposition", "transposition_rounds", 0),
        TRANSPOSITION_THREADS, 0};
    state->tell =
        (struct launch){kernels_find(device, "transposition", "transposition_tell", 0), 1, 0};
    if (!state->rounds.function || !state->tell.function)
        return consort_last_error()->status;
    state->blocks = launch_resident(&state->rounds) * (uint32_t)device->processors;
    return state->blocks > 0 ? cuda_items_prepare(&state->items, request, device)
                             : consort_last_error()->status;
}

static consort_status transposition_launch(const struct transposition_state *state,
                                           struct items *items, void *control,
                                           const struct run *run)
{
    uint64_t blocks = (items->count / 2 + TRANSPOSITION_THREADS) / TRANSPOSITION_THREADS;
    void *rounds[] = {items, &control};
    consort_status status = launch_clear(control, TRANSPOSITION_CONTROL_BYTES, run->stream);
    if (status == CONSORT_OK)
        status = launch_cooperative(&state->rounds, blocks < state->blocks ? blocks : state->blocks,
                                    run->stream, rounds);
    consort_outcome *outcome = run->arguments->outcome;
    void *counters = outcome ? outcome->counters : NULL;
    void *tell[] = {&control, &counters};
    if (status == CONSORT_OK && counters)
        status = launch_kernel(&state->tell, 1, run->stream, tell);
    return status;
}

static consort_status transposition_run(const struct consort_plan *plan, const struct run *run)
{
    const struct transposition_state *state = plan->state;
    struct items items;
    void *control = (char *)run->workspace + cuda_items_workspace(&plan->request);
    consort_status status = cuda_items_begin(&state->items, plan, run, &items);
    if (status == CONSORT_OK)
        status = transposition_launch(state, &items, control, run);
    return status == CONSORT_OK ? cuda_items_finish(&state->items, plan, run, &items) : status;
}

const struct algorithm transposition_sort = {
    .name = "transposition",
    .summary = "odd-even transposition until a round exchanges nothing; quadratic (Habermann 1972)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .quadratic = true,
    .counters = transposition_counters,
    .counter_count = 1,
    .refuses = transposition_refuses,
    .workspace = transposition_workspace,
    .cost = transposition_cost,
    .prepare = transposition_prepare,
    .run = transposition_run,
};

const struct algorithm transposition_argsort = {
    .name = "transposition",
    .summary = "odd-even transposition of codes and positions; quadratic (Habermann 1972)",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .quadratic = true,
    .counters = transposition_counters,
    .counter_count = 1,
    .refuses = transposition_refuses,
    .workspace = transposition_workspace,
    .cost = transposition_cost,
    .prepare = transposition_prepare,
    .run = transposition_run,
};
