/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sort and argsort by merge sort, for any order. Items without values that are small enough are
 * merged themselves; everything else through an index, after which the columns are gathered.
 */
#include "cpu/sort_merge.h"

#include "core/status.h"
#include "cpu/arena.h"
#include "cpu/columns.h"
#include "cpu/cost.h"
#include "cpu/gather.h"
#include "cpu/mergesort.h"
#include "cpu/share.h"

bool sort_merge_is_direct(const struct request *request)
{
    return request->value_count == 0 && request->item_bytes <= MERGESORT_ELEMENT_BYTES;
}

uint64_t sort_merge_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    uint64_t count = request->maximum_count;
    if (count < 2)
        return 0;
    if (sort_merge_is_direct(request))
        return request->form == CONSORT_FORM_DOUBLE_BUFFER
                   ? 0
                   : arena_bytes(count, request->item_bytes);
    uint64_t indices = arena_bytes(count, columns_index_bytes(request));
    uint64_t buffer = columns_buffer_bytes(request);
    return arena_add(indices, buffer > indices ? buffer : indices);
}

static enum mergesort_kind sort_merge_index_kind(uint32_t index_bytes)
{
    return index_bytes == 4 ? MERGESORT_INDEX32 : MERGESORT_INDEX64;
}

static bool sort_merge_direct(const struct consort_plan *plan, const struct run *run,
                              struct team *team)
{
    const consort_arguments *arguments = run->arguments;
    bool double_buffer = plan->request.form == CONSORT_FORM_DOUBLE_BUFFER;
    if (double_buffer || arguments->in == arguments->out)
        *run->input_whole = false;
    struct mergesort_job job = {.sort = mergesort_of(MERGESORT_ITEM, &plan->request.order, NULL),
                                .in = arguments->in,
                                .out = arguments->out,
                                .spare = double_buffer ? (char *)arguments->in : run->workspace,
                                .count = arguments->count,
                                .team = team,
                                .checkpoint = run->checkpoint};
    return mergesort_run(&job);
}

static bool sort_merge_indices(const struct consort_plan *plan, const struct run *run,
                               struct team *team, void *indices, void *spare, uint32_t index_bytes)
{
    gather_identity(team, indices, index_bytes, run->arguments->count);
    struct mergesort_job job = {.sort = mergesort_of(sort_merge_index_kind(index_bytes),
                                                     &plan->request.order, run->arguments->in),
                                .in = indices,
                                .out = indices,
                                .spare = spare,
                                .count = run->arguments->count,
                                .team = team,
                                .checkpoint = run->checkpoint};
    return mergesort_run(&job);
}

static bool sort_merge_indirect(const struct consort_plan *plan, const struct run *run,
                                struct team *team)
{
    uint32_t index_bytes = columns_index_bytes(&plan->request);
    char *rest = run->workspace;
    void *indices = arena_take(&rest, plan->request.maximum_count, index_bytes);
    if (!sort_merge_indices(plan, run, team, indices, rest, index_bytes))
        return false;
    columns_gather(plan, run, team, indices, index_bytes, rest);
    return true;
}

static consort_status sort_merge_run(const struct consort_plan *plan, const struct run *run)
{
    struct team *team = share_team(&plan->request, run->arguments->count, SHARE_MERGE_SORT);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    bool done = columns_finish_monotone(plan, run, team);
    if (!done)
        done = sort_merge_is_direct(&plan->request) ? sort_merge_direct(plan, run, team)
                                                    : sort_merge_indirect(plan, run, team);
    team_return(team);
    return done ? CONSORT_OK : status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled");
}

static uint64_t argsort_merge_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return request->maximum_count < 2 ? 0
                                      : arena_bytes(request->maximum_count, request->index_bytes);
}

static consort_status argsort_merge_run(const struct consort_plan *plan, const struct run *run)
{
    struct team *team = share_team(&plan->request, run->arguments->count, SHARE_MERGE_SORT);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    bool done = sort_merge_indices(plan, run, team, run->arguments->indices, run->workspace,
                                   plan->request.index_bytes);
    team_return(team);
    return done ? CONSORT_OK : status_fail(CONSORT_ERROR_CANCELLED, "the argsort was cancelled");
}

const struct algorithm sort_merge = {
    .name = "merge",
    .summary = "stable parallel merge sort by any comparison, each merge cut by co-ranks (Merge "
               "Path: Odeh, Green, Mwassi, Shmueli, Birk 2012)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .workspace = sort_merge_workspace,
    .cost = cost_merge,
    .run = sort_merge_run,
};

const struct algorithm argsort_merge = {
    .name = "merge",
    .summary = "stable parallel merge sort of an index by any comparison, each merge cut by "
               "co-ranks (Merge Path: Odeh, Green, Mwassi, Shmueli, Birk 2012)",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .workspace = argsort_merge_workspace,
    .cost = cost_merge,
    .run = argsort_merge_run,
};
