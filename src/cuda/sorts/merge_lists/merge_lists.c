/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `merge-lists`: pivots of a's segments, points that cut long pieces of b, a block for
 * the pieces between two points.
 */
#include "cuda/sorts/merge_lists/merge_lists.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/status.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/merge/cuda_merge_path.h"
#include "cuda/sorts/merge/merge_rounds.h"
#include "cuda/sorts/merge/merge_two_lists.h"
#include "cuda/sorts/merge_lists/merge_lists_layout.h"

struct merge_lists_state {
    struct launch pivots, lift_pivots, cuts, lift_cuts, merge, gather;
};

/* Where everything lies in the workspace, counted in bytes from its start. */
struct merge_lists_workspace {
    uint64_t pivots, cuts, crossed_pivots, crossed_cuts, total;
};

static uint64_t merge_lists_segments(uint64_t count)
{
    return (count + MERGE_LISTS_SEGMENT - 1) / MERGE_LISTS_SEGMENT;
}

/* Each block but the first repeats the last thing of the block before it. */
static uint64_t merge_lists_blocks(uint64_t things)
{
    return (things + MERGE_LISTS_CUT_THREADS - 2) / (MERGE_LISTS_CUT_THREADS - 1);
}

/* Both lists together have at most one segment more than one list of all items; an empty list a
 * counts as one. */
static struct merge_lists_workspace merge_lists_lay_out(const struct request *request)
{
    uint64_t segments = merge_lists_segments(request->maximum_count) + 2;
    uint64_t blocks = merge_lists_blocks(segments);
    struct merge_lists_workspace w = {0};
    w.cuts = launch_aligned(segments * sizeof(uint64_t));
    w.crossed_pivots = w.cuts + launch_aligned(segments * sizeof(struct merge_lists_cut));
    w.crossed_cuts = w.crossed_pivots + launch_aligned(blocks * sizeof(uint32_t));
    w.total = w.crossed_cuts + launch_aligned(blocks * sizeof(uint32_t));
    return w;
}

static const char *merge_lists_refuses(const struct request *request)
{
    return merge_rounds_exist(request) ? NULL : "the GPU's merge-lists merges numbers";
}

static uint64_t merge_lists_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return merge_two_lists_workspace(request, merge_lists_lay_out(request).total);
}

static double merge_lists_cost(const struct request *request)
{
    return 2 * cuda_merge_path.cost(request);
}

static bool merge_lists_find(const struct device *device, struct launch *launch, const char *what,
                             uint32_t threads, uint32_t shared)
{
    char name[48];
    snprintf(name, sizeof name, "merge_lists_%s", what);
    *launch = (struct launch){kernels_find(device, "merge_lists", name, shared), threads, shared};
    return launch->function != NULL;
}

static bool merge_lists_find_width(const struct device *device, struct launch *launch,
                                   const char *what, uint32_t key_bytes, uint32_t threads,
                                   uint32_t shared)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%u", what, 8 * key_bytes);
    return merge_lists_find(device, launch, name, threads, shared);
}

static consort_status merge_lists_prepare(struct consort_plan *plan, const struct device *device)
{
    struct merge_lists_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    uint32_t bytes = (uint32_t)plan->request.item_bytes, threads = MERGE_LISTS_STRAIGHTEN_THREADS;
    if (merge_lists_find_width(device, &state->pivots, "pivots", bytes, MERGE_LISTS_CUT_THREADS,
                               0) &&
        merge_lists_find_width(device, &state->cuts, "cuts", bytes, MERGE_LISTS_CUT_THREADS, 0) &&
        merge_lists_find_width(device, &state->merge, "merge", bytes, MERGE_LISTS_THREADS,
                               merge_lists_shared_bytes(bytes)) &&
        merge_lists_find(device, &state->lift_pivots, "lift_pivots", threads, 0) &&
        merge_lists_find(device, &state->lift_cuts, "lift_cuts", threads, 0))
        return cuda_gather_prepare(&state->gather, device);
    return consort_last_error()->status;
}

static struct merge_lists_arguments merge_lists_arguments_of(const struct request *request,
                                                             const struct merge_arguments *a)
{
    struct merge_lists_workspace w = merge_lists_lay_out(request);
    char *workspace = a->last_cuts;
    uint64_t of_a = merge_lists_segments(a->a_count);
    struct merge_lists_arguments l = {
        .merge = *a,
        .pivots = (uint64_t *)workspace,
        .cuts = (struct merge_lists_cut *)(workspace + w.cuts),
        .crossed_pivots = (uint32_t *)(workspace + w.crossed_pivots),
        .crossed_cuts = (uint32_t *)(workspace + w.crossed_cuts),
        .a_segments = of_a > 0 ? of_a : 1,
        .b_segments = merge_lists_segments(a->count - a->a_count),
    };
    l.pivot_blocks = merge_lists_blocks(l.a_segments);
    l.cut_blocks = merge_lists_blocks(l.b_segments);
    return l;
}

static consort_status merge_lists_launch(const struct consort_plan *plan,
                                         const struct merge_arguments *a, consort_stream stream)
{
    const struct merge_lists_state *state = plan->state;
    struct merge_lists_arguments l = merge_lists_arguments_of(&plan->request, a);
    const struct {
        const struct launch *launch;
        uint64_t blocks;
    } steps[] = {
        {&state->pivots, l.pivot_blocks},
        {&state->lift_pivots, 1},
        {&state->cuts, l.cut_blocks > l.pivot_blocks ? l.cut_blocks : l.pivot_blocks},
        {&state->lift_cuts, 1},
        {&state->merge, l.a_segments + l.b_segments},
    };
    void *parameters[] = {&l};
    consort_status status = CONSORT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == CONSORT_OK; i++)
        status = launch_kernel(steps[i].launch, steps[i].blocks, stream, parameters);
    return status;
}

static consort_status merge_lists_run(const struct consort_plan *plan, const struct run *run)
{
    const struct merge_lists_state *state = plan->state;
    return merge_two_lists_run(plan, run, merge_lists_lay_out(&plan->request).total, &state->gather,
                               merge_lists_launch);
}

const struct algorithm cuda_merge_lists = {
    .name = "merge-lists",
    .summary = "stable merge of segments of 2048 keys between pivots, four keys a thread (S. Chen, "
               "J. Qin, Y. Xie, J. Zhao, P.-A. Heng 2009)",
    .operation = CONSORT_OPERATION_MERGE,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = merge_lists_refuses,
    .workspace = merge_lists_workspace,
    .cost = merge_lists_cost,
    .prepare = merge_lists_prepare,
    .run = merge_lists_run,
};
