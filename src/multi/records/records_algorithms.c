/* SPDX-License-Identifier: Apache-2.0 */
/* `exchange-records` in the registry: what it takes, what it costs, the sort that it asks for. */
#include <stdlib.h>

#include "core/status.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/normalised/normalised_layout.h"
#include "multi/exchange/exchange.h"
#include "multi/multi_devices.h"
#include "multi/records/records.h"

static const char *const records_counters[] = {
    [RECORDS_COUNT_WINDOWS] = "windows",
    [RECORDS_COUNT_CROSSED] = "crossed",
    [RECORDS_COUNT_MAKE] = "make_us",
    [RECORDS_COUNT_EXCHANGE] = "exchange_us",
};

uint64_t records_windows(const struct request *request)
{
    uint64_t bytes = request->order.total_bits / 8;
    return (bytes + NORMALISED_WINDOW_BYTES - 1) / NORMALISED_WINDOW_BYTES;
}

uint32_t records_window_bytes(const struct request *request)
{
    return order_code_bytes(&request->order);
}

/* An argsort by several windows moves a copy. */
bool records_move(const struct request *request)
{
    return request->operation == CONSORT_OPERATION_SORT || records_windows(request) > 1;
}

static const char *records_refuses(const struct request *request)
{
    if (request->memory != CONSORT_MEMORY_SPREAD)
        return "it is for lists in the memory of several GPUs";
    if (request->form != CONSORT_FORM_COPY)
        return "it has no double-buffer form";
    return request->order.compare ? "a GPU cannot call the caller's comparison" : NULL;
}

static consort_type records_type(uint32_t bytes)
{
    return bytes == 4 ? CONSORT_U32 : bytes == 8 ? CONSORT_U64 : CONSORT_U128;
}

/* The sort of windows. The items are one column more; of an argsort, with their numbers, all. */
static void records_ask(struct records_state *state, const struct request *request)
{
    struct request *asked = &state->exchange.request;
    uint32_t bytes = records_window_bytes(request);
    *asked = *request;
    asked->type = records_type(bytes);
    state->piece =
        (struct order_piece){.codec = codec_of(asked->type, CONSORT_ASCENDING, CONSORT_NAN_LAST)};
    asked->order = (struct order){.item_bytes = bytes,
                                  .piece_count = 1,
                                  .pieces = &state->piece,
                                  .total_bits = state->piece.codec.bits,
                                  .injective = true};
    asked->item_bytes = bytes;
    asked->needs_stable |= records_windows(request) > 1;
    if (request->operation == CONSORT_OPERATION_SORT) {
        asked->value_count++;
    } else if (records_windows(request) > 1) {
        state->value_bytes[0] = request->item_bytes;
        state->value_bytes[1] = request->index_bytes;
        asked->operation = CONSORT_OPERATION_SORT;
        asked->index_bytes = 0;
        asked->value_bytes = state->value_bytes;
        asked->value_count = 2;
    }
    state->exchange.algorithm =
        asked->operation == CONSORT_OPERATION_SORT ? &exchange_sort : &exchange_argsort;
}

/* That of one window; a second sort is rare. */
static double records_cost(const struct request *request)
{
    struct records_state state = {0};
    records_ask(&state, request);
    double count = (double)request->maximum_count / request->device_count;
    double made = ((double)request->item_bytes + records_window_bytes(request)) / 2000.0;
    double moved = records_move(request) ? cuda_gather_cost(request->item_bytes) : 0.0;
    return 100e3 + count * (made + moved) + state.exchange.algorithm->cost(&state.exchange.request);
}

static consort_status records_prepare_on(const struct consort_plan *plan, int32_t ordinal)
{
    struct records_member member = {0};
    consort_status status = multi_device_enter(ordinal, &member.device);
    if (status != CONSORT_OK)
        return status;
    status = records_member_prepare(&member, &plan->request);
    plan_release_state(&member.check);
    device_leave(member.device);
    return status;
}

static consort_status records_prepare(struct consort_plan *plan, const struct device *none)
{
    struct records_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    plan->device = CONSORT_DEVICE_ALL;
    records_ask(state, &plan->request);
    for (uint32_t i = 0; i < EXCHANGE_PARAMETERS; i++)
        state->exchange.parameters[i] = plan->parameters[i];
    consort_status status = state->exchange.algorithm->prepare(&state->exchange, none);
    for (uint32_t i = 0; i < plan->request.device_count && status == CONSORT_OK; i++)
        status = records_prepare_on(plan, plan->request.devices[i]) == CONSORT_OK
                     ? CONSORT_OK
                     : device_blame(plan->request.devices[i]);
    return status;
}

#define RECORDS_ALGORITHM(about, does)                                                             \
    {                                                                                              \
        .name = "exchange-records", .summary = about, .operation = does,                           \
        .engine = CONSORT_ENGINE_CUDA, .stable = true, .host_run = true, .spread = true,           \
        .parameters = exchange_parameters, .parameter_count = EXCHANGE_PARAMETERS,                 \
        .counters = records_counters,                                                              \
        .counter_count = sizeof records_counters / sizeof *records_counters,                       \
        .refuses = records_refuses, .cost = records_cost, .prepare = records_prepare,              \
        .run = records_run                                                                         \
    }

const struct algorithm records_sort = RECORDS_ALGORITHM(
    "records and strings in the memory of several GPUs: windows of their normalised keys sorted by "
    "`exchange`, the items moved with them",
    CONSORT_OPERATION_SORT);
const struct algorithm records_argsort = RECORDS_ALGORITHM(
    "the sort of that name, of windows with the items' numbers", CONSORT_OPERATION_ARGSORT);
