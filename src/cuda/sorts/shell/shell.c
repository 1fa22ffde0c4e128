/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `shell`: passes with falling increments, blocks sorted by a bitonic network, then
 * rounds of merges of neighbouring blocks until one moves nothing. If `rounds` of them do not
 * suffice, as on inputs made to defeat the increments, a bitonic network finishes in place.
 */
#include "cuda/sorts/shell/shell.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/sorts/items/cuda_items.h"
#include "cuda/sorts/network/cuda_network.h"
#include "cuda/sorts/shell/shell_layout.h"

enum {
    SHELL_BLOCK,
    SHELL_WINDOW,
    SHELL_RATIO,
    SHELL_ROUNDS,
    SHELL_PARAMETERS,
    SHELL_MOST_INCREMENTS = 96,
    SHELL_NETWORK_THREADS = 256
};

static const consort_parameter_info shell_parameters[SHELL_PARAMETERS] = {
    {"block", "items of a block, and least increment, rounded down to a power of two", 256, 2048,
     2048},
    {"window", "items a thread holds in a pass, rounded down to 8, 21 or 32", 8, 32, 21},
    {"ratio", "tenths of the ratio of increments beyond 1750", 15, 50, 22},
    {"rounds", "merge rounds before a bitonic network finishes", 1, SHELL_MOST_ROUNDS, 16},
};

static const char *const shell_counters[] = {"passes", "rounds", "network"};

/* M. Ciura, "Best increments for the average case of shellsort", FCT 2001. */
static const uint64_t shell_ciura[] = {1, 4, 10, 23, 57, 132, 301, 701, 1750};

struct shell_state {
    struct cuda_items items;
    struct cuda_network network;
    struct launch pass, blocks, merge, tell;
    uint32_t log_block, rounds;
    uint64_t ratio;
};

static uint64_t shell_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return cuda_items_workspace(request) + sizeof(struct shell_control);
}

/* H200, CUDA 13.0, 2026-11, u32: 2^16 0.16 ms, 2^20 0.51 ms, 2^24 5.8 ms, 2^26 24.3 ms. */
static double shell_cost(const struct request *request)
{
    double bytes = cuda_items_code_bytes(request) + cuda_items_index_bytes(request);
    return 200e3 + (double)request->maximum_count * (0.25 + 0.025 * bytes);
}

/* The greatest window there are kernels for that is not above the one asked for. */
static long long shell_window(const struct consort_plan *plan)
{
    int64_t asked = plan->parameters[SHELL_WINDOW];
    return asked >= 32 ? 32 : asked >= 21 ? 21 : 8;
}

static bool shell_find(struct shell_state *state, const struct consort_plan *plan,
                       const struct device *device)
{
    const struct request *request = &plan->request;
    uint32_t code_bytes = cuda_items_code_bytes(request);
    uint32_t index_bytes = cuda_items_index_bytes(request);
    uint32_t block = 1u << state->log_block;
    uint32_t one = items_shared_bytes(code_bytes, index_bytes, block);
    uint32_t two = items_shared_bytes(code_bytes, index_bytes, 2 * block);
    char pass[32];
    snprintf(pass, sizeof pass, "shell_pass_%lld", shell_window(plan));
    state->pass = (struct launch){cuda_items_kernel(request, device, "shell", pass, 0),
                                  SHELL_PASS_THREADS, 0};
    state->blocks = (struct launch){
        cuda_items_kernel(request, device, "shell", "shell_blocks", one), SHELL_THREADS, one};
    state->merge = (struct launch){cuda_items_kernel(request, device, "shell", "shell_merge", two),
                                   SHELL_THREADS, two};
    state->tell = (struct launch){kernels_find(device, "shell", "shell_tell", 0), 1, 0};
    return state->pass.function && state->blocks.function && state->merge.function &&
           state->tell.function;
}

static consort_status shell_prepare(struct consort_plan *plan, const struct device *device)
{
    struct shell_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    state->log_block = cuda_network_log_down((uint64_t)plan->parameters[SHELL_BLOCK]);
    state->rounds = (uint32_t)plan->parameters[SHELL_ROUNDS];
    state->ratio = (uint64_t)plan->parameters[SHELL_RATIO];
    if (!shell_find(state, plan, device))
        return consort_last_error()->status;
    consort_status status =
        cuda_network_prepare(&state->network, &plan->request, device, SHELL_NETWORK_THREADS);
    return status == CONSORT_OK ? cuda_items_prepare(&state->items, &plan->request, device)
                                : status;
}

/* Writes the increments from `least`, inserted, up to the largest below `count`; returns how many.
 */
