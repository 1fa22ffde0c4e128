/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segmented sort by radix kernels: small segments are leaves of one member, inside its cache, large
 * ones are sorted by the whole team. Plain codes with at most one column of values that the kernels
 * move go straight through; else codes and positions are sorted, and the columns gathered.
 */
#include "cpu/segmented_radix.h"

#include "core/status.h"
#include "cpu/arena.h"
#include "cpu/columns.h"
#include "cpu/cost.h"
#include "cpu/encode.h"
#include "cpu/gather.h"
#include "cpu/radix_run.h"
#include "cpu/segments.h"
#include "cpu/share.h"
#include "cpu/sort_radix.h"

enum {
    SEGMENTED_RADIX_LEAF = 1 << 14 /* items; two buffers of them stay in a core's cache */
};

struct segmented_radix {
    struct radix_job all; /* the whole array; segments are cut out of it */
    char *workspace;
    uint64_t workspace_bytes;
    uint64_t member_bytes; /* of it, for one member's leaves */
};

static uint32_t segmented_radix_value_bytes(const struct request *request)
{
    if (!sort_radix_is_direct(request))
        return columns_index_bytes(request);
    return request->value_count ? (uint32_t)request->value_bytes[0] : 0;
}

static uint64_t segmented_radix_member_bytes(const struct request *request)
{
    uint64_t most = request->maximum_count < SEGMENTED_RADIX_LEAF ? request->maximum_count
                                                                  : SEGMENTED_RADIX_LEAF;
    return arena_bytes(
        radix_leaf_workspace(most, sort_radix_width(request), segmented_radix_value_bytes(request)),
        1);
}

/* [codes] [positions] and then what members, the team and gathering use one after the other. */
static uint64_t segmented_radix_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    uint64_t count = request->maximum_count;
    if (count < 2)
        return 0;
    uint32_t width = sort_radix_width(request);
    uint64_t rest = request_bytes(request->threads, segmented_radix_member_bytes(request));
    uint64_t team = count <= SEGMENTED_RADIX_LEAF
                        ? 0
                        : radix_msd_workspace(count, width, segmented_radix_value_bytes(request),
                                              RADIX_TAKES_ITEMS, request->threads);
    rest = team > rest ? team : rest;
    if (sort_radix_is_direct(request))
        return rest;
    uint64_t buffer = columns_buffer_bytes(request);
    rest = buffer > rest ? buffer : rest;
    rest = arena_add(rest, arena_bytes(count, width));
    return arena_add(rest, arena_bytes(count, columns_index_bytes(request)));
}

static void *segmented_radix_at(const void *array, uint64_t first, uint64_t bytes)
{
    return array ? (char *)array + first * bytes : NULL;
}

static struct radix_job segmented_radix_segment(const struct segmented_radix *sort, uint64_t first,
                                                uint64_t last)
{
    struct radix_job job = sort->all;
    job.keys_in = segmented_radix_at(job.keys_in, first, job.width);
    job.keys_out = segmented_radix_at(job.keys_out, first, job.width);
    job.values_in = segmented_radix_at(job.values_in, first, job.value_bytes);
    job.values_out = segmented_radix_at(job.values_out, first, job.value_bytes);
    job.count = last - first;
    job.workspace = sort->workspace;
    job.workspace_bytes = sort->workspace_bytes;
    return job;
}

static void segmented_radix_small(void *context, uint32_t member, uint64_t first, uint64_t last)
{
    const struct segmented_radix *sort = context;
    struct radix_job job = segmented_radix_segment(sort, first, last);
    job.workspace = sort->workspace + member * sort->member_bytes;
    job.workspace_bytes = sort->member_bytes;
    if (!presorted_finish(&job))
        radix_run_leaf(&job);
}

static bool segmented_radix_large(void *context, uint64_t first, uint64_t last)
{
    struct radix_job job = segmented_radix_segment(context, first, last);
    return presorted_finish(&job) || radix_msd(&job) == RADIX_DONE;
}

