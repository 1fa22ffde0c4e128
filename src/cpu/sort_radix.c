/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sort and argsort by the radix and counting kernels. Arrays of plain codes go straight through
 * them, with one column of values if it has a size that the kernels know; else an index does, and
 * the columns are gathered. Other items are encoded first; see encode.h and ties.h.
 */
#include "cpu/sort_radix.h"

#include "core/status.h"
#include "cpu/arena.h"
#include "cpu/columns.h"
#include "cpu/cost.h"
#include "cpu/encode.h"
#include "cpu/gather.h"
#include "cpu/radix.h"
#include "cpu/share.h"
#include "cpu/ties.h"

typedef enum radix_result (*sort_radix_kernel)(struct radix_job *job);
typedef uint64_t (*sort_radix_size)(uint64_t count, uint32_t width, uint32_t value_bytes,
                                    enum radix_takes takes, uint32_t members);

/* One column that the kernels move along with the keys. */
static bool sort_radix_moves_values(const struct request *request)
{
    if (request->value_count != 1)
        return request->value_count == 0;
    uint64_t bytes = request->value_bytes[0];
    return bytes == 4 || bytes == 8 || bytes == 16;
}

bool sort_radix_is_direct(const struct request *request)
{
    return order_is_plain(&request->order) && sort_radix_moves_values(request);
}

uint32_t sort_radix_width(const struct request *request)
{
    const struct order *order = &request->order;
    return order_is_plain(order) ? order->pieces[0].codec.width : order_code_bytes(order);
}

static uint32_t sort_radix_index_bytes(const struct request *request)
{
    return request->index_bytes ? request->index_bytes : columns_index_bytes(request);
}

/* Keys alone go to and fro between the two buffers. */
static bool sort_radix_may_spend_input(const struct request *request)
{
    return request->form == CONSORT_FORM_DOUBLE_BUFFER && request->value_count == 0;
}

/* What stands in the workspace: [codes] [indices] and then what kernels, ties and gathering use
 * one after the other. */
static uint64_t sort_radix_workspace(const struct request *request, sort_radix_size size)
{
    uint64_t count = request->maximum_count;
    uint32_t width = sort_radix_width(request), index_bytes = sort_radix_index_bytes(request);
    if (count < 2)
        return 0;
    bool argsort = request->operation == CONSORT_OPERATION_ARGSORT;
    if (!argsort && sort_radix_is_direct(request))
        return size(count, width, request->value_count ? (uint32_t)request->value_bytes[0] : 0,
                    sort_radix_may_spend_input(request) ? RADIX_TAKES_NOTHING : RADIX_TAKES_ITEMS,
                    request->threads);
    uint64_t rest = size(count, width, index_bytes, RADIX_TAKES_CODES_TOO, request->threads);
    uint64_t buffer = argsort ? 0 : columns_buffer_bytes(request);
    uint64_t total = rest > buffer ? rest : buffer;
    if (!argsort)
        total = arena_add(total, arena_bytes(count, index_bytes));
    if (!order_is_plain(&request->order))
        total = arena_add(total, arena_bytes(count, width));
    return total;
}

static uint64_t sort_lsd_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return sort_radix_workspace(request, radix_lsd_workspace);
}

static uint64_t sort_msd_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return sort_radix_workspace(request, radix_msd_workspace);
}

static uint64_t sort_counting_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return counting_workspace(request->maximum_count, request->item_bytes, request->threads);
}

static uint64_t sort_inplace_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return request->maximum_count < 2
               ? 0
               : inplace_workspace(request->maximum_count, request->item_bytes, request->threads);
}

/* The run as a job of the kernels; the caller completes keys and values. */
static struct radix_job sort_radix_job(const struct consort_plan *plan, const struct run *run,
                                       struct team *team)
{
    return (struct radix_job){.keys_in = run->arguments->in,
                              .count = run->arguments->count,
                              .width = sort_radix_width(&plan->request),
                              .codec = plan->request.order.pieces[0].codec,
                              .workspace = run->workspace,
                              .workspace_bytes = plan->workspace,
                              .team = team,
                              .checkpoint = run->checkpoint};
}

