/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `normalised`: an index is sorted by the first bytes of the items' normalised keys,
 * at most 8; then rounds tell apart by what remains whatever is still tied, without a word to the
 * host; then each item moves once.
 */
#include "cuda/sorts/normalised/normalised.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/lsd/lsd_passes.h"
#include "cuda/sorts/normalised/normalised_shape.h"
#include "cuda/sorts/normalised/normalised_windows.h"

enum {
    NORMALISED_BLOCKS = 8,          /* a multiprocessor: all that fit */
    NORMALISED_REFINED_ITEMS = 1024 /* for which another block is worth its part in barriers */
};

struct normalised_state {
    struct lsd_passes passes;
    struct launch encode, refine, gather;
    uint32_t encode_blocks, refine_blocks;
};

static const char *normalised_refuses(const struct request *request)
{
    return request->order.compare ? "a GPU cannot call the caller's comparison" : NULL;
}

static uint64_t normalised_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return request->maximum_count == 0 ? 0 : normalised_shape_places(request).total;
}

/* For 2^28 keys of 8 bytes an argsort took 8 % less time than `lsd`, in 1.6 times the workspace
 * (H200, 2026-11): where both can, `lsd` shall. */
static double normalised_workspace_cost(const struct request *request)
{
    return request->operation == CONSORT_OPERATION_ARGSORT && request_is_plain(request) ? 1.25
                                                                                        : 1.0;
}

static double normalised_cost(const struct request *request)
{
    struct normalised_shape shape = normalised_shape_of(request);
    double passes = shape.prefix_bytes;
    double sorted = passes * lsd_passes_cost(shape.prefix_width, shape.index_bytes);
    bool moves = request->operation != CONSORT_OPERATION_ARGSORT;
    double moved = moves ? cuda_gather_cost(request->item_bytes) : 0.0;
    for (uint32_t i = 0; i < request->value_count; i++)
        moved += cuda_gather_cost(request->value_bytes[i]);
    return 30e3 + passes * 9e3 + (double)shape.rounds * 5e3 +
           (double)request->maximum_count * (sorted + moved) * normalised_workspace_cost(request);
}

static consort_status normalised_prepare_refine(struct normalised_state *state,
                                                const struct normalised_shape *shape,
                                                const struct device *device)
{
    const struct lsd_shape *tile = lsd_passes_shape(shape->code_width, shape->index_bytes);
    uint32_t shared =
        lsd_shared_bytes(shape->code_width, shape->index_bytes, tile->threads, tile->items);
    char name[40];
    snprintf(name, sizeof name, "normalised_refine_%u_%u", 8 * shape->code_width,
             shape->index_bytes);
    state->refine =
        (struct launch){kernels_find(device, "normalised", name, shared), tile->threads, shared};
    if (!state->refine.function)
        return consort_last_error()->status;
    uint32_t resident = launch_resident(&state->refine) * (uint32_t)device->processors;
    state->refine_blocks = resident < NORMALISED_MOST_BLOCKS ? resident : NORMALISED_MOST_BLOCKS;
    return resident > 0 ? CONSORT_OK : consort_last_error()->status;
}

static consort_status normalised_prepare(struct consort_plan *plan, const struct device *device)
{
    struct normalised_shape shape = normalised_shape_of(&plan->request);
    struct normalised_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    char encode[32];
    snprintf(encode, sizeof encode, "normalised_encode_%u", 8 * shape.prefix_width);
    state->encode_blocks = NORMALISED_BLOCKS * (uint32_t)device->processors;
    state->encode =
        (struct launch){kernels_find(device, "normalised", encode, 0), NORMALISED_THREADS, 0};
    if (!state->encode.function)
        return consort_last_error()->status;
    consort_status status =
        lsd_passes_prepare(&state->passes, shape.prefix_width, shape.index_bytes, device);
    if (status == CONSORT_OK && shape.rounds > 0)
        status = normalised_prepare_refine(state, &shape, device);
    return status == CONSORT_OK ? cuda_gather_prepare(&state->gather, device) : status;
}

struct normalised_run {
    const struct normalised_state *state;
    const struct request *request;
    const struct run *run;
    struct normalised_shape shape;
    struct normalised_places places;
    char *workspace;
    void *index, *prefixes, *homes[2];
    struct normalised_items items;
};

static uint32_t normalised_blocks(uint64_t count, uint32_t per_block, uint32_t most)
{
    uint64_t blocks = count / per_block + (count % per_block != 0);
    return blocks < most ? (uint32_t)blocks : most;
}

static consort_status normalised_encode(const struct normalised_run *r)
{
    struct normalised_items items = r->items;
    struct normalised_window window =
        normalised_windows_of(&r->request->order, 0, r->shape.prefix_bytes);
    void *codes = r->prefixes;
    void *parameters[] = {&items, &window, &codes};
    uint32_t blocks = normalised_blocks(items.count, NORMALISED_THREADS, r->state->encode_blocks);
    return launch_kernel(&r->state->encode, blocks, r->run->stream, parameters);
}

