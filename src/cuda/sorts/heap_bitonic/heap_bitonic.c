/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `heap-bitonic`: equal chunks, heap-sorted in shared memory in turn descending and
 * ascending, so that neighbours form bitonic sequences at once; then bitonic merges that double the
 * span until one is left.
 */
#include "cuda/sorts/heap_bitonic/heap_bitonic.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/sorts/heap_bitonic/heap_bitonic_layout.h"
#include "cuda/sorts/items/cuda_items.h"
#include "cuda/sorts/network/cuda_network.h"

enum {
    HEAP_BITONIC_CHUNK,
    HEAP_BITONIC_PARAMETERS,
    HEAP_BITONIC_MERGE_THREADS = 256
};

static const consort_parameter_info heap_bitonic_parameters[HEAP_BITONIC_PARAMETERS] = {
    {"chunk", "items a heap sorts, rounded down to a power of two", 1 << HEAP_BITONIC_LOG_LEAST,
     1 << HEAP_BITONIC_LOG_MOST, 32},
};

struct heap_bitonic_state {
    struct cuda_items items;
    struct cuda_network network;
    struct launch chunks;
    uint32_t log_chunk;
};

static uint64_t heap_bitonic_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return cuda_items_workspace(request);
}

/* H200, CUDA 13.0, 2026-11, u32: 2^12 43 µs, 2^16 80 µs, 2^20 191 µs, 2^26 12.8 ms: the heaps take
 * 17 µs more than the network's first steps at small lengths, and no more at large ones. */
static double heap_bitonic_cost(const struct request *request)
{
    return 17e3 + cuda_network_cost(request, 1);
}

static consort_status heap_bitonic_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct request *request = &plan->request;
    struct heap_bitonic_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    state->log_chunk = cuda_network_log_down((uint64_t)plan->parameters[HEAP_BITONIC_CHUNK]);
    uint32_t shared =
        items_shared_bytes(cuda_items_code_bytes(request), cuda_items_index_bytes(request),
                           1u << HEAP_BITONIC_LOG_TILE);
    state->chunks =
        (struct launch){cuda_items_kernel(request, device, "heap_bitonic", "heap_chunks", shared),
                        1u << (HEAP_BITONIC_LOG_TILE - state->log_chunk), shared};
    if (!state->chunks.function)
        return consort_last_error()->status;
    consort_status status =
        cuda_network_prepare(&state->network, request, device, HEAP_BITONIC_MERGE_THREADS);
    return status == CONSORT_OK ? cuda_items_prepare(&state->items, request, device) : status;
}

static consort_status heap_bitonic_run(const struct consort_plan *plan, const struct run *run)
{
    const struct heap_bitonic_state *state = plan->state;
    struct items items;
    uint64_t last = (run->arguments->count - 1) >> HEAP_BITONIC_LOG_TILE;
    uint32_t log_chunk = state->log_chunk;
    void *parameters[] = {&items, &log_chunk};
    consort_status status = cuda_items_begin(&state->items, plan, run, &items);
    if (status == CONSORT_OK)
        status = launch_kernel(&state->chunks, last + 1, run->stream, parameters);
    if (status == CONSORT_OK)
        status = cuda_network_merge(&state->network, &items, log_chunk + 1, NULL, run->stream);
    return status == CONSORT_OK ? cuda_items_finish(&state->items, plan, run, &items) : status;
}

const struct algorithm heap_bitonic_sort = {
    .name = "heap-bitonic",
    .summary = "heap-sorted chunks in shared memory, then bitonic merges, in place",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = heap_bitonic_parameters,
    .parameter_count = HEAP_BITONIC_PARAMETERS,
    .refuses = cuda_items_refuses,
    .workspace = heap_bitonic_workspace,
    .cost = heap_bitonic_cost,
    .prepare = heap_bitonic_prepare,
    .run = heap_bitonic_run,
};

const struct algorithm heap_bitonic_argsort = {
    .name = "heap-bitonic",
    .summary = "heap-sorted chunks of codes and positions, then bitonic merges",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = heap_bitonic_parameters,
    .parameter_count = HEAP_BITONIC_PARAMETERS,
    .refuses = cuda_items_refuses,
    .workspace = heap_bitonic_workspace,
    .cost = heap_bitonic_cost,
    .prepare = heap_bitonic_prepare,
    .run = heap_bitonic_run,
};
