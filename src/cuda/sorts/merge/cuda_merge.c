/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `merge`: tiles are sorted, then runs are merged by two or four until one is left.
 * Launches go back and forth between `out` and a spare array, counted so that the last one writes
 * `out`.
 */
#include "cuda/sorts/merge/cuda_merge.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/carried_values.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/merge/merge_rounds.h"
#include "cuda/sorts/merge/merge_tuning.h"

enum merge_parameter {
    MERGE_FOUR_FROM,
    MERGE_PARAMETERS
};

static const consort_parameter_info merge_parameters[MERGE_PARAMETERS] = {
    {"four_from", "bytes of keys and values from which on runs are merged by four, not by two", 1,
     INT64_MAX, MERGE_LONG_BYTES}};

struct merge_state {
    struct merge_rounds rounds;
    uint64_t four_from;
    struct launch gather;
};

/* Where everything lies in the workspace, counted in bytes from its start. */
struct merge_workspace {
    uint64_t keys[2], values, index, column, total;
};

/* Where the launches write, counted back from the last: [0] = out, [1] = spare, … */
struct merge_buffers {
    void *keys[2], *values[2];
};

static const char *cuda_merge_refuses(const struct request *request)
{
    if (!merge_rounds_exist(request))
        return "the GPU's merge sorts numbers";
    if (carried_values_are_indices(request) && carried_values_use_both_buffers(request))
        return "with a double buffer the GPU's merge moves one column of 4, 8 or 16 bytes";
    return NULL;
}

/* A tile sorted in place would write over what places have still to read. */
static bool cuda_merge_steps_aside(const struct request *request)
{
    return request->operation == CONSORT_OPERATION_SORT && merge_rounds_placed(request) &&
           !request_is_apart(request);
}

static struct merge_workspace cuda_merge_lay_out(const struct request *request)
{
    uint64_t count = request->maximum_count;
    uint64_t keys = launch_aligned(count * request->item_bytes);
    uint64_t values = launch_aligned(count * carried_values_bytes(request));
    struct merge_workspace w;
    bool alone = count <= merge_rounds_tile_keys(request);
    bool spares =
        !carried_values_use_both_buffers(request) && (!alone || cuda_merge_steps_aside(request));
    bool keys_go_nowhere = request->operation == CONSORT_OPERATION_ARGSORT && !alone;
    w.keys[0] = alone ? 0 : launch_aligned(MERGE_CUT_BYTES);
    w.keys[1] = w.keys[0] + (spares ? keys : 0);
    w.values = w.keys[1] + (keys_go_nowhere ? keys : 0);
    w.index = w.values + (spares ? values : 0);
    w.column = w.index + (carried_values_are_indices(request) ? values : 0);
    w.total = w.column +
              (carried_values_are_indices(request) ? carried_values_widest_column(request) : 0);
    return w;
}

static uint64_t cuda_merge_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return request->maximum_count == 0 ? 0 : cuda_merge_lay_out(request).total;
}

/* A tile of 17 keys a thread that have places takes as long as it has keys: replayed, u8 + 4 bytes
 * 2^6 and 2^10 18 µs, 2^12 22, by two rounds more 2^14 34 (u32 + 4 and + 16 33 to 34); launched,
 * which is never shorter, 2^10 20. One of 9, replayed: u64 + 4 bytes, with three rounds, 30; u128 +
 * 16 20. */
static double cuda_merge_tile_cost(const struct request *request)
{
    const uint64_t tile = merge_rounds_tile_keys(request), count = request->maximum_count;
    if (!merge_rounds_placed(request))
        return 18e3;
    if (!request->replay)
        return request->item_bytes <= 4 && count > tile ? 23e3 : 18e3;
    if (request->item_bytes >= 8)
        return request->item_bytes == 8 ? 15e3 : 19.5e3;
    return 17.1e3 + 0.95 * (double)(count < tile ? count : tile);
}

/* H200, CUDA 13.0, 2026-11: a tile alone takes 18 µs, a round at least 5 µs (2^16 u32 0.034 ms in
 * three rounds), by four at least 20. A round moves 1790 (u32) to 2040 (u64 + 8) bytes of items a
 * nanosecond at 2^28, by four two thirds of that, and sorting tiles takes as long as three to four
 * rounds. Keys that follow their places are read twice.
 */
