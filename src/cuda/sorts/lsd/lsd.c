/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `lsd`: which requests it takes, how much workspace they need, and where the keys and
 * values of a run lie.
 */
#include "cuda/sorts/lsd/lsd.h"

#include <stddef.h>
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/carried_values.h"
#include "cuda/codec_constants.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/lsd/lsd_passes.h"

struct lsd_state {
    struct lsd_passes passes;
    struct launch gather;
};

/* Where everything lies in the workspace, counted in bytes from its start. */
struct lsd_workspace {
    uint64_t keys[2], values, index, column, total;
};

/* Values in host memory: the bus takes longer than the sort, so keys and an index are sorted while
 * the values arrive. Below this the bus is not worth the extra launches. */
static const uint64_t lsd_overlap_count = 1 << 20;

/* One column of 4, 8 or 16 bytes moves with the keys; anything else follows a sorted index. */
static bool lsd_moves_index(const struct request *request)
{
    uint64_t bytes = request->value_count == 1 ? request->value_bytes[0] : 0;
    bool overlaps =
        request->memory == CONSORT_MEMORY_HOST && request->maximum_count >= lsd_overlap_count;
    return request->value_count > 0 && (overlaps || (bytes != 4 && bytes != 8 && bytes != 16));
}

static uint32_t lsd_value_bytes(const struct request *request)
{
    if (request->operation == CONSORT_OPERATION_ARGSORT)
        return request->index_bytes;
    if (lsd_moves_index(request))
        return request->maximum_count <= (uint64_t)1 << 32 ? 4 : 8;
    return request->value_count == 1 ? (uint32_t)request->value_bytes[0] : 0;
}

static const char *lsd_refuses(const struct request *request)
{
    if (!request_is_plain(request))
        return "the GPU's lsd sorts numbers, not in NumPy's float order";
    if (lsd_moves_index(request) && carried_values_use_both_buffers(request))
        return "with a double buffer the GPU's lsd moves one column of 4, 8 or 16 bytes";
    if (!lsd_passes_exist((uint32_t)request->item_bytes, lsd_value_bytes(request)))
        return "the GPU's lsd writes indices of 4 or 8 bytes";
    return NULL;
}

static struct lsd_workspace lsd_lay_out(const struct request *request)
{
    uint64_t count = request->maximum_count;
    uint64_t keys = launch_aligned(count * request->item_bytes);
    uint64_t values = launch_aligned(count * lsd_value_bytes(request));
    struct lsd_workspace w;
    w.keys[0] = lsd_passes_scratch((uint32_t)request->item_bytes, lsd_value_bytes(request), count);
    bool spares = !carried_values_use_both_buffers(request);
    bool keys_go_nowhere = request->operation == CONSORT_OPERATION_ARGSORT;
    w.keys[1] = w.keys[0] + (spares ? keys : 0);
    w.values = w.keys[1] + (keys_go_nowhere ? keys : 0);
    w.index = w.values + (spares ? values : 0);
    w.column = w.index + (lsd_moves_index(request) ? values : 0);
    w.total = w.column + (lsd_moves_index(request) ? carried_values_widest_column(request) : 0);
    return w;
}

static uint64_t lsd_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return request->maximum_count == 0 ? 0 : lsd_lay_out(request).total;
}

/* H200, CUDA 13.0, 2026-11: 15 µs and 12.5 µs a pass of launches (2^17 u8 27 µs, u16 38 µs, u32
 * 65 µs, u64 110 µs); then lsd_passes_cost. */
static double lsd_cost(const struct request *request)
{
    double passes = (double)request->item_bytes;
    double moved = lsd_passes_cost((uint32_t)request->item_bytes, lsd_value_bytes(request));
    return 15e3 + passes * (12.5e3 + (double)request->maximum_count * moved);
}

