/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `segmented`: what kernels are told, and the launches, which are the same whatever
 * the data: classify, if segments may be large three for the first digit or each of two and one for
 * all others, tiny segments, those for warps, one for each class of blocks.
 */
#include "cuda/sorts/segmented/cuda_segmented.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/codec_constants.h"
#include "cuda/launch.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/segmented/segmented_kernels.h"
#include "cuda/sorts/segmented/segmented_tuning.h"
#include "cuda/sorts/segmented_long/segmented_long.h"

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

static consort_status segmented_prepare(struct consort_plan *plan, const struct device *device)
{
    struct segmented_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    if (segmented_find_all(device, segmented_shape_of(&plan->request), state))
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
    a->lists = workspace + w->lists;
    a->list_bytes = segmented_list_bytes(request);
    a->pages = (uint32_t *)(workspace + w->pages);
    a->page_room = (uint32_t)w->page_room;
    for (int parity = 0; parity < 2; parity++) {
        a->singles[parity] = (uint64_t *)(workspace + w->singles[parity]);
        a->shared[parity] = (struct segmented_bucket *)(workspace + w->shared[parity]);
        a->units[parity] = (uint32_t *)(workspace + w->units[parity]);
    }
    a->bins = workspace + w->bins;
    a->few = workspace + w->few;
    a->few_bytes = segmented_few_bytes(request);
    a->chains = (uint64_t *)(workspace + w->chains);
    a->bin_bytes = segmented_bin_bytes(request);
    a->bucket_room = (uint32_t)w->bucket_room;
    a->unit_room = (uint32_t)w->unit_room;
    a->key_bytes = (uint32_t)request->item_bytes;
    a->tile_items = segmented_long_has_move(shape) ? segmented_long_tile_items(shape)
                                                   : segmented_tile_items(shape);
    a->start_bits = segmented_start_bits(request->maximum_count);
    a->unit_items = segmented_unit_items(shape, a->count, a->start_bits, processors);
}

/* A chain for each warp, or block, that sorts leaves of the class, if there is room. */
static void segmented_set_chains(const struct request *request, const struct segmented_state *state,
                                 struct segmented_arguments *a)
{
    bool parts = segmented_may_be_large(request) && state->deep.function;
    uint32_t warps = state->warps_blocks * (SEGMENTED_WARPS_THREADS / 32);
    uint32_t room = SEGMENTED_CHAINS << (SEGMENTED_PART_CLASSES - 1);
    a->parts_blocks = parts ? state->warps_blocks : 0;
    for (uint32_t c = SEGMENTED_PAIRS; c < SEGMENTED_CLASSES; c++, room /= 2) {
        uint32_t sorters = c < SEGMENTED_WARP_CLASSES ? warps : state->blocks_blocks[c];
        a->chain_count[c - SEGMENTED_PAIRS] = sorters < room ? sorters : room;
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
