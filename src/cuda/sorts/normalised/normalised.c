/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `normalised`: items of any order are sorted as (code, index) pairs, where a code is
 * up to 128 bits of the normalised key, and then moved once. Longer keys are sorted one code after
 * the other, the last first.
 */
#include "cuda/sorts/normalised/normalised.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/lsd/lsd_passes.h"
#include "cuda/sorts/normalised/normalised_windows.h"

enum {
    NORMALISED_ALIGNMENT = 256,
    NORMALISED_BLOCKS = 8 /* a multiprocessor: all that fit */
};

struct normalised_state {
    struct lsd_passes passes;
    struct launch encode, gather;
    uint32_t blocks;
};

/* Where everything lies in the workspace, counted in bytes from its start. What is gathered in
 * place rests where the codes were. */
struct normalised_workspace {
    uint64_t index, codes[2], index_spare, total;
};

static bool normalised_is_argsort(const struct request *request)
{
    return request->operation == CONSORT_OPERATION_ARGSORT;
}

static uint64_t normalised_key_bytes(const struct request *request)
{
    return request->order.total_bits / 8;
}

static uint32_t normalised_code_bytes(const struct request *request)
{
    return order_code_bytes(&request->order);
}

static uint32_t normalised_index_bytes(const struct request *request)
{
    if (normalised_is_argsort(request))
        return request->index_bytes;
    return request->maximum_count <= (uint64_t)1 << 32 ? 4 : 8;
}

static const char *normalised_refuses(const struct request *request)
{
    return request->order.compare ? "a GPU cannot call the caller's comparison" : NULL;
}

static uint64_t normalised_aligned(uint64_t bytes)
{
    return (bytes + NORMALISED_ALIGNMENT - 1) / NORMALISED_ALIGNMENT * NORMALISED_ALIGNMENT;
}

/* The widest array that may have to be moved in place; with a double buffer, none. */
static uint64_t normalised_widest(const struct request *request)
{
    bool apart =
        request->form == CONSORT_FORM_DOUBLE_BUFFER && request->memory == CONSORT_MEMORY_DEVICE;
    if (normalised_is_argsort(request) || apart)
        return 0;
    uint64_t widest = request->item_bytes;
    for (uint32_t i = 0; i < request->value_count; i++)
        if (request->value_bytes[i] > widest)
            widest = request->value_bytes[i];
    return widest * request->maximum_count;
}

static struct normalised_workspace normalised_lay_out(const struct request *request)
{
    uint64_t count = request->maximum_count;
    uint32_t code_bytes = normalised_code_bytes(request);
    uint32_t index_bytes = normalised_index_bytes(request);
    uint64_t codes = normalised_aligned(count * code_bytes);
    uint64_t index = normalised_aligned(count * index_bytes);
    struct normalised_workspace w = {.index = lsd_passes_scratch(code_bytes, index_bytes, count)};
    w.codes[0] = w.index + (normalised_is_argsort(request) ? 0 : index);
    w.codes[1] = w.codes[0] + codes;
    w.index_spare = w.codes[1] + codes;
    uint64_t sorting = w.index_spare + index;
    uint64_t moving = w.codes[0] + normalised_widest(request);
    w.total = sorting > moving ? sorting : moving;
    return w;
}

static uint64_t normalised_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return request->maximum_count == 0 ? 0 : normalised_lay_out(request).total;
}

static double normalised_cost(const struct request *request)
{
    double key = (double)normalised_key_bytes(request), count = (double)request->maximum_count;
    double pair = normalised_code_bytes(request) + normalised_index_bytes(request);
    double moved = normalised_is_argsort(request) ? 0.0 : (double)request->item_bytes;
    for (uint32_t i = 0; i < request->value_count; i++)
        moved += (double)request->value_bytes[i];
    return 30e3 + key * (9e3 + count * pair / 770.0) + count * moved / 1000.0;
}

static consort_status normalised_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct request *request = &plan->request;
    struct normalised_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    char encode[32];
    snprintf(encode, sizeof encode, "normalised_encode_%u", 8 * normalised_code_bytes(request));
    state->blocks = NORMALISED_BLOCKS * (uint32_t)device->processors;
    state->encode =
        (struct launch){kernels_find(device, "normalised", encode, 0), NORMALISED_THREADS, 0};
    if (!state->encode.function)
        return consort_last_error()->status;
    consort_status status = lsd_passes_prepare(&state->passes, normalised_code_bytes(request),
                                               normalised_index_bytes(request), device);
    return status == CONSORT_OK ? cuda_gather_prepare(&state->gather, device) : status;
}

