/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `segmented`: which kernels, and the launches, which are the same whatever the data:
 * classify, if segments may be large three for the first digit or each of two and one for all
 * others, tiny segments, those for warps, one for each class of blocks.
 */
#include "cuda/sorts/segmented/cuda_segmented.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/codec_constants.h"
#include "cuda/launch.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/segmented/segmented_tuning.h"
#include "cuda/sorts/segmented/segmented_workspace.h"
#include "cuda/sorts/segmented_long/segmented_long.h"

enum {
    SEGMENTED_BLOCKS_A_PROCESSOR = 16 /* resident threads: 2048 */
};

struct segmented_state {
    struct launch classify, count, scan, move, deep, tiny, runs, warps, gather;
    struct launch blocks[SEGMENTED_CLASSES]; /* from SEGMENTED_WARP_CLASSES on */
    uint32_t blocks_end;                     /* behind the last of them that has a launch */
    uint32_t processors;
    bool early; /* kernels but `deep` may be started before the one before them has ended */
    /* Blocks that are resident, where each takes as much work as any other, or waits for all. */
    uint32_t classify_blocks, deep_blocks, tiny_blocks, runs_blocks, warps_blocks;
    uint32_t blocks_blocks[SEGMENTED_CLASSES];
};

static const char *segmented_refuses(const struct request *request)
{
    if (!request_is_plain(request) || !segmented_shape_of(request))
        return "the GPU's segmented sorts numbers, not in NumPy's float order";
    return NULL;
}

static uint64_t segmented_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return segmented_lay_out(request).total;
}

/* Launches, and 770 bytes of items a nanosecond for each of about four passes. */
static double segmented_cost(const struct request *request)
{
    double bytes = (double)(request->item_bytes + segmented_value_bytes(request));
    double offsets = (double)request->maximum_segments * request->offset_bytes;
    return 60e3 + 4.0 * (double)request->maximum_count * bytes / 770.0 + offsets / 1000.0;
}

/* A kernel of `name` or, for the shapes, "name_bits" or "name_bits_paired". */
static bool segmented_find(const struct device *device, struct launch *launch, const char *name,
                           uint32_t threads, uint32_t shared)
{
    *launch = (struct launch){kernels_find(device, "segmented", name, shared), threads, shared};
    return launch->function != NULL;
}

static bool segmented_find_shaped(const struct device *device, struct launch *launch,
                                  const char *name, const struct segmented_shape *shape,
                                  uint32_t threads, uint32_t shared)
{
    char full[48];
    snprintf(full, sizeof full, "segmented_%s_%u_%u", name, shape->key_bits, shape->paired);
    return segmented_find(device, launch, full, threads, shared);
}

/* Whether short segments among longer ones are sorted by one or two threads each. */
static bool segmented_picks(const struct segmented_shape *shape)
{
    return !shape->paired && shape->key_bits <= 32;
}

/* As many blocks as may be resident. */
static uint32_t segmented_blocks_for(const struct launch *launch, uint32_t processors)
{
    uint32_t blocks = 2048 / launch->threads;
    if (blocks > SEGMENTED_BLOCKS_A_PROCESSOR)
        blocks = SEGMENTED_BLOCKS_A_PROCESSOR;
    return blocks * processors;
}

/* What sorts the leaves of class `c`, which take a block each. */
static bool segmented_find_blocks(const struct device *device, struct segmented_state *state,
                                  const struct segmented_shape *shape, uint32_t c)
{
    struct launch *blocks = &state->blocks[c];
    uint32_t threads = 2u << c;
    uint32_t in_block = segmented_shared_bytes(shape->key_bits / 8, shape->paired, shape->items, 0);
    bool counted = segmented_is_counted(shape);
    if (counted || segmented_long_has_leaves(device, shape, c)) {
        if (counted ? !segmented_long_find_bytes(device, blocks, "leaves")
                    : !segmented_long_find_leaves(device, blocks, shape, c))
            return false;
        state->blocks_blocks[c] = launch_resident(blocks) * state->processors;
    } else {
        if (!segmented_find_shaped(device, blocks, "blocks", shape, threads, threads * in_block))
            return false;
        state->blocks_blocks[c] = segmented_blocks_for(blocks, state->processors);
    }
    return state->blocks_blocks[c] > 0;
}

