/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of the textbook radix sorts: items go to and fro between their home and a spare array,
 * from wherever makes the last pass end at home. A pass counts, scans the table of counts and
 * moves, in three launches; or it is one launch that scans while it moves.
 */
#include "cuda/sorts/radix_steps/radix_steps_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/sorts/items/cuda_items.h"
#include "cuda/sorts/radix_steps/radix_steps_layout.h"

enum {
    RADIX_STEPS_WARP = 32,
    RADIX_STEPS_MOST_COARSENING = 16,
    RADIX_STEPS_ONES_THREADS = 256,
    RADIX_STEPS_ONES_BLOCKS = 8,        /* a multiprocessor: all that fit */
    RADIX_STEPS_MOST_SHARED = 96 * 1024 /* every GPU since compute capability 8.0 has it */
};

struct radix_steps_state {
    struct cuda_items items;
    struct launch ones, count, scan, move, tell;
    struct radix_steps_shape shape;
    uint32_t ones_blocks;
};

/* Where everything lies in the workspace, behind what items take. `words` follow `control`: both
 * are cleared. */
struct radix_steps_places {
    uint64_t codes, indices, table, control, words, total;
};

/* How a run of so many items is cut. */
struct radix_steps_cut {
    uint32_t threads, passes;
    uint64_t tiles, entries, words;
};

static uint64_t radix_steps_over(uint64_t count, uint64_t by)
{
    return count / by + (count % by != 0);
}

static uint32_t radix_steps_shared(const struct request *request, uint32_t tile)
{
    return radix_steps_shared_bytes(cuda_items_code_bytes(request), cuda_items_index_bytes(request),
                                    tile);
}

static struct radix_steps_shape radix_steps_fit(const struct request *request,
                                                struct radix_steps_shape shape)
{
    shape.block = shape.block / RADIX_STEPS_WARP * RADIX_STEPS_WARP;
    uint32_t rows = RADIX_STEPS_MOST_COARSENING;
    while (rows > 1 && (rows > shape.coarsening ||
                        radix_steps_shared(request, rows * shape.block) > RADIX_STEPS_MOST_SHARED))
        rows /= 2;
    shape.coarsening = rows;
    return shape;
}

uint32_t radix_steps_passes(const struct request *request, uint32_t bits)
{
    return (uint32_t)radix_steps_over(request->order.total_bits, bits);
}

/* A few items want few threads. */
static struct radix_steps_cut radix_steps_cut_of(const struct request *request,
                                                 const struct radix_steps_shape *shape,
                                                 uint64_t count)
{
    uint64_t needed = radix_steps_over(count, RADIX_STEPS_WARP) * RADIX_STEPS_WARP;
    struct radix_steps_cut cut = {.threads =
                                      needed < shape->block ? (uint32_t)needed : shape->block,
                                  .passes = radix_steps_passes(request, shape->bits)};
    cut.tiles = radix_steps_over(count, (uint64_t)cut.threads * shape->coarsening);
    if (!shape->one_launch)
        cut.entries = shape->direct ? cut.tiles : cut.tiles << shape->bits;
    cut.words =
        shape->one_launch ? cut.tiles : radix_steps_over(cut.entries, RADIX_STEPS_SCAN_ENTRIES);
    return cut;
}

static struct radix_steps_places radix_steps_lay_out(const struct request *request,
                                                     const struct radix_steps_shape *shape)
{
    uint64_t count = request->maximum_count;
    struct radix_steps_cut cut = radix_steps_cut_of(request, shape, count);
    struct radix_steps_places w = {.codes = cuda_items_workspace(request)};
    w.indices = w.codes + launch_aligned(count * cuda_items_code_bytes(request));
    w.table = w.indices + launch_aligned(count * cuda_items_index_bytes(request));
    uint64_t blocks = radix_steps_over(cut.entries, RADIX_STEPS_SCAN_ENTRIES);
    w.control = w.table + blocks * RADIX_STEPS_SCAN_ENTRIES * sizeof(uint32_t);
    w.words = w.control + sizeof(struct radix_steps_control);
    w.total = w.words + launch_aligned(cut.words * sizeof(uint64_t));
    return w;
}

