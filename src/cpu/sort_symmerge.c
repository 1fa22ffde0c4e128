/* SPDX-License-Identifier: Apache-2.0 */
/* Sort, argsort and segmented sort without workspace, by SymMerge. */
#include "cpu/sort_symmerge.h"

#include "core/status.h"
#include "cpu/columns.h"
#include "cpu/cost.h"
#include "cpu/gather.h"
#include "cpu/segments.h"
#include "cpu/share.h"
#include "cpu/sort_merge.h"
#include "cpu/symmerge.h"

/* The rows to be sorted, after the copy form has copied its input to the output. Two buffers are
 * one too many: the first is sorted. */
static struct symmerge_rows sort_symmerge_rows(const struct consort_plan *plan,
                                               const struct run *run, struct team *team)
{
    const consort_arguments *arguments = run->arguments;
    bool in_first = plan->request.form == CONSORT_FORM_DOUBLE_BUFFER;
    if (in_first)
        run->outcome->buffer = 0;
    else
        columns_copy(plan, run, team);
    if (in_first || columns_in_place(&plan->request, arguments))
        *run->input_whole = false;
    return (struct symmerge_rows){.order = &plan->request.order,
                                  .items = in_first ? arguments->in : arguments->out,
                                  .request = &plan->request,
                                  .arguments = arguments,
                                  .in_first = in_first};
}

static consort_status sort_symmerge_end(struct team *team, bool done)
{
    team_return(team);
    return done ? CONSORT_OK : status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled");
}

static consort_status sort_symmerge_run(const struct consort_plan *plan, const struct run *run)
{
    struct team *team = share_team(&plan->request, run->arguments->count, SHARE_MERGE_SORT);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    if (columns_finish_monotone(plan, run, team))
        return sort_symmerge_end(team, true);
    struct symmerge_rows rows = sort_symmerge_rows(plan, run, team);
    return sort_symmerge_end(
        team, symmerge_sort_by_team(&rows, run->arguments->count, team, run->checkpoint));
}

static consort_status argsort_symmerge_run(const struct consort_plan *plan, const struct run *run)
{
    const consort_arguments *arguments = run->arguments;
    struct team *team = share_team(&plan->request, arguments->count, SHARE_MERGE_SORT);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    gather_identity(team, arguments->indices, plan->request.index_bytes, arguments->count);
    struct symmerge_rows rows = {.order = &plan->request.order,
                                 .items = arguments->in,
                                 .positions = arguments->indices,
                                 .index_bytes = plan->request.index_bytes};
    if (arguments->count < 2)
        return sort_symmerge_end(team, true);
    return sort_symmerge_end(team,
                             symmerge_sort_by_team(&rows, arguments->count, team, run->checkpoint));
}

static void segmented_symmerge_segment(void *context, uint32_t member, uint64_t first,
                                       uint64_t last)
{
    (void)member;
    symmerge_sort(context, first, last);
}

static consort_status segmented_symmerge_run(const struct consort_plan *plan, const struct run *run)
{
    struct team *team = share_team(&plan->request, run->arguments->count, SHARE_MERGE_SORT);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    struct symmerge_rows rows = sort_symmerge_rows(plan, run, team);
    struct segments segments = {.request = &plan->request,
                                .run = run,
                                .team = team,
                                .small = segmented_symmerge_segment,
                                .context = &rows};
    return sort_symmerge_end(team, segments_run(&segments));
}

const struct algorithm sort_symmerge = {
    .name = "symmerge",
    .summary = "stable merge sort without workspace, by rotations; any comparison (SymMerge: Kim, "
               "Kutzner 2004)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .cost = cost_symmerge,
    .run = sort_symmerge_run,
};

const struct algorithm argsort_symmerge = {
    .name = "symmerge",
    .summary = "stable merge sort of positions without workspace, by rotations; any comparison "
               "(SymMerge: Kim, Kutzner 2004)",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .cost = cost_symmerge,
    .run = argsort_symmerge_run,
};

const struct algorithm segmented_symmerge = {
    .name = "symmerge",
    .summary = "each segment by stable merge sort without workspace, one thread a segment; any "
               "comparison (SymMerge: Kim, Kutzner 2004)",
    .operation = CONSORT_OPERATION_SEGMENTED_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .cost = cost_symmerge,
    .run = segmented_symmerge_run,
};