static uint32_t shell_increments(uint64_t least, uint64_t ratio, uint64_t count,
                                 uint64_t *increments)
{
    uint32_t known = sizeof shell_ciura / sizeof shell_ciura[0], filled = 0;
    uint64_t next = shell_ciura[0];
    if (least < count)
        increments[filled++] = least;
    for (uint32_t i = 1; next < count && filled < SHELL_MOST_INCREMENTS; i++) {
        if (next > least)
            increments[filled++] = next;
        next = i < known ? shell_ciura[i] : next / 10 * ratio + next % 10 * ratio / 10;
    }
    return filled;
}

static consort_status shell_run_passes(const struct shell_state *state, struct items *items,
                                       uint32_t *passes, consort_stream stream)
{
    uint64_t increments[SHELL_MOST_INCREMENTS];
    consort_status status = CONSORT_OK;
    *passes =
        shell_increments((uint64_t)1 << state->log_block, state->ratio, items->count, increments);
    for (uint32_t i = *passes; i-- > 0 && status == CONSORT_OK;) {
        void *parameters[] = {items, &increments[i]};
        uint64_t blocks = (increments[i] + SHELL_PASS_THREADS - 1) / SHELL_PASS_THREADS;
        status = launch_kernel(&state->pass, blocks, stream, parameters);
    }
    return status;
}

/* With B blocks an even half round has ⌊B/2⌋ pairs, an odd one ⌊(B − 1)/2⌋. */
static consort_status shell_run_rounds(const struct shell_state *state, struct items *items,
                                       void *control, consort_stream stream)
{
    uint64_t blocks = ((items->count - 1) >> state->log_block) + 1;
    uint32_t log_block = state->log_block;
    void *sort[] = {items, &log_block};
    consort_status status = launch_kernel(&state->blocks, blocks, stream, sort);
    for (uint32_t round = 0; round < state->rounds; round++)
        for (uint32_t odd = 0; odd < 2 && status == CONSORT_OK; odd++) {
            void *parameters[] = {items, &log_block, &odd, &round, &control};
            status = launch_kernel(&state->merge, (blocks - odd) / 2, stream, parameters);
        }
    return status;
}

static consort_status shell_tell(const struct shell_state *state, const struct run *run,
                                 void *control, uint32_t passes)
{
    consort_outcome *outcome = run->arguments->outcome;
    void *counters = outcome ? outcome->counters : NULL;
    uint32_t rounds = state->rounds;
    void *parameters[] = {&control, &passes, &rounds, &counters};
    return counters ? launch_kernel(&state->tell, 1, run->stream, parameters) : CONSORT_OK;
}

static consort_status shell_run(const struct consort_plan *plan, const struct run *run)
{
    const struct shell_state *state = plan->state;
    struct items items;
    uint32_t passes = 0;
    void *control = (char *)run->workspace + cuda_items_workspace(&plan->request);
    const void *last_round = (uint32_t *)control + state->rounds - 1;
    consort_status status = launch_clear(control, sizeof(struct shell_control), run->stream);
    if (status == CONSORT_OK)
        status = cuda_items_begin(&state->items, plan, run, &items);
    if (status == CONSORT_OK)
        status = shell_run_passes(state, &items, &passes, run->stream);
    if (status == CONSORT_OK)
        status = shell_run_rounds(state, &items, control, run->stream);
    if (status == CONSORT_OK)
        status = cuda_network_merge(&state->network, &items, 1, last_round, run->stream);
    if (status == CONSORT_OK)
        status = shell_tell(state, run, control, passes);
    return status == CONSORT_OK ? cuda_items_finish(&state->items, plan, run, &items) : status;
}

const struct algorithm shell_sort = {
    .name = "shell",
    .summary = "shellsort with a window of registers, then merges of neighbours; no spare array",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = shell_parameters,
    .parameter_count = SHELL_PARAMETERS,
    .counters = shell_counters,
    .counter_count = 3,
    .refuses = cuda_items_refuses,
    .workspace = shell_workspace,
    .cost = shell_cost,
    .prepare = shell_prepare,
    .run = shell_run,
};

const struct algorithm shell_argsort = {
    .name = "shell",
    .summary = "shellsort of codes and positions, then merges of neighbours",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = shell_parameters,
    .parameter_count = SHELL_PARAMETERS,
    .counters = shell_counters,
    .counter_count = 3,
    .refuses = cuda_items_refuses,
    .workspace = shell_workspace,
    .cost = shell_cost,
    .prepare = shell_prepare,
    .run = shell_run,
};