uint64_t radix_steps_workspace(const struct request *request, struct radix_steps_shape shape)
{
    shape = radix_steps_fit(request, shape);
    return request->maximum_count == 0 ? 0 : radix_steps_lay_out(request, &shape).total;
}

static bool radix_steps_find(const struct device *device, struct launch *launch, const char *name,
                             uint32_t code_bytes, uint32_t threads)
{
    char text[48];
    snprintf(text, sizeof text, code_bytes ? "radix_steps_%s_%u" : "radix_steps_%s", name,
             8 * code_bytes);
    *launch = (struct launch){kernels_find(device, "radix_steps", text, 0), threads, 0};
    return launch->function != NULL;
}

static bool radix_steps_find_move(struct radix_steps_state *state, const struct request *request,
                                  const struct device *device)
{
    const struct radix_steps_shape *shape = &state->shape;
    uint32_t tile = shape->block * shape->coarsening;
    uint32_t shared = shape->direct ? 0 : radix_steps_shared(request, tile);
    char name[48];
    snprintf(name, sizeof name, "radix_steps_%s_%u", shape->direct ? "direct" : "sorted",
             !shape->direct      ? shape->coarsening
             : shape->one_launch ? 1u
                                 : 3u);
    state->move = (struct launch){cuda_items_kernel(request, device, "radix_steps", name, shared),
                                  shape->block, shared};
    return state->move.function != NULL;
}

consort_status radix_steps_prepare(struct consort_plan *plan, const struct device *device,
                                   struct radix_steps_shape shape)
{
    const struct request *request = &plan->request;
    struct radix_steps_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    state->shape = radix_steps_fit(request, shape);
    state->ones_blocks = RADIX_STEPS_ONES_BLOCKS * (uint32_t)device->processors;
    uint32_t code_bytes = cuda_items_code_bytes(request), block = state->shape.block;
    bool found =
        radix_steps_find_move(state, request, device) &&
        radix_steps_find(device, &state->ones, "count_ones", code_bytes,
                         RADIX_STEPS_ONES_THREADS) &&
        radix_steps_find(device, &state->count, "count", code_bytes, block) &&
        radix_steps_find(device, &state->scan, "scan_table", 0, RADIX_STEPS_SCAN_THREADS) &&
        radix_steps_find(device, &state->tell, "tell", 0, 1);
    return found ? cuda_items_prepare(&state->items, request, device)
                 : consort_last_error()->status;
}

static consort_status radix_steps_count_ones(const struct radix_steps_state *state,
                                             const struct radix_steps_pass *pass, uint32_t passes,
                                             consort_stream stream)
{
    struct items items = pass->from;
    struct radix_steps_control *control = pass->control;
    uint64_t blocks = radix_steps_over(items.count, RADIX_STEPS_ONES_THREADS);
    void *parameters[] = {&items, &control, &passes};
    return launch_kernel(&state->ones, blocks < state->ones_blocks ? blocks : state->ones_blocks,
                         stream, parameters);
}

/* The items of a pass move as `cut` says; of a direct one the digit is one bit. */
static consort_status radix_steps_launch(const struct radix_steps_state *state,
                                         struct radix_steps_pass *pass,
                                         const struct radix_steps_cut *cut, consort_stream stream)
{
    const struct radix_steps_shape *shape = &state->shape;
    struct launch count = state->count, move = state->move;
    uint32_t coarsening = shape->coarsening;
    count.threads = move.threads = cut->threads;
    move.shared = move.shared / shape->block * cut->threads;
    void *counting[] = {pass, &coarsening};
    void *others[] = {pass};
    consort_status status = CONSORT_OK;
    if (!shape->one_launch)
        status = launch_kernel(&count, cut->tiles, stream, counting);
    if (!shape->one_launch && status == CONSORT_OK)
        status =
            launch_kernel(&state->scan, radix_steps_over(pass->entries, RADIX_STEPS_SCAN_ENTRIES),
                          stream, others);
    return status == CONSORT_OK ? launch_kernel(&move, cut->tiles, stream, others) : status;
}

