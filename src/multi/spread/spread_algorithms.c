/* SPDX-License-Identifier: Apache-2.0 */
/* `exchange-host` in the registry: what it takes, what it costs, the sort that it asks for. */
#include <stdlib.h>

#include "core/log.h"
#include "core/status.h"
#include "cuda/carried_values.h"
#include "multi/exchange/exchange.h"
#include "multi/records/records.h"
#include "multi/spread/spread.h"

static const consort_parameter_info spread_parameters[] = {
    [SPREAD_PARAMETER_MEMORY] = {"memory", "most bytes of each GPU's memory; 0: what is free", 0,
                                 (int64_t)1 << 48, 0},
};

static const char *const spread_counters[] = {
    [SPREAD_COUNT_DEVICES] = "devices", [SPREAD_COUNT_OPEN] = "open-ns",
    [SPREAD_COUNT_UP] = "up-ns",        [SPREAD_COUNT_SORT] = "sort-ns",
    [SPREAD_COUNT_DOWN] = "down-ns",    [SPREAD_COUNT_CHUNKED] = "chunked",
};

static double spread_own_bytes(const struct request *request)
{
    double bytes = 0.0;
    for (uint32_t c = 0; c < multi_list_columns(request); c++)
        bytes += (double)multi_list_bytes(request, c);
    return bytes;
}

/* Columns where they come and in the order of ranges; of records windows twice, of argsorts keys
 * once more, of columns an index; half of it all again for the sort of a range. */
double spread_item_bytes(const struct request *request)
{
    double twice = 2.0 * spread_own_bytes(request);
    double windows = request_is_plain(request) ? 0.0 : 2.0 * order_code_bytes(&request->order) + 8;
    double keys = request->operation == CONSORT_OPERATION_ARGSORT ? (double)request->item_bytes : 0;
    double index = carried_values_are_indices(request) ? 8.0 : 0.0;
    return 1.5 * (twice + windows + keys + index);
}

/* An estimate by the memory that GPUs have in all: a run sees what is free. */
static bool spread_fits(const struct request *request, const int32_t *ordinals, uint32_t count)
{
    double room = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const struct device *device = device_describe(ordinals[i]);
        room += device ? (double)device->memory : 0.0;
    }
    return spread_item_bytes(request) * (double)request->maximum_count <= room;
}

static const char *spread_refuses(const struct request *request)
{
    int32_t ordinals[MULTI_MOST_DEVICES];
    if (request->memory != CONSORT_MEMORY_HOST)
        return "it is for arrays in host memory";
    if (request->form != CONSORT_FORM_COPY)
        return "it has no double-buffer form";
    if (request->order.compare)
        return "a comparison function runs on the CPU";
    uint32_t count = multi_devices(request, ordinals);
    if (count < 2)
        return "it is for several GPUs";
    return spread_fits(request, ordinals, count) ? NULL : "the GPUs' memory together is too little";
}

/* Of ordinary memory: bytes a nanosecond that threads carry one way for the first GPU, for each
 * further one, and by one thread alone (two H200, 64 processors, 2026-11: 2^30 u32 keys 86 up and
 * 100 down; pinned memory: 100 and 89). */
static const double spread_carried = 48.0;
static const double spread_more_carried = 42.0;
static const double spread_thread = 5.0;

/* What a run costs beside its bytes and its sort. */
static const double spread_start_ns = 0.5e6;

static void spread_ask(struct spread_state *state, const struct request *request)
{
    struct request *asked = &state->sort.request;
    *asked = *request;
    asked->memory = CONSORT_MEMORY_SPREAD;
    asked->engine = CONSORT_ENGINE_AUTO;
    asked->device = -1;
    asked->devices = state->devices;
    asked->device_count = multi_devices(request, state->devices);
    asked->algorithm = NULL;
    asked->parameter_count = 0;
    asked->workspace_limit = UINT64_MAX;
    bool sorts = request->operation == CONSORT_OPERATION_SORT;
    const struct algorithm *numbers = sorts ? &exchange_sort : &exchange_argsort;
    const struct algorithm *items = sorts ? &records_sort : &records_argsort;
    state->sort.algorithm = numbers->refuses(asked) ? items : numbers;
    algorithm_standards(state->sort.algorithm, state->sort.parameters);
}

static double spread_cost(const struct request *request)
{
    struct spread_state state = {0};
    spread_ask(&state, request);
    double gpus = state.sort.request.device_count;
    double carried = spread_carried + spread_more_carried * (gpus - 1.0);
    double threads = spread_thread * request->threads;
    double bytes = spread_own_bytes(request) * (double)request->maximum_count;
    double sort = state.sort.algorithm->cost(&state.sort.request);
    return spread_start_ns + 2.0 * bytes / (carried < threads ? carried : threads) + sort;
}

/* Where the sort of a spread list cannot be had, because a GPU is missing, runs go in chunks. */
static consort_status spread_prepare(struct consort_plan *plan, const struct device *none)
{
    struct spread_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    plan->device = CONSORT_DEVICE_ALL;
    spread_ask(state, &plan->request);
    consort_status status = state->sort.algorithm->prepare(&state->sort, none);
    if (status == CONSORT_OK || !status_blames_device(status))
        return status;
    status_keep(&state->why);
    log_write(LOG_WARN, "exchange-host will go by merge-chunks: %s", state->why.message);
    plan_release_state(&state->sort);
    state->sort.state = NULL;
    state->sort.algorithm = NULL;
    return CONSORT_OK;
}

static void spread_release(struct consort_plan *plan)
{
    struct spread_state *state = plan->state;
    if (state->sort.algorithm)
        plan_release_state(&state->sort);
}

#define SPREAD_ALGORITHM(about, does)                                                              \
    {                                                                                              \
        .name = "exchange-host", .summary = about, .operation = does,                              \
        .engine = CONSORT_ENGINE_CUDA, .stable = true, .host_run = true,                           \
        .parameters = spread_parameters,                                                           \
        .parameter_count = sizeof spread_parameters / sizeof *spread_parameters,                   \
        .counters = spread_counters,                                                               \
        .counter_count = sizeof spread_counters / sizeof *spread_counters,                         \
        .refuses = spread_refuses, .cost = spread_cost, .prepare = spread_prepare,                 \
        .release = spread_release, .run = spread_run                                               \
    }

const struct algorithm spread_sort = SPREAD_ALGORITHM(
    "host arrays that fit several GPUs together: spread over them, sorted there by `exchange`, "
    "fetched",
    CONSORT_OPERATION_SORT);
const struct algorithm spread_argsort = SPREAD_ALGORITHM(
    "the sort of that name, of keys with their numbers", CONSORT_OPERATION_ARGSORT);