static consort_status lsd_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct request *request = &plan->request;
    struct lsd_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    consort_status status = lsd_passes_prepare(&state->passes, (uint32_t)request->item_bytes,
                                               lsd_value_bytes(request), device);
    return status == CONSORT_OK ? cuda_gather_prepare(&state->gather, device) : status;
}

static struct lsd_arguments lsd_arguments_of(const struct request *request, const struct run *run)
{
    const consort_arguments *arguments = run->arguments;
    struct lsd_workspace w = lsd_lay_out(request);
    char *workspace = run->workspace;
    struct lsd_arguments a = {.keys_in = arguments->in,
                              .keys_out = arguments->out,
                              .count = arguments->count,
                              .outcome = arguments->outcome};
    const struct codec *codec = &request->order.pieces[0].codec;
    a.codec = codec_constants_of(codec);
    a.passes = codec->bits / LSD_DIGIT_BITS;
    a.double_buffer = carried_values_use_both_buffers(request);
    a.keys_spare[0] = a.double_buffer ? (void *)arguments->in : workspace + w.keys[0];
    a.keys_spare[1] = workspace + w.keys[1];
    a.values_spare = workspace + w.values;
    a.in_place = arguments->in == arguments->out;
    if (request->operation == CONSORT_OPERATION_ARGSORT) {
        a.value_mode = LSD_VALUES_INDEX;
        a.values_out = arguments->indices;
    } else if (lsd_moves_index(request)) {
        a.value_mode = LSD_VALUES_INDEX;
        a.values_out = workspace + w.index;
    } else if (request->value_count == 1) {
        const consort_column *column = &arguments->values[0];
        a.values_in = column->in;
        a.values_out = column->out;
        a.in_place |= column->in == column->out;
        if (a.double_buffer)
            a.values_spare = (void *)column->in;
    }
    return a;
}

static consort_status lsd_gather_columns(const struct consort_plan *plan, const struct run *run)
{
    const struct lsd_state *state = plan->state;
    const consort_arguments *arguments = run->arguments;
    struct lsd_workspace w = lsd_lay_out(&plan->request);
    char *workspace = run->workspace;
    consort_status status = CONSORT_OK;
    for (uint32_t i = 0; i < plan->request.value_count && status == CONSORT_OK; i++) {
        status = run_wants_column(run, i);
        if (status == CONSORT_OK)
            status = cuda_gather_column(&state->gather, &arguments->values[i], workspace + w.index,
                                        lsd_value_bytes(&plan->request), arguments->count,
                                        workspace + w.column, run->stream);
        if (status == CONSORT_OK)
            status = run_column_done(run, i);
    }
    return status;
}

static consort_status lsd_run(const struct consort_plan *plan, const struct run *run)
{
    const struct lsd_state *state = plan->state;
    struct lsd_arguments a = lsd_arguments_of(&plan->request, run);
    bool moves_index = lsd_moves_index(&plan->request);
    consort_status status = CONSORT_OK;
    if (plan->request.value_count > 0 && !moves_index)
        status = run_wants_column(run, 0);
    if (status == CONSORT_OK)
        status = lsd_passes_run(&state->passes, &a, run->workspace, run->stream);
    if (status == CONSORT_OK)
        status = run_items_done(run);
    if (status == CONSORT_OK && moves_index)
        status = lsd_gather_columns(plan, run);
    return status;
}

const struct algorithm lsd_sort = {
    .name = "lsd",
    .summary = "stable radix sort, one pass a byte, after Adinets and Merrill's Onesweep",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .steps = true,
    .refuses = lsd_refuses,
    .cost = lsd_cost,
    .workspace = lsd_workspace_bytes,
    .prepare = lsd_prepare,
    .run = lsd_run,
};

const struct algorithm lsd_argsort = {
    .name = "lsd",
    .summary = "stable radix sort, one pass a byte, after Adinets and Merrill's Onesweep",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = lsd_refuses,
    .cost = lsd_cost,
    .workspace = lsd_workspace_bytes,
    .prepare = lsd_prepare,
    .run = lsd_run,
};