static double cuda_merge_cost(const struct request *request)
{
    uint64_t count = request->maximum_count, run = merge_rounds_tile_keys(request);
    uint64_t four_from = merge_rounds_four_from(request, MERGE_LONG_BYTES);
    double bytes = (double)(request->item_bytes + carried_values_bytes(request));
    double launches = cuda_merge_tile_cost(request), rounds = 3.5;
    if (request->order.pieces[0].codec.equal_floats)
        bytes += (double)request->item_bytes;
    while (run < count) {
        uint32_t ways = merge_rounds_ways(four_from, run, count);
        launches += ways == MERGE_FOUR ? 20e3 : 5e3;
        rounds += ways == MERGE_FOUR ? 1.45 : 1;
        run *= ways;
    }
    return launches + rounds * (double)count * bytes / 1850.0;
}

static consort_status cuda_merge_prepare(struct consort_plan *plan, const struct device *device)
{
    struct merge_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    state->four_from =
        merge_rounds_four_from(&plan->request, (uint64_t)plan->parameters[MERGE_FOUR_FROM]);
    consort_status status = merge_rounds_prepare(&state->rounds, &plan->request, device);
    return status == CONSORT_OK ? cuda_gather_prepare(&state->gather, device) : status;
}

static struct merge_buffers cuda_merge_buffers(const struct request *request, const struct run *run)
{
    const consort_arguments *arguments = run->arguments;
    const consort_column *column = arguments->values;
    struct merge_workspace w = cuda_merge_lay_out(request);
    void *workspace = run->workspace;
    bool both = carried_values_use_both_buffers(request);
    struct merge_buffers buffers = {
        .keys = {arguments->out, both ? (void *)arguments->in : launch_place(workspace, w.keys[0])},
        .values = {NULL, launch_place(workspace, w.values)}};
    if (request->operation == CONSORT_OPERATION_ARGSORT) {
        buffers.keys[0] = launch_place(workspace, w.keys[1]);
        buffers.values[0] = arguments->indices;
    } else if (carried_values_are_indices(request)) {
        buffers.values[0] = launch_place(workspace, w.index);
    } else if (request->value_count == 1) {
        buffers.values[0] = column->out;
        if (both)
            buffers.values[1] = (void *)column->in;
    }
    return buffers;
}

static consort_status cuda_merge_copy(void *to, const void *from, uint64_t bytes,
                                      consort_stream stream)
{
    const struct driver *driver = driver_get();
    CUresult result = driver->cuMemcpyDtoDAsync((CUdeviceptr)(uintptr_t)to,
                                                (CUdeviceptr)(uintptr_t)from, bytes, stream);
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(driver, result, "cuMemcpyDtoDAsync");
}

/* What follows places would be read after it was written over, if tiles were sorted in place: then
 * it is read from a copy. Keys that are not placed are read before. */
static consort_status cuda_merge_step_aside(struct merge_arguments *a,
                                            const struct merge_buffers *buffers, uint64_t key_bytes,
                                            consort_stream stream)
{
    consort_status status = CONSORT_OK;
    if (a->equal_floats && a->keys[0] == a->keys_out) {
        status = cuda_merge_copy(buffers->keys[1], a->keys[0], a->count * key_bytes, stream);
        a->keys[0] = a->keys[1] = buffers->keys[1];
    }
    if (status == CONSORT_OK && a->value_bytes > 0 && a->value_mode == MERGE_VALUES_MOVED &&
        a->values[0] == a->values_out) {
        status =
            cuda_merge_copy(buffers->values[1], a->values[0], a->count * a->value_bytes, stream);
        a->values[0] = a->values[1] = buffers->values[1];
    }
    return status;
}

static struct merge_arguments cuda_merge_arguments(const struct request *request,
                                                   const struct run *run)
{
    const consort_arguments *arguments = run->arguments;
    struct merge_arguments a = merge_rounds_arguments(request, arguments->count);
    bool carried = request->value_count == 1 && !carried_values_are_indices(request);
    a.last_cuts = run->workspace;
    a.outcome = arguments->outcome;
    a.keys[0] = a.keys[1] = arguments->in;
    a.value_mode = carried ? MERGE_VALUES_MOVED : MERGE_VALUES_INDEX;
    if (carried)
        a.values[0] = a.values[1] = arguments->values[0].in;
    a.encode = 1;
    return a;
}

