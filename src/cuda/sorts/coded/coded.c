/* SPDX-License-Identifier: Apache-2.0 */
/* The registry's entries of `coded`: what it costs, and how each operation is made of codes. */
#include "cuda/sorts/coded/coded.h"

#include "cuda/carried_values.h"
#include "cuda/sorts/coded/coded_codes.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/normalised/normalised.h"

static const char *coded_refuses(const struct request *request)
{
    return request->order.compare ? "a GPU cannot call the caller's comparison" : NULL;
}

static uint64_t coded_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return request->maximum_count == 0 && request->operation != CONSORT_OPERATION_SEGMENTED_SORT
               ? 0
               : coded_lay_out(request).total;
}

/* Nanoseconds an item. Places: 2^26 strings of 32 bytes merge in 7.4 ms (H200, 2026-11). */
static double coded_make_cost(const struct request *request)
{
    if (coded_by_rank(request))
        return cuda_gather_cost(coded_bytes(request));
    double encoded = ((double)request->item_bytes + coded_bytes(request)) / 2000.0;
    return coded_by_key(request) ? encoded : encoded + 0.055;
}

/* Columns that follow an index; merges read both lists from end to end. */
static double coded_move_cost(const struct request *moving)
{
    if (!carried_values_are_indices(moving))
        return 0.0;
    double cost = 0.0;
    for (uint32_t i = 0; i < moving->value_count; i++)
        cost += moving->operation == CONSORT_OPERATION_MERGE
                    ? (double)moving->value_bytes[i] / 1000.0
                    : cuda_gather_cost(moving->value_bytes[i]);
    return cost;
}

static double coded_cost(const struct request *request)
{
    struct coded_request coded;
    coded_request_make(&coded, request);
    double cost = 10e3 + coded_algorithm(request->operation)->cost(&coded.request) +
                  (double)request->maximum_count *
                      (coded_make_cost(request) + coded_move_cost(&coded.request));
    if (!coded_by_rank(request))
        return cost;
    struct request argsort = coded_argsort_of(request);
    return cost + normalised_argsort.cost(&argsort);
}

/* The run's arguments, with codes in the place of items and the items among the columns. A merge
 * of codes needs a place for them, sorted segments of codes lie where they were. */
static consort_status coded_run_moving(const struct consort_plan *plan, const struct run *run)
{
    struct coded_workspace w = coded_lay_out(&plan->request);
    consort_arguments arguments = *run->arguments;
    struct coded_columns columns;
    consort_status status = coded_columns_make(&columns, &plan->request, run->arguments);
    if (status == CONSORT_OK)
        status = coded_make(plan, run);
    char *codes = coded_at(run, w.codes);
    arguments.in = codes;
    arguments.in_b =
        arguments.count_b > 0 ? codes + arguments.count * coded_bytes(&plan->request) : NULL;
    arguments.out =
        plan->request.operation == CONSORT_OPERATION_MERGE ? coded_at(run, w.merged) : codes;
    arguments.values = columns.all;
    if (status == CONSORT_OK)
        status = coded_operate(plan, run, &arguments);
    coded_columns_release(&columns);
    return status;
}

static consort_status coded_top_k_run(const struct consort_plan *plan, const struct run *run)
{
    const struct coded_state *state = plan->state;
    struct coded_workspace w = coded_lay_out(&plan->request);
    const consort_arguments *asked = run->arguments;
    uint64_t length = asked->count / asked->rows;
    uint64_t kept = asked->k < length ? asked->k : length;
    consort_arguments arguments = *asked;
    if (kept == 0)
        return launch_outcome(asked->outcome, run->stream);
    arguments.in = coded_at(run, w.codes);
    arguments.out = NULL;
    arguments.indices = asked->indices ? asked->indices : coded_at(run, w.chosen);
    consort_status status = coded_make(plan, run);
    if (status == CONSORT_OK)
        status = coded_operate(plan, run, &arguments);
    if (status != CONSORT_OK || !asked->out)
        return status;
    const consort_column items = {
        .in = asked->in, .out = asked->out, .element_bytes = plan->request.item_bytes};
    return cuda_gather_rows(&state->gather, &items, asked->rows, kept, length, arguments.indices,
                            state->operation.request.index_bytes, run->stream);
}

const struct algorithm coded_segmented_sort = {
    .name = "coded",
    .summary = "normalised keys of up to 128 bits, else ranks in a stable sort of everything, "
               "sorted by `segmented`",
    .operation = CONSORT_OPERATION_SEGMENTED_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = coded_refuses,
    .workspace = coded_workspace_bytes,
    .cost = coded_cost,
    .prepare = coded_prepare,
    .release = coded_release,
    .run = coded_run_moving,
};

const struct algorithm coded_merge = {
    .name = "coded",
    .summary = "normalised keys of up to 128 bits, else places found by binary search, merged by "
               "`merge-path`",
    .operation = CONSORT_OPERATION_MERGE,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = coded_refuses,
    .workspace = coded_workspace_bytes,
    .cost = coded_cost,
    .prepare = coded_prepare,
    .release = coded_release,
    .run = coded_run_moving,
};

const struct algorithm coded_top_k = {
    .name = "coded",
    .summary = "normalised keys of up to 128 bits, else ranks in a stable sort of everything, "
               "selected by `radix-select`",
    .operation = CONSORT_OPERATION_TOP_K,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = coded_refuses,
    .workspace = coded_workspace_bytes,
    .cost = coded_cost,
    .prepare = coded_prepare,
    .release = coded_release,
    .run = coded_top_k_run,
};