static bool sort_radix_direct(const struct consort_plan *plan, const struct run *run,
                              struct team *team, sort_radix_kernel kernel)
{
    struct radix_job job = sort_radix_job(plan, run, team);
    job.keys_out = run->arguments->out;
    if (plan->request.value_count > 0) {
        job.values_in = run->arguments->values[0].in;
        job.values_out = run->arguments->values[0].out;
        job.value_bytes = (uint32_t)plan->request.value_bytes[0];
    }
    bool in_place = columns_in_place(&plan->request, run->arguments);
    bool presorted = presorted_finish(&job);
    job.input_is_spare = !in_place && sort_radix_may_spend_input(&plan->request);
    bool done = presorted || kernel(&job) == RADIX_DONE;
    if (job.modified && (in_place || (job.input_is_spare && !presorted)))
        *run->input_whole = false;
    if (job.ends_in_input)
        run->outcome->buffer = 0;
    return done;
}

/* Finds the permutation that sorts; `rest` is the workspace that is left. False: cancelled. */
static bool sort_radix_permutation(const struct consort_plan *plan, const struct run *run,
                                   struct team *team, sort_radix_kernel kernel, void *indices,
                                   uint32_t index_bytes, char *rest)
{
    const struct order *order = &plan->request.order;
    struct radix_job job = sort_radix_job(plan, run, team);
    bool encoded = !order_is_plain(order), tied = !order_code_is_complete(order);
    void *codes = NULL;
    if (encoded) {
        codes = arena_take(&rest, plan->request.maximum_count, job.width);
        encode_items(team, order, run->arguments->in, job.count, codes);
        job.codec = encode_codec(order);
        job.keys_in = codes;
        job.keys_out = tied ? codes : NULL;
    }
    job.values_out = indices;
    job.value_bytes = index_bytes;
    job.index = true;
    job.workspace = rest;
    job.workspace_bytes = plan->workspace - (uint64_t)(rest - (char *)run->workspace);
    if (!presorted_finish(&job) && kernel(&job) != RADIX_DONE)
        return false;
    struct ties_job ties = {.order = order,
                            .items = run->arguments->in,
                            .codes = codes,
                            .indices = indices,
                            .spare = rest,
                            .index_bytes = index_bytes,
                            .count = job.count,
                            .team = team,
                            .checkpoint = run->checkpoint};
    return !tied || ties_sort(&ties);
}

static bool sort_radix_indirect(const struct consort_plan *plan, const struct run *run,
                                struct team *team, sort_radix_kernel kernel)
{
    uint32_t index_bytes = sort_radix_index_bytes(&plan->request);
    char *rest = run->workspace;
    void *indices = arena_take(&rest, plan->request.maximum_count, index_bytes);
    if (!sort_radix_permutation(plan, run, team, kernel, indices, index_bytes, rest))
        return false;
    columns_gather(plan, run, team, indices, index_bytes, rest);
    return true;
}

static consort_status sort_radix_run(const struct consort_plan *plan, const struct run *run,
                                     sort_radix_kernel kernel)
{
    struct team *team = share_team(&plan->request, run->arguments->count,
                                   kernel == counting_sort ? SHARE_COUNTING : SHARE_RADIX);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    bool done = true;
    if (run->arguments->count < 2)
        columns_copy(plan, run, team);
    else if (sort_radix_is_direct(&plan->request))
        done = sort_radix_direct(plan, run, team, kernel);
    else
        done = sort_radix_indirect(plan, run, team, kernel);
    team_return(team);
    uint64_t count = run->arguments->count;
    if (done && !checkpoint_pass(run->checkpoint, count, count))
        return CONSORT_OK;
    return status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled");
}

static consort_status sort_lsd_run(const struct consort_plan *plan, const struct run *run)
{
    return sort_radix_run(plan, run, radix_lsd);
}

static consort_status sort_msd_run(const struct consort_plan *plan, const struct run *run)
{
    return sort_radix_run(plan, run, radix_msd);
}

static consort_status sort_counting_run(const struct consort_plan *plan, const struct run *run)
{
    return sort_radix_run(plan, run, counting_sort);
}

