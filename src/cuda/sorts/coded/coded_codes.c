/* SPDX-License-Identifier: Apache-2.0 */
/* Making the codes of a run, and running the operation on them. */
#include "cuda/sorts/coded/coded_codes.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/status.h"
#include "cuda/sorts/coded/coded_layout.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/normalised/normalised.h"
#include "cuda/sorts/normalised/normalised_order.h"
#include "cuda/sorts/normalised/normalised_windows.h"

enum {
    CODED_BLOCKS = 8 /* a multiprocessor: all that fit */
};

void coded_release(struct consort_plan *plan)
{
    struct coded_state *state = plan->state;
    plan_release_state(&state->operation);
    plan_release_state(&state->argsort);
}

static bool coded_find(const struct device *device, struct launch *launch, const char *image,
                       const char *name)
{
    *launch = (struct launch){kernels_find(device, image, name, 0), CODED_THREADS, 0};
    return launch->function != NULL;
}

static consort_status coded_find_all(struct coded_state *state, const struct request *request,
                                     const struct device *device)
{
    char encode[32];
    uint32_t encoded = coded_by_key(request) ? coded_bytes(request) : CODED_PREFIX_BYTES;
    snprintf(encode, sizeof encode, "normalised_encode_%u", 8 * encoded);
    state->blocks = CODED_BLOCKS * (uint32_t)device->processors;
    bool found = coded_find(device, &state->encode, "normalised", encode);
    if (coded_by_rank(request))
        found = found && coded_find(device, &state->ranks, "coded", "coded_ranks");
    else if (!coded_by_key(request))
        found = found && coded_find(device, &state->places, "coded", "coded_places");
    consort_status status = found ? CONSORT_OK : consort_last_error()->status;
    if (status == CONSORT_OK && state->places.function)
        status = normalised_order_prepare(&state->put, device);
    return status == CONSORT_OK ? cuda_gather_prepare(&state->gather, device) : status;
}

consort_status coded_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct request *request = &plan->request;
    struct coded_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    coded_request_make(&state->coded, request);
    state->operation.request = state->coded.request;
    state->operation.algorithm = coded_algorithm(request->operation);
    state->operation.device = device->ordinal;
    consort_status status = coded_find_all(state, request, device);
    if (status == CONSORT_OK)
        status = state->operation.algorithm->prepare(&state->operation, device);
    if (status != CONSORT_OK || !coded_by_rank(request))
        return status;
    state->argsort.request = coded_argsort_of(request);
    state->argsort.algorithm = &normalised_argsort;
    state->argsort.device = device->ordinal;
    return state->argsort.algorithm->prepare(&state->argsort, device);
}

static uint64_t coded_blocks(const struct coded_state *state, uint64_t count)
{
    uint64_t blocks = (count + CODED_THREADS - 1) / CODED_THREADS;
    return blocks < state->blocks ? blocks : state->blocks;
}

static struct normalised_items coded_list(const struct request *request, const void *items,
                                          uint64_t count)
{
    return (struct normalised_items){
        .items = items, .item_bytes = request->item_bytes, .count = count};
}

/* The first `bytes` bytes of the keys of all items, the second list's behind the first's. */
static consort_status coded_encode(const struct consort_plan *plan, const struct run *run,
                                   uint32_t bytes, uint32_t code_bytes, char *codes)
{
    const struct coded_state *state = plan->state;
    const consort_arguments *a = run->arguments;
    const struct normalised_items lists[] = {coded_list(&plan->request, a->in, a->count),
                                             coded_list(&plan->request, a->in_b, a->count_b)};
    struct normalised_window window = normalised_windows_of(&plan->request.order, 0, bytes);
    consort_status status = CONSORT_OK;
    for (int i = 0; i < 2 && status == CONSORT_OK; i++) {
        struct normalised_items items = lists[i];
        void *parameters[] = {&items, &window, &codes};
        status = launch_kernel(&state->encode, coded_blocks(state, items.count), run->stream,
                               parameters);
        codes += items.count * code_bytes;
    }
    return status;
}

