/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segmented sort by merge sort, for any order. Workspace and output are used at each segment's own
 * place, so that segments of any mix of lengths need no more than one array.
 */
#include "cpu/segmented_merge.h"

#include "core/status.h"
#include "cpu/arena.h"
#include "cpu/columns.h"
#include "cpu/cost.h"
#include "cpu/gather.h"
#include "cpu/mergesort.h"
#include "cpu/segments.h"
#include "cpu/share.h"
#include "cpu/sort_merge.h"

struct segmented_merge {
    struct mergesort sort;
    const char *in;
    char *out;
    char *spare;
    struct team *team;
    const struct checkpoint *checkpoint;
};

static void segmented_merge_small(void *context, uint32_t member, uint64_t first, uint64_t last)
{
    (void)member;
    const struct segmented_merge *job = context;
    uint64_t at = first * job->sort.bytes;
    job->sort.kernels->tile(&job->sort, job->in + at, job->out + at, job->spare + at, last - first);
}

static bool segmented_merge_large(void *context, uint64_t first, uint64_t last)
{
    const struct segmented_merge *job = context;
    uint64_t at = first * job->sort.bytes;
    struct checkpoint silent = {.cancel = job->checkpoint->cancel};
    struct mergesort_job whole = {.sort = job->sort,
                                  .in = job->in + at,
                                  .out = job->out + at,
                                  .spare = job->spare + at,
                                  .count = last - first,
                                  .team = job->team,
                                  .checkpoint = &silent};
    return mergesort_run(&whole);
}

static bool segmented_merge_elements(const struct consort_plan *plan, const struct run *run,
                                     struct segmented_merge *job)
{
    struct segments segments = {.request = &plan->request,
                                .run = run,
                                .team = job->team,
                                .small = segmented_merge_small,
                                .large = segmented_merge_large,
                                .context = job};
    return segments_run(&segments);
}

static bool segmented_merge_direct(const struct consort_plan *plan, const struct run *run,
                                   struct team *team)
{
    const consort_arguments *arguments = run->arguments;
    bool double_buffer = plan->request.form == CONSORT_FORM_DOUBLE_BUFFER;
    if (double_buffer || arguments->in == arguments->out)
        *run->input_whole = false;
    struct segmented_merge job = {.sort = mergesort_of(MERGESORT_ITEM, &plan->request.order, NULL),
                                  .in = arguments->in,
                                  .out = arguments->out,
                                  .spare = double_buffer ? (char *)arguments->in : run->workspace,
                                  .team = team,
                                  .checkpoint = run->checkpoint};
    segments_copy_rest(plan, run, team);
    return segmented_merge_elements(plan, run, &job);
}

static bool segmented_merge_indirect(const struct consort_plan *plan, const struct run *run,
                                     struct team *team)
{
    uint32_t index_bytes = columns_index_bytes(&plan->request);
    char *rest = run->workspace;
    void *indices = arena_take(&rest, plan->request.maximum_count, index_bytes);
    gather_identity(team, indices, index_bytes, run->arguments->count);
    struct segmented_merge job = {
        .sort = mergesort_of(index_bytes == 4 ? MERGESORT_INDEX32 : MERGESORT_INDEX64,
                             &plan->request.order, run->arguments->in),
        .in = indices,
        .out = indices,
        .spare = rest,
        .team = team,
        .checkpoint = run->checkpoint};
    if (!segmented_merge_elements(plan, run, &job))
        return false;
    columns_gather(plan, run, team, indices, index_bytes, rest);
    return true;
}

static consort_status segmented_merge_run(const struct consort_plan *plan, const struct run *run)
{
    struct team *team = share_team(&plan->request, run->arguments->count, SHARE_MERGE_SORT);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    bool done = true;
    if (run->arguments->count < 2)
        columns_copy(plan, run, team);
    else if (sort_merge_is_direct(&plan->request))
        done = segmented_merge_direct(plan, run, team);
    else
        done = segmented_merge_indirect(plan, run, team);
    team_return(team);
    return done ? CONSORT_OK : status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled");
}

const struct algorithm segmented_merge = {
    .name = "merge",
    .summary = "small segments in batches, one thread each, large ones by the whole team; stable "
               "merge sort by any comparison (Knuth, TAOCP 3, 5.2.4)",
    .operation = CONSORT_OPERATION_SEGMENTED_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .workspace = sort_merge_workspace,
    .cost = cost_segmented_merge,
    .run = segmented_merge_run,
};