/* Two buffers are one too many: sorts in the first. */
static consort_status sort_inplace_run(const struct consort_plan *plan, const struct run *run)
{
    if (plan->request.form != CONSORT_FORM_DOUBLE_BUFFER)
        return sort_radix_run(plan, run, inplace_sort);
    consort_arguments arguments = *run->arguments;
    arguments.out = (void *)arguments.in;
    struct run in_first = *run;
    in_first.arguments = &arguments;
    run->outcome->buffer = 0;
    return sort_radix_run(plan, &in_first, inplace_sort);
}

static consort_status argsort_radix_run(const struct consort_plan *plan, const struct run *run,
                                        sort_radix_kernel kernel)
{
    struct team *team = share_team(&plan->request, run->arguments->count, SHARE_RADIX);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    uint64_t count = run->arguments->count;
    bool done = true;
    if (count == 1)
        gather_identity(team, run->arguments->indices, plan->request.index_bytes, 1);
    else if (count > 1)
        done = sort_radix_permutation(plan, run, team, kernel, run->arguments->indices,
                                      plan->request.index_bytes, run->workspace);
    team_return(team);
    if (done && !checkpoint_pass(run->checkpoint, count, count))
        return CONSORT_OK;
    return status_fail(CONSORT_ERROR_CANCELLED, "the argsort was cancelled");
}

static consort_status argsort_lsd_run(const struct consort_plan *plan, const struct run *run)
{
    return argsort_radix_run(plan, run, radix_lsd);
}

static consort_status argsort_msd_run(const struct consort_plan *plan, const struct run *run)
{
    return argsort_radix_run(plan, run, radix_msd);
}

static const char *sort_radix_refuses(const struct request *request)
{
    return request->order.piece_count == 0 ? "a callback order has no digits" : NULL;
}

static const char *sort_counting_refuses(const struct request *request)
{
    if (!order_is_plain(&request->order) || request->item_bytes > 2)
        return "it counts keys of 1 or 2 bytes";
    return request->value_count > 0 ? "it moves no values" : NULL;
}

static const char *sort_inplace_refuses(const struct request *request)
{
    if (!order_is_plain(&request->order))
        return "it permutes arrays of scalar keys whose order is total";
    return request->value_count > 0 ? "it moves no values" : NULL;
}

const struct algorithm sort_lsd = {
    .name = "lsd",
    .summary = "least significant digit radix sort, 8 bits a pass through write-combining buffers "
               "(Satish et al. 2010)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .refuses = sort_radix_refuses,
    .workspace = sort_lsd_workspace,
    .cost = cost_lsd,
    .run = sort_lsd_run,
};

const struct algorithm sort_msd = {
    .name = "msd",
    .summary = "most significant digit radix sort into buckets that fit a core's cache, finished "
               "there by least significant digits (Axtmann et al., IPS2Ra, 2020)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .refuses = sort_radix_refuses,
    .workspace = sort_msd_workspace,
    .cost = cost_msd,
    .run = sort_msd_run,
};

const struct algorithm sort_counting = {
    .name = "counting",
    .summary = "one histogram, one write: keys of 8 and 16 bits (Seward 1954)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .refuses = sort_counting_refuses,
    .workspace = sort_counting_workspace,
    .cost = cost_counting,
    .run = sort_counting_run,
};

const struct algorithm sort_inplace = {
    .name = "inplace",
    .summary =
        "American-flag radix sort in place with a buffer per thread (McIlroy, Bostic, McIlroy "
        "1993)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .refuses = sort_inplace_refuses,
    .workspace = sort_inplace_workspace,
    .cost = cost_inplace,
    .run = sort_inplace_run,
};

const struct algorithm argsort_lsd = {
    .name = "lsd",
    .summary = "least significant digit radix sort, 8 bits a pass through write-combining buffers "
               "(Satish et al. 2010)",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .refuses = sort_radix_refuses,
    .workspace = sort_lsd_workspace,
    .cost = cost_lsd,
    .run = argsort_lsd_run,
};

const struct algorithm argsort_msd = {
    .name = "msd",
    .summary = "most significant digit radix sort into buckets that fit a core's cache, finished "
               "there by least significant digits (Axtmann et al., IPS2Ra, 2020)",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .refuses = sort_radix_refuses,
    .workspace = sort_msd_workspace,
    .cost = cost_msd,
    .run = argsort_msd_run,
};