static consort_status coded_rank(const struct consort_plan *plan, const struct run *run,
                                 struct coded_array codes)
{
    const struct coded_state *state = plan->state;
    struct coded_workspace w = coded_lay_out(&plan->request);
    uint64_t count = run->arguments->count;
    void *indices = coded_at(run, w.sorted);
    consort_arguments arguments;
    if (count == 0)
        return CONSORT_OK;
    consort_arguments_init(&arguments);
    arguments.count = count;
    arguments.in = run->arguments->in;
    arguments.indices = indices;
    struct run sorting = {.arguments = &arguments,
                          .workspace = coded_at(run, w.argsort),
                          .checkpoint = run->checkpoint,
                          .stream = run->stream,
                          .input_whole = run->input_whole};
    consort_status status = state->argsort.algorithm->run(&state->argsort, &sorting);
    void *parameters[] = {&codes, &indices, &count};
    return status == CONSORT_OK
               ? launch_kernel(&state->ranks, coded_blocks(state, count), run->stream, parameters)
               : status;
}

static consort_status coded_place(const struct consort_plan *plan, const struct run *run,
                                  struct coded_array codes)
{
    const struct coded_state *state = plan->state;
    const struct request *request = &plan->request;
    const consort_arguments *a = run->arguments;
    struct coded_workspace w = coded_lay_out(request);
    void *pieces = coded_at(run, w.order), *prefixes = coded_at(run, w.prefixes);
    struct coded_lists lists = {.a = coded_list(request, a->in, a->count),
                                .b = coded_list(request, a->in_b, a->count_b),
                                .order = normalised_order_at(&request->order, pieces),
                                .prefixes = prefixes,
                                .codes = codes};
    consort_status status = normalised_order_put(&state->put, &request->order, pieces, run->stream);
    if (status == CONSORT_OK)
        status = coded_encode(plan, run, CODED_PREFIX_BYTES, CODED_PREFIX_BYTES, prefixes);
    void *parameters[] = {&lists};
    uint64_t tiles = (a->count + a->count_b) / CODED_TILE + 2;
    uint64_t blocks = tiles < state->blocks ? tiles : state->blocks;
    return status == CONSORT_OK ? launch_kernel(&state->places, blocks, run->stream, parameters)
                                : status;
}

consort_status coded_make(const struct consort_plan *plan, const struct run *run)
{
    const struct request *request = &plan->request;
    struct coded_array codes = {.codes = coded_at(run, coded_lay_out(request).codes),
                                .bytes = coded_bytes(request)};
    if (coded_by_rank(request))
        return coded_rank(plan, run, codes);
    if (!coded_by_key(request))
        return coded_place(plan, run, codes);
    return coded_encode(plan, run, (uint32_t)(request->order.total_bits / 8), codes.bytes,
                        codes.codes);
}

consort_status coded_columns_make(struct coded_columns *columns, const struct request *request,
                                  const consort_arguments *arguments)
{
    uint64_t count = request->value_count;
    columns->all = columns->usual;
    if (count >= CODED_USUAL_COLUMNS)
        columns->all = malloc((count + 1) * sizeof *columns->all);
    if (!columns->all)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    for (uint64_t i = 0; i < count; i++)
        columns->all[i] = arguments->values
                              ? arguments->values[i]
                              : (consort_column){.element_bytes = request->value_bytes[i]};
    columns->all[count] = (consort_column){.in = arguments->in,
                                           .out = arguments->out,
                                           .in_b = arguments->in_b,
                                           .element_bytes = request->item_bytes};
    return CONSORT_OK;
}

void coded_columns_release(struct coded_columns *columns)
{
    if (columns->all != columns->usual)
        free(columns->all);
}

consort_status coded_operate(const struct consort_plan *plan, const struct run *run,
                             const consort_arguments *arguments)
{
    const struct coded_state *state = plan->state;
    struct run inner = *run;
    inner.arguments = arguments;
    inner.workspace = coded_at(run, coded_lay_out(&plan->request).inner);
    inner.steps = NULL; /* columns have other numbers, and the items are one of them */
    return state->operation.algorithm->run(&state->operation, &inner);
}