/* A run's arrays: the codes come to lie in the first of their two. */
struct normalised_run {
    const struct consort_plan *plan;
    const struct run *run;
    struct normalised_workspace places;
    char *workspace;
    void *index;
};

static consort_status normalised_encode(const struct normalised_run *r, bool is_first,
                                        struct normalised_window window)
{
    const struct normalised_state *state = r->plan->state;
    struct normalised_items items = {.items = r->run->arguments->in,
                                     .item_bytes = r->plan->request.item_bytes,
                                     .count = r->run->arguments->count,
                                     .indices = is_first ? NULL : r->index,
                                     .index_bytes = normalised_index_bytes(&r->plan->request)};
    void *codes = r->workspace + r->places.codes[0];
    void *parameters[] = {&items, &window, &codes};
    uint64_t blocks = (items.count + NORMALISED_THREADS - 1) / NORMALISED_THREADS;
    return launch_kernel(&state->encode, blocks < state->blocks ? blocks : state->blocks,
                         r->run->stream, parameters);
}

/* Sorts the index by the codes, which nobody needs afterwards. */
static consort_status normalised_sort_codes(const struct normalised_run *r, bool is_first,
                                            uint32_t bytes)
{
    const struct normalised_state *state = r->plan->state;
    struct lsd_arguments a = {
        .keys_in = r->workspace + r->places.codes[0],
        .keys_spare = {r->workspace + r->places.codes[0], r->workspace + r->places.codes[1]},
        .values_in = r->index,
        .values_out = r->index,
        .values_spare = r->workspace + r->places.index_spare,
        .count = r->run->arguments->count,
        .passes = bytes,
        .in_place = 1,
        .value_mode = is_first ? LSD_VALUES_INDEX : LSD_VALUES_MOVED,
        .outcome = r->run->arguments->outcome,
        .codec = {.identity = 1}};
    return lsd_passes_run(&state->passes, &a, r->workspace, r->run->stream);
}

static consort_status normalised_sort_index(const struct normalised_run *r)
{
    const struct order *order = &r->plan->request.order;
    uint64_t end = normalised_key_bytes(&r->plan->request);
    consort_status status = CONSORT_OK;
    for (bool is_first = true; end > 0 && status == CONSORT_OK; is_first = false) {
        uint32_t bytes = end < NORMALISED_WINDOW_BYTES ? (uint32_t)end : NORMALISED_WINDOW_BYTES;
        end -= bytes;
        status = normalised_encode(r, is_first, normalised_windows_of(order, end, bytes));
        if (status == CONSORT_OK)
            status = normalised_sort_codes(r, is_first, bytes);
    }
    return status;
}

static consort_status normalised_move(const struct normalised_run *r, const consort_column *column)
{
    const struct normalised_state *state = r->plan->state;
    return cuda_gather_column(&state->gather, column, r->index,
                              normalised_index_bytes(&r->plan->request), r->run->arguments->count,
                              r->workspace + r->places.codes[0], r->run->stream);
}

static consort_status normalised_run(const struct consort_plan *plan, const struct run *run)
{
    const struct request *request = &plan->request;
    const consort_arguments *arguments = run->arguments;
    if (arguments->count == 0)
        return CONSORT_OK;
    struct normalised_run r = {.plan = plan,
                               .run = run,
                               .places = normalised_lay_out(request),
                               .workspace = run->workspace};
    bool is_argsort = normalised_is_argsort(request);
    r.index = is_argsort ? arguments->indices : r.workspace + r.places.index;
    consort_status status = normalised_sort_index(&r);
    const consort_column items = {
        .in = arguments->in, .out = arguments->out, .element_bytes = request->item_bytes};
    if (status == CONSORT_OK && !is_argsort)
        status = normalised_move(&r, &items);
    if (status == CONSORT_OK)
        status = run_items_done(run);
    for (uint32_t i = 0; i < request->value_count && status == CONSORT_OK; i++) {
        status = run_wants_column(run, i);
        if (status == CONSORT_OK)
            status = normalised_move(&r, &arguments->values[i]);
        if (status == CONSORT_OK)
            status = run_column_done(run, i);
    }
    return status;
}

const struct algorithm normalised_sort = {
    .name = "normalised",
    .summary = "stable radix sort of normalised keys and an index, then one move of each item",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .steps = true,
    .refuses = normalised_refuses,
    .cost = normalised_cost,
    .workspace = normalised_workspace_bytes,
    .prepare = normalised_prepare,
    .run = normalised_run,
};

const struct algorithm normalised_argsort = {
    .name = "normalised",
    .summary = "stable radix sort of normalised keys and an index",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = normalised_refuses,
    .cost = normalised_cost,
    .workspace = normalised_workspace_bytes,
    .prepare = normalised_prepare,
    .run = normalised_run,
};