/* From what is encoded to sorted prefixes in codes[0] and the index. */
static consort_status normalised_sort_prefixes(const struct normalised_run *r)
{
    char *workspace = r->workspace;
    bool refines = r->shape.rounds > 0;
    struct lsd_arguments a = {
        .keys_in = r->prefixes,
        .keys_out = refines ? workspace + r->places.codes[0] : NULL,
        .keys_spare = {workspace + r->places.codes[1], workspace + r->places.codes[0]},
        .values_out = r->index,
        .values_spare = workspace + r->places.lists[0],
        .count = r->items.count,
        .passes = r->shape.prefix_bytes,
        .cuttable = refines ? r->shape.prefix_bytes - NORMALISED_LEAST_PREFIX : 0,
        .value_mode = LSD_VALUES_INDEX,
        .outcome = r->run->arguments->outcome,
        .codec = {.identity = 1}};
    return lsd_passes_run(&r->state->passes, &a, workspace + r->places.scratch, r->run->stream);
}

/* Rounds alternate between two lists of ties. */
static struct normalised_round normalised_round_of(const struct normalised_run *r, uint32_t number)
{
    char *workspace = r->workspace, *scratch = workspace + r->places.scratch;
    uint32_t from = number % 2, to = (number + 1) % 2;
    uint64_t control_bytes =
        lsd_passes_control_bytes(r->shape.code_width, r->shape.index_bytes, r->items.count);
    struct normalised_round round = {.items = r->items,
                                     .control = (struct normalised_control *)workspace,
                                     .codes_in = workspace + r->places.codes[from],
                                     .index_in =
                                         number ? workspace + r->places.lists[from] : r->index,
                                     .places_in = number ? r->homes[from] : NULL,
                                     .places_out = r->homes[to],
                                     .index_final = r->index,
                                     .key_bytes = r->shape.key_bytes,
                                     .prefix_bytes = r->shape.prefix_bytes,
                                     .number = number,
                                     .group_bytes = r->shape.group_bytes};
    round.sort = (struct lsd_arguments){.control = (struct lsd_control *)scratch,
                                        .lookback = (uint32_t *)(scratch + control_bytes),
                                        .keys_in = workspace + r->places.codes[to],
                                        .keys_out = workspace + r->places.codes[to],
                                        .keys_spare = {workspace + r->places.codes[from]},
                                        .values_in = workspace + r->places.lists[to],
                                        .values_out = workspace + r->places.lists[to],
                                        .values_spare = workspace + r->places.lists[from],
                                        .passes = r->shape.code_width,
                                        .in_place = 1,
                                        .codec = {.identity = 1}};
    return round;
}

static consort_status normalised_refine(const struct normalised_run *r)
{
    uint32_t fits = r->shape.code_width - r->shape.group_bytes;
    uint32_t slack = NORMALISED_PREFIX_BYTES - NORMALISED_LEAST_PREFIX;
    uint32_t blocks =
        normalised_blocks(r->items.count, NORMALISED_REFINED_ITEMS, r->state->refine_blocks);
    consort_status status = CONSORT_OK;
    if (r->shape.rounds > 0)
        status =
            launch_clear(r->workspace, offsetof(struct normalised_control, ties), r->run->stream);
    for (uint64_t i = 0; i < r->shape.rounds && status == CONSORT_OK; i++) {
        struct normalised_round round = normalised_round_of(r, (uint32_t)i);
        struct normalised_window window = normalised_windows_of(
            &r->request->order, NORMALISED_LEAST_PREFIX + i * fits, fits + slack);
        void *parameters[] = {&round, &window};
        status = launch_cooperative(&r->state->refine, blocks, r->run->stream, parameters);
    }
    return status;
}

static consort_status normalised_move(const struct normalised_run *r, const consort_column *column)
{
    return cuda_gather_column(&r->state->gather, column, r->index, r->shape.index_bytes,
                              r->items.count, r->workspace + r->places.codes[0], r->run->stream);
}

static void normalised_set_places(struct normalised_run *r)
{
    const consort_arguments *arguments = r->run->arguments;
    bool is_argsort = r->request->operation == CONSORT_OPERATION_ARGSORT;
    r->index = is_argsort ? arguments->indices : r->workspace + r->places.index;
    r->prefixes = r->shape.uses_out ? arguments->out : r->workspace + r->places.prefixes;
    for (int i = 0; i < 2; i++)
        r->homes[i] = r->shape.uses_out
                          ? (char *)arguments->out + i * arguments->count * r->shape.index_bytes
                          : r->workspace + r->places.homes[i];
}

static consort_status normalised_run(const struct consort_plan *plan, const struct run *run)
{
    const struct request *request = &plan->request;
    const consort_arguments *arguments = run->arguments;
    struct normalised_run r = {.state = plan->state,
                               .request = request,
                               .run = run,
                               .shape = normalised_shape_of(request),
                               .places = normalised_shape_places(request),
                               .workspace = run->workspace,
                               .items = {.items = arguments->in,
                                         .item_bytes = request->item_bytes,
                                         .count = arguments->count}};
    bool is_argsort = request->operation == CONSORT_OPERATION_ARGSORT;
    normalised_set_places(&r);
    consort_status status = normalised_encode(&r);
    if (status == CONSORT_OK)
        status = normalised_sort_prefixes(&r);
    if (status == CONSORT_OK)
        status = normalised_refine(&r);
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
    .summary =
        "stable radix sort of key prefixes and an index, ties by what remains, then one move",
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
    .summary = "stable radix sort of key prefixes and an index, ties by what remains of the keys",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = normalised_refuses,
    .cost = normalised_cost,
    .workspace = normalised_workspace_bytes,
    .prepare = normalised_prepare,
    .run = normalised_run,
};
