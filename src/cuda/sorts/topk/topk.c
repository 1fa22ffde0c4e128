/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of the GPU's `radix-select`: clear the control blocks, one cooperative kernel. Short
 * rows: one kernel.
 */
#include "cuda/sorts/topk/topk.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/codec_constants.h"
#include "cuda/launch.h"
#include "cuda/sorts/topk/topk_layout.h"
#include "cuda/sorts/topk/topk_sizes.h"

enum {
    TOPK_SHORT_BLOCKS = 16 /* a multiprocessor: all that fit */
};

struct topk_state {
    struct launch rows, short_rows;
    uint32_t resident, short_blocks;
    struct topk_workspace workspace;
};

static const char *topk_refuses(const struct request *request)
{
    return codec_constants_suffice(&request->order)
               ? NULL
               : "the GPU selects numbers and byte strings of 1, 2, 4, 8 or 16 bytes";
}

/* Of counts, too. */
static uint32_t topk_position_bytes(const struct request *request)
{
    return request->maximum_count < (uint64_t)1 << 32 ? 4 : 8;
}

static struct topk_workspace topk_lay_out(const struct request *request)
{
    return topk_sizes_workspace(request->maximum_count, request->maximum_rows, request->maximum_k,
                                (uint32_t)request->item_bytes, topk_position_bytes(request),
                                request->index_bytes > 0 || !request->order.injective);
}

static uint64_t topk_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return topk_lay_out(request).total;
}

/* Launch, sample and last sort; one read; the candidates' passes. */
static double topk_cost(const struct request *request)
{
    double bytes = (double)request->maximum_count * (double)request->item_bytes;
    return 40e3 + bytes / 3500.0 + (double)request->maximum_k * (double)request->item_bytes / 50.0;
}

static consort_status topk_prepare(struct consort_plan *plan, const struct device *device)
{
    struct topk_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    uint32_t key_bytes = (uint32_t)plan->request.item_bytes;
    uint32_t position_bytes = topk_position_bytes(&plan->request);
    uint32_t shared = topk_shared_bytes(key_bytes, position_bytes);
    char rows[32], short_rows[32];
    snprintf(rows, sizeof rows, "topk_rows_%u_%u", 8 * key_bytes, position_bytes);
    snprintf(short_rows, sizeof short_rows, "topk_short_%u", 8 * key_bytes);
    state->rows = (struct launch){kernels_find(device, "topk", rows, shared), TOPK_THREADS, shared};
    state->short_rows =
        (struct launch){kernels_find(device, "topk", short_rows, 0), TOPK_SHORT_THREADS, 0};
    if (!state->rows.function || !state->short_rows.function)
        return consort_last_error()->status;
    uint32_t processors = (uint32_t)device->processors;
    state->resident = launch_resident(&state->rows) * processors;
    state->short_blocks = TOPK_SHORT_BLOCKS * processors;
    state->workspace = topk_lay_out(&plan->request);
    return state->resident > 0 ? CONSORT_OK : consort_last_error()->status;
}

static void topk_place(struct topk_arguments *a, const struct topk_workspace *w, char *workspace)
{
    a->controls = (struct topk_control *)workspace;
    a->bins = workspace + w->bins;
    a->counts = (uint32_t *)(workspace + w->counts);
    a->ties = (uint64_t *)(workspace + w->ties);
    a->sampled = workspace + w->sampled;
    for (int i = 0; i < 2; i++) {
        a->codes[i] = workspace + w->codes[i];
        a->positions[i] = workspace + w->positions[i];
    }
}

static struct topk_arguments topk_arguments_of(const struct consort_plan *plan,
                                               const struct run *run)
{
    const struct topk_state *state = plan->state;
    const struct request *request = &plan->request;
    const consort_arguments *arguments = run->arguments;
    const struct codec *codec = &request->order.pieces[0].codec;
    struct topk_arguments a = {.in = arguments->in,
                               .out = arguments->out,
                               .indices = arguments->indices,
                               .rows = arguments->rows,
                               .index_bytes = request->index_bytes,
                               .gather = codec->equal_floats,
                               .code_bytes = codec->bits / 8,
                               .codec = codec_constants_of(codec)};
    a.length = arguments->count / arguments->rows;
    a.kept = arguments->k < a.length ? arguments->k : a.length;
    a.ties_matter = arguments->indices || !request->order.injective;
    if (a.kept == 0 || a.length <= TOPK_SHORT)
        return a;
    a.capacity = topk_sizes_capacity(a.length, a.kept);
    a.samples = topk_sizes_samples(a.length);
    a.sample_rank = topk_sizes_sample_rank(a.length, a.kept);
    struct topk_teams teams =
        topk_sizes_teams(a.rows, a.length * request->item_bytes, state->resident);
    a.teams = teams.teams;
    a.team_blocks = teams.blocks;
    topk_place(&a, &state->workspace, run->workspace);
    return a;
}

/* A warp does a row alone. */
static bool topk_is_short(const struct topk_arguments *a, uint64_t key_bytes)
{
    bool few = a->kept <= TOPK_SELECTED && key_bytes <= sizeof(uint32_t);
    return a->length <= (few ? TOPK_SELECTED_SHORT : TOPK_SHORT);
}

static consort_status topk_run_rows(const struct topk_state *state, struct topk_arguments *a,
                                    consort_stream stream)
{
    void *parameters[] = {a};
    consort_status status = launch_clear(a->controls, a->teams * sizeof *a->controls, stream);
    return status == CONSORT_OK
               ? launch_cooperative(&state->rows, (uint64_t)a->teams * a->team_blocks, stream,
                                    parameters)
               : status;
}

static consort_status topk_run_short_rows(const struct topk_state *state, struct topk_arguments *a,
                                          consort_stream stream)
{
    void *parameters[] = {a};
    uint64_t blocks = (a->rows + TOPK_SHORT_THREADS / 32 - 1) / (TOPK_SHORT_THREADS / 32);
    return launch_kernel(&state->short_rows,
                         blocks < state->short_blocks ? blocks : state->short_blocks, stream,
                         parameters);
}

static consort_status topk_run(const struct consort_plan *plan, const struct run *run)
{
    struct topk_arguments a = topk_arguments_of(plan, run);
    consort_status status = launch_outcome(run->arguments->outcome, run->stream);
    if (status != CONSORT_OK || a.kept == 0)
        return status;
    return topk_is_short(&a, plan->request.item_bytes)
               ? topk_run_short_rows(plan->state, &a, run->stream)
               : topk_run_rows(plan->state, &a, run->stream);
}

const struct algorithm topk_radix_select = {
    .name = "radix-select",
    .summary =
        "a sample guesses a threshold, one read collects what is below it, histograms of ever "
        "lower digits make sure (Alabi, Blanchard, Gordon, Steinbach 2012)",
    .operation = CONSORT_OPERATION_TOP_K,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = topk_refuses,
    .workspace = topk_workspace_bytes,
    .cost = topk_cost,
    .prepare = topk_prepare,
    .run = topk_run,
};