static bool segmented_find_networks(const struct device *device, struct segmented_state *state,
                                    const struct segmented_shape *shape)
{
    uint32_t key_bytes = shape->key_bits / 8;
    uint32_t in_warp = segmented_shared_bytes(key_bytes, shape->paired, shape->items, 1);
    bool picks = segmented_picks(shape);
    uint32_t in_run = picks ? 0 : segmented_shared_bytes(key_bytes, 1, SEGMENTED_RUN_ITEMS, 1);
    char runs[32];
    snprintf(runs, sizeof runs, "segmented_%s_%u", picks ? "picks" : "runs", shape->key_bits);
    if (!segmented_find_shaped(device, &state->tiny, "tiny", shape, SEGMENTED_TINY_THREADS, 0) ||
        !segmented_find_shaped(device, &state->warps, "warps", shape, SEGMENTED_WARPS_THREADS,
                               SEGMENTED_WARPS_THREADS * in_warp) ||
        !segmented_find(device, &state->runs, runs, SEGMENTED_WARPS_THREADS,
                        SEGMENTED_WARPS_THREADS * in_run))
        return false;
    state->blocks_end =
        segmented_is_counted(shape) ? SEGMENTED_WARP_CLASSES + 1 : segmented_classes_of(shape);
    for (uint32_t c = SEGMENTED_WARP_CLASSES; c < state->blocks_end; c++)
        if (!segmented_find_blocks(device, state, shape, c))
            return false;
    state->classify_blocks = launch_resident(&state->classify) * state->processors;
    state->tiny_blocks = launch_resident(&state->tiny) * state->processors;
    state->runs_blocks = launch_resident(&state->runs) * state->processors;
    state->warps_blocks = launch_resident(&state->warps) * state->processors;
    return state->classify_blocks > 0 && state->tiny_blocks > 0 && state->runs_blocks > 0 &&
           state->warps_blocks > 0;
}

static bool segmented_find_count(const struct device *device, struct launch *launch,
                                 const struct segmented_shape *shape)
{
    if (segmented_long_counts(shape))
        return segmented_long_find_count(device, launch, shape);
    char name[32];
    snprintf(name, sizeof name, "segmented_count_%u", shape->key_bits);
    return segmented_find(device, launch, name, SEGMENTED_TILE_THREADS, 0);
}

/* Of single bytes all levels are one. */
static bool segmented_find_counted(const struct device *device, struct segmented_state *state)
{
    return segmented_long_find_bytes(device, &state->count, "count") &&
           segmented_long_find_bytes(device, &state->scan, "scan") &&
           segmented_long_find_bytes(device, &state->move, "write");
}

static bool segmented_find_moves(const struct device *device, struct segmented_state *state,
                                 const struct segmented_shape *shape)
{
    uint32_t threads = SEGMENTED_TILE_THREADS, items = segmented_tile_items(shape) / threads;
    uint32_t shared = segmented_move_bytes(shape->key_bits / 8, shape->paired, items);
    bool moves =
        segmented_long_has_move(shape)
            ? segmented_long_find_scan(device, &state->scan) &&
                  segmented_long_find_move(device, &state->move, shape)
            : segmented_find(device, &state->scan, "segmented_scan_all", SEGMENTED_SCAN_THREADS,
                             0) &&
                  segmented_find_shaped(device, &state->move, "move", shape, threads, shared);
    if (!moves || !segmented_find_count(device, &state->count, shape) ||
        !segmented_find_shaped(device, &state->deep, "deep", shape, threads, shared))
        return false;
    state->deep_blocks = launch_resident(&state->deep) * state->processors;
    return state->deep_blocks > 0;
}

static bool segmented_find_large(const struct device *device, struct segmented_state *state,
                                 const struct segmented_shape *shape)
{
    bool found = segmented_is_counted(shape) ? segmented_find_counted(device, state)
                                             : segmented_find_moves(device, state, shape);
    state->early = found && launch_can_wait(&state->count) && launch_can_wait(&state->scan);
    return found;
}

static consort_status segmented_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct segmented_shape *shape = segmented_shape_of(&plan->request);
    struct segmented_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    state->processors = (uint32_t)device->processors;
    if (segmented_find(device, &state->classify, "segmented_classify_all",
                       SEGMENTED_CLASSIFY_THREADS, 0) &&
        segmented_find_networks(device, state, shape) && segmented_find_large(device, state, shape))
        return cuda_gather_prepare(&state->gather, device);
    return consort_last_error()->status;
}

static void segmented_set_values(const struct request *request, const struct run *run,
                                 const struct segmented_workspace *w, struct segmented_arguments *a)
{
    char *workspace = run->workspace;
    a->value_bytes = segmented_value_bytes(request);
    a->index_mode = segmented_moves_index(request);
    a->values[1] = workspace + w->values;
    if (a->index_mode) {
        a->values_out = workspace + w->index;
    } else if (request->value_count == 1 && run->arguments->values) { /* NULL: there are no items */
        const consort_column *column = &run->arguments->values[0];
        a->values[0] = (void *)column->in;
        a->values_out = column->out;
        if (segmented_uses_both_buffers(request))
            a->values[1] = column->out;
    }
    bool turns = segmented_uses_both_buffers(request) && !a->index_mode;
    a->values[2] = turns ? a->values[0] : a->values_out;
}