static consort_status radix_steps_launch_all(const struct radix_steps_state *state,
                                             struct radix_steps_pass *pass,
                                             const struct items turns[2], uint32_t key_bits,
                                             const struct radix_steps_cut *cut,
                                             consort_stream stream)
{
    consort_status status = CONSORT_OK;
    for (uint32_t i = 0; i < cut->passes && status == CONSORT_OK; i++) {
        uint32_t left = key_bits - i * state->shape.bits;
        pass->number = i;
        pass->shift = i * state->shape.bits;
        pass->bits = left < state->shape.bits ? left : state->shape.bits;
        pass->entries = state->shape.direct ? cut->entries : cut->tiles << pass->bits;
        pass->to = turns[(cut->passes - 1 - i) % 2];
        status = radix_steps_launch(state, pass, cut, stream);
        pass->from = pass->to;
    }
    return status;
}

/* Counters: passes, tiles, entries of the table in a pass, bytes that all passes read and write. */
static consort_status radix_steps_tell(const struct radix_steps_state *state,
                                       const struct request *request,
                                       const struct radix_steps_cut *cut, const struct run *run)
{
    consort_outcome *outcome = run->arguments->outcome;
    void *counters = outcome ? outcome->counters : NULL;
    uint64_t code = cuda_items_code_bytes(request), count = run->arguments->count;
    uint64_t moved = 2 * (code + cuda_items_index_bytes(request)) * count;
    uint64_t counted = count * code + 4 * sizeof(uint32_t) * cut->entries;
    uint64_t passes = cut->passes, tiles = cut->tiles, entries = cut->entries;
    uint64_t bytes = passes * moved + (state->shape.one_launch ? 1 : passes) * counted;
    void *parameters[] = {&counters, &passes, &tiles, &entries, &bytes};
    return counters ? launch_kernel(&state->tell, 1, run->stream, parameters) : CONSORT_OK;
}

consort_status radix_steps_run(const struct consort_plan *plan, const struct run *run)
{
    const struct radix_steps_state *state = plan->state;
    const struct request *request = &plan->request;
    struct radix_steps_places w = radix_steps_lay_out(request, &state->shape);
    struct radix_steps_cut cut = radix_steps_cut_of(request, &state->shape, run->arguments->count);
    char *workspace = run->workspace;
    const struct items home = cuda_items_home(plan, run);
    const struct items turns[2] = {home,
                                   {.codes = workspace + w.codes,
                                    .indices = home.indices ? workspace + w.indices : NULL,
                                    .count = home.count}};
    struct radix_steps_pass pass = {.from = turns[cut.passes % 2],
                                    .control = (void *)(workspace + w.control),
                                    .table = (void *)(workspace + w.table),
                                    .words = (void *)(workspace + w.words),
                                    .tiles = cut.tiles,
                                    .direct = state->shape.direct};
    consort_status status =
        launch_clear(pass.control, w.words - w.control + cut.words * sizeof(uint64_t), run->stream);
    if (cuda_items_are_codes(plan) && run->arguments->in != run->arguments->out)
        pass.from.codes = (void *)run->arguments->in;
    else if (status == CONSORT_OK)
        status = cuda_items_make(&state->items, plan, run, &pass.from);
    if (status == CONSORT_OK && state->shape.one_launch)
        status = radix_steps_count_ones(state, &pass, cut.passes, run->stream);
    uint32_t key_bits = (uint32_t)request->order.total_bits;
    if (status == CONSORT_OK)
        status = radix_steps_launch_all(state, &pass, turns, key_bits, &cut, run->stream);
    if (status == CONSORT_OK)
        status = radix_steps_tell(state, request, &cut, run);
    return status == CONSORT_OK ? cuda_items_finish(&state->items, plan, run, &home) : status;
}