static bool segmented_radix_segments(const struct consort_plan *plan, const struct run *run,
                                     struct segmented_radix *sort)
{
    struct checkpoint silent = {.cancel = run->checkpoint->cancel};
    sort->all.checkpoint = &silent;
    sort->member_bytes = segmented_radix_member_bytes(&plan->request);
    sort->workspace_bytes = plan->workspace - (uint64_t)(sort->workspace - (char *)run->workspace);
    struct segments segments = {.request = &plan->request,
                                .run = run,
                                .team = sort->all.team,
                                .small = segmented_radix_small,
                                .large = segmented_radix_large,
                                .most_small = SEGMENTED_RADIX_LEAF,
                                .context = sort};
    return segments_run(&segments);
}

static bool segmented_radix_direct(const struct consort_plan *plan, const struct run *run,
                                   struct team *team)
{
    const struct request *request = &plan->request;
    struct segmented_radix sort = {.all = {.keys_in = run->arguments->in,
                                           .keys_out = run->arguments->out,
                                           .width = sort_radix_width(request),
                                           .value_bytes = segmented_radix_value_bytes(request),
                                           .codec = request->order.pieces[0].codec,
                                           .team = team},
                                   .workspace = run->workspace};
    if (request->value_count > 0) {
        sort.all.values_in = run->arguments->values[0].in;
        sort.all.values_out = run->arguments->values[0].out;
    }
    if (columns_in_place(request, run->arguments))
        *run->input_whole = false;
    segments_copy_rest(plan, run, team);
    return segmented_radix_segments(plan, run, &sort);
}

static bool segmented_radix_indirect(const struct consort_plan *plan, const struct run *run,
                                     struct team *team)
{
    const struct request *request = &plan->request;
    uint64_t most = request->maximum_count, count = run->arguments->count;
    uint32_t width = sort_radix_width(request), index_bytes = columns_index_bytes(request);
    char *rest = run->workspace;
    void *codes = arena_take(&rest, most, width);
    void *indices = arena_take(&rest, most, index_bytes);
    struct segmented_radix sort = {.all = {.keys_in = codes,
                                           .keys_out = codes,
                                           .values_in = indices,
                                           .values_out = indices,
                                           .width = width,
                                           .value_bytes = index_bytes,
                                           .codec = request->order.pieces[0].codec,
                                           .team = team},
                                   .workspace = rest};
    gather_identity(team, indices, index_bytes, count);
    if (order_is_plain(&request->order)) {
        gather_copy(team, run->arguments->in, codes, count * width);
    } else {
        encode_items(team, &request->order, run->arguments->in, count, codes);
        sort.all.codec = encode_codec(&request->order);
    }
    if (!segmented_radix_segments(plan, run, &sort))
        return false;
    columns_gather(plan, run, team, indices, index_bytes, rest);
    return true;
}

static consort_status segmented_radix_run(const struct consort_plan *plan, const struct run *run)
{
    struct team *team = share_team(&plan->request, run->arguments->count, SHARE_RADIX);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    bool done = true;
    if (run->arguments->count < 2)
        columns_copy(plan, run, team);
    else if (sort_radix_is_direct(&plan->request))
        done = segmented_radix_direct(plan, run, team);
    else
        done = segmented_radix_indirect(plan, run, team);
    team_return(team);
    return done ? CONSORT_OK : status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled");
}

static const char *segmented_radix_refuses(const struct request *request)
{
    if (request->order.piece_count == 0)
        return "a callback order has no digits";
    return order_code_is_complete(&request->order) ? NULL : "its keys are longer than 16 bytes";
}

const struct algorithm segmented_radix = {
    .name = "radix",
    .summary = "small segments in batches, one thread each, by least significant digits in cache, "
               "large ones by the whole team from the most significant digit",
    .operation = CONSORT_OPERATION_SEGMENTED_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .refuses = segmented_radix_refuses,
    .workspace = segmented_radix_workspace,
    .cost = cost_segmented_radix,
    .run = segmented_radix_run,
};