static void segmented_set_lists(const struct request *request, char *workspace,
                                const struct segmented_workspace *w, uint32_t processors,
                                struct segmented_arguments *a)
{
    const struct segmented_shape *shape = segmented_shape_of(request);
    a->control = (struct segmented_control *)workspace;
    a->tiny_items = shape->tiny_items;
    bool picks = segmented_picks(shape);
    a->short_items = picks ? SEGMENTED_PICK_MOST : SEGMENTED_RUN_MOST;
    a->collects_uneven = picks;
    a->longest_beside = picks ? UINT64_MAX : SEGMENTED_RUN_MOST;
    a->thread_items = shape->items;
    a->classes = segmented_classes_of(shape);
    segmented_long_set_classes(shape, a);
    a->leaves = (uint64_t *)(workspace + w->leaves);
    a->pages = (uint32_t *)(workspace + w->pages);
    a->page_room = (uint32_t)w->page_room;
    for (int parity = 0; parity < 2; parity++) {
        a->buckets[parity] = (struct segmented_bucket *)(workspace + w->buckets[parity]);
        a->units[parity] = (uint32_t *)(workspace + w->units[parity]);
    }
    a->bins = workspace + w->bins;
    a->few = (uint64_t *)(workspace + w->few);
    a->chains = (uint64_t *)(workspace + w->chains);
    a->bin_bytes = segmented_bin_bytes(request);
    a->bucket_room = (uint32_t)w->bucket_room;
    a->unit_room = (uint32_t)w->unit_room;
    a->key_bytes = (uint32_t)request->item_bytes;
    a->tile_items = segmented_long_has_move(shape) ? segmented_long_tile_items(shape)
                                                   : segmented_tile_items(shape);
    a->unit_items = segmented_unit_items(shape, a->count, processors);
}

/* A chain for each warp, or block, that sorts leaves of the class. */
static void segmented_set_chains(const struct request *request, const struct segmented_state *state,
                                 struct segmented_arguments *a)
{
    bool parts = segmented_may_be_large(request) && state->deep.function;
    uint32_t warps = state->warps_blocks * (SEGMENTED_WARPS_THREADS / 32);
    a->parts_blocks = parts ? state->warps_blocks : 0;
    for (uint32_t c = SEGMENTED_PAIRS; c < SEGMENTED_CLASSES; c++) {
        uint32_t sorters = c < SEGMENTED_WARP_CLASSES ? warps : state->blocks_blocks[c];
        a->chain_count[c - SEGMENTED_PAIRS] =
            sorters < SEGMENTED_CHAINS ? sorters : SEGMENTED_CHAINS;
    }
}

static struct segmented_arguments segmented_arguments_of(const struct request *request,
                                                         const struct run *run,
                                                         const struct segmented_state *state)
{
    const consort_arguments *arguments = run->arguments;
    struct segmented_workspace w = segmented_lay_out(request);
    const struct codec *codec = &request->order.pieces[0].codec;
    struct segmented_arguments a = {.keys_out = arguments->out,
                                    .offsets = arguments->offsets,
                                    .count = arguments->count,
                                    .segment_count = arguments->segment_count,
                                    .outcome = run->outcome,
                                    .offset_bytes = request->offset_bytes,
                                    .levels = codec->bits / SEGMENTED_DIGIT_BITS,
                                    .codec = codec_constants_of(codec)};
    bool both = segmented_uses_both_buffers(request);
    a.keys[0] = (void *)arguments->in;
    a.keys[1] = both ? arguments->out : (char *)run->workspace + w.keys;
    a.keys[2] = both ? (void *)arguments->in : arguments->out;
    a.in_place = a.keys[2] == a.keys[0];
    segmented_set_values(request, run, &w, &a);
    segmented_set_lists(request, run->workspace, &w, state->processors, &a);
    segmented_set_chains(request, state, &a);
    return a;
}

static consort_status segmented_launch(const struct segmented_state *state,
                                       const struct launch *launch, consort_stream stream,
                                       void **parameters)
{
    uint32_t blocks = segmented_blocks_for(launch, state->processors);
    return launch_following(launch, state->early, blocks, stream, parameters);
}

/* The level from which on one launch does all: where segments of average length have parts that no
 * block sorts, the second level is as much work as the first, for its kernels, which spill less. */