/* Turns are counted back to 0, the last launch. With two buffers, whose spare is the input, the
 * first one must write `out`: the result may be in the other. */
static consort_status cuda_merge_launch(const struct consort_plan *plan, const struct run *run)
{
    const struct merge_state *state = plan->state;
    const struct request *request = &plan->request;
    struct merge_buffers buffers = cuda_merge_buffers(request, run);
    struct merge_arguments a = cuda_merge_arguments(request, run);
    uint32_t rounds = merge_rounds_needed(state->four_from, state->rounds.tile_keys, a.count);
    uint32_t shift = carried_values_use_both_buffers(request) ? rounds % 2 : 0;
    bool keys_go_nowhere = request->operation == CONSORT_OPERATION_ARGSORT;
    uint32_t ways = 0;
    consort_status status = CONSORT_OK;
    a.buffer = shift ? 0 : 1;
    for (uint32_t step = 0; step <= rounds && status == CONSORT_OK; step++) {
        uint32_t turn = rounds - step + shift;
        bool last = step == rounds;
        a.decode = last;
        a.keys_out = last && keys_go_nowhere ? NULL : buffers.keys[turn % 2];
        a.values_out = buffers.values[turn % 2];
        if (step == 0) {
            status = cuda_merge_step_aside(&a, &buffers, request->item_bytes, run->stream);
            if (status == CONSORT_OK)
                status = merge_rounds_sort_tiles(&state->rounds, &a, run->stream);
        } else {
            ways = merge_rounds_ways(state->four_from, a.run_tiles * state->rounds.round_keys,
                                     a.count);
            status = merge_rounds_merge(&state->rounds, &a, ways, run->stream);
        }
        a.run_tiles =
            step == 0 ? state->rounds.tile_keys / state->rounds.round_keys : ways * a.run_tiles;
        a.keys[0] = a.keys[1] = a.keys_out;
        a.values[0] = a.values[1] = a.values_out;
        a.value_mode = MERGE_VALUES_MOVED;
        a.encode = 0;
    }
    return status;
}

static consort_status cuda_merge_gather(const struct consort_plan *plan, const struct run *run)
{
    const struct merge_state *state = plan->state;
    const struct request *request = &plan->request;
    struct merge_workspace w = cuda_merge_lay_out(request);
    char *workspace = run->workspace;
    consort_status status = CONSORT_OK;
    for (uint32_t i = 0; i < request->value_count && status == CONSORT_OK; i++) {
        status = run_wants_column(run, i);
        if (status == CONSORT_OK)
            status = cuda_gather_column(&state->gather, &run->arguments->values[i],
                                        workspace + w.index, carried_values_bytes(request),
                                        run->arguments->count, workspace + w.column, run->stream);
        if (status == CONSORT_OK)
            status = run_column_done(run, i);
    }
    return status;
}

static consort_status cuda_merge_run(const struct consort_plan *plan, const struct run *run)
{
    bool indices = carried_values_are_indices(&plan->request);
    consort_status status = CONSORT_OK;
    if (plan->request.value_count > 0 && !indices)
        status = run_wants_column(run, 0);
    if (status == CONSORT_OK)
        status = cuda_merge_launch(plan, run);
    if (status == CONSORT_OK)
        status = run_items_done(run);
    if (status == CONSORT_OK && indices)
        status = cuda_merge_gather(plan, run);
    return status;
}

const struct algorithm cuda_merge_sort = {
    .name = "merge",
    .summary = "stable merge sort: tiles in shared memory, then rounds of merge path (Green, "
               "McColl, Bader 2012)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = cuda_merge_refuses,
    .parameters = merge_parameters,
    .parameter_count = MERGE_PARAMETERS,
    .workspace = cuda_merge_workspace,
    .cost = cuda_merge_cost,
    .prepare = cuda_merge_prepare,
    .run = cuda_merge_run,
};

const struct algorithm cuda_merge_argsort = {
    .name = "merge",
    .summary = "stable merge sort: tiles in shared memory, then rounds of merge path (Green, "
               "McColl, Bader 2012)",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .refuses = cuda_merge_refuses,
    .parameters = merge_parameters,
    .parameter_count = MERGE_PARAMETERS,
    .workspace = cuda_merge_workspace,
    .cost = cuda_merge_cost,
    .prepare = cuda_merge_prepare,
    .run = cuda_merge_run,
};