static uint32_t segmented_deep_level(const struct request *request,
                                     const struct segmented_arguments *a)
{
    uint64_t most = segmented_most_of_a_block(segmented_shape_of(request)) * SEGMENTED_BINS;
    bool long_parts = request->maximum_count / most > request->maximum_segments;
    return a->levels > 1 && !a->in_place && long_parts ? 2 : 1;
}

static consort_status segmented_launch_large(const struct segmented_state *state,
                                             const struct request *request, consort_stream stream,
                                             struct segmented_arguments *a)
{
    uint32_t level = 0, deep = segmented_deep_level(request, a);
    void *parameters[] = {a, &level};
    consort_status status = CONSORT_OK;
    for (; level < deep && status == CONSORT_OK; level++) {
        status = segmented_launch(state, &state->count, stream, parameters);
        if (status == CONSORT_OK)
            status = segmented_launch(state, &state->scan, stream, parameters);
        if (status == CONSORT_OK)
            status = segmented_launch(state, &state->move, stream, parameters);
    }
    if (status == CONSORT_OK && state->deep.function)
        status = launch_cooperative(&state->deep, state->deep_blocks, stream, parameters);
    return status;
}

/* More than are resident where all have work, so that at the end few wait for the others. */
static uint64_t segmented_tiny_blocks(const struct segmented_state *state, uint64_t segments)
{
    uint64_t in_block = (uint64_t)SEGMENTED_TINY_THREADS * SEGMENTED_TINY_SETS;
    uint64_t blocks = segments / in_block, most = SEGMENTED_TINY_ROUNDS * state->tiny_blocks;
    return blocks < state->tiny_blocks ? state->tiny_blocks : blocks < most ? blocks : most;
}

static consort_status segmented_launch_leaves(const struct segmented_state *state,
                                              consort_stream stream, struct segmented_arguments *a)
{
    uint32_t c = SEGMENTED_WARP_CLASSES;
    void *parameters[] = {a, &c};
    bool early = state->early;
    consort_status status = launch_following(
        &state->tiny, early, segmented_tiny_blocks(state, a->segment_count), stream, parameters);
    if (status == CONSORT_OK)
        status = launch_following(&state->runs, early, state->runs_blocks, stream, parameters);
    if (status == CONSORT_OK)
        status = launch_following(&state->warps, early, a->parts_blocks + state->warps_blocks,
                                  stream, parameters);
    for (; c < state->blocks_end && status == CONSORT_OK; c++)
        status =
            launch_following(&state->blocks[c], early, state->blocks_blocks[c], stream, parameters);
    return status;
}

static consort_status segmented_gather(const struct consort_plan *plan, const struct run *run,
                                       const struct segmented_arguments *a)
{
    const struct segmented_state *state = plan->state;
    struct segmented_workspace w = segmented_lay_out(&plan->request);
    consort_status status = CONSORT_OK;
    for (uint32_t i = 0; i < plan->request.value_count && status == CONSORT_OK; i++)
        status = cuda_gather_column_unless(
            &state->gather, &a->control->bad, &run->arguments->values[i], a->values_out,
            a->value_bytes, a->count, (char *)run->workspace + w.column, run->stream);
    return status;
}

static consort_status segmented_run(const struct consort_plan *plan, const struct run *run)
{
    const struct segmented_state *state = plan->state;
    struct segmented_arguments a = segmented_arguments_of(&plan->request, run, state);
    uint64_t cleared = segmented_lay_out(&plan->request).cleared;
    void *parameters[] = {&a};
    consort_status status = launch_clear(a.control, cleared, run->stream);
    if (status == CONSORT_OK)
        status = launch_kernel(&state->classify, state->classify_blocks, run->stream, parameters);
    if (status == CONSORT_OK && segmented_may_be_large(&plan->request))
        status = segmented_launch_large(state, &plan->request, run->stream, &a);
    if (status == CONSORT_OK)
        status = segmented_launch_leaves(state, run->stream, &a);
    if (status == CONSORT_OK && a.index_mode && a.count > 0)
        status = segmented_gather(plan, run, &a);
    return status;
}

const struct algorithm cuda_segmented_sort = {
    .name = "segmented",
    .summary =
        "sorting networks in registers for segments of up to a block's items (Batcher 1968), "
        "larger ones partitioned from the most significant digit (Stehle and Jacobsen 2017)",
    .operation = CONSORT_OPERATION_SEGMENTED_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = segmented_refuses,
    .workspace = segmented_workspace_bytes,
    .cost = segmented_cost,
    .prepare = segmented_prepare,
    .run = segmented_run,
};
