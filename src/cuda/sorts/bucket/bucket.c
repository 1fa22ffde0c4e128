/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `bucket`: slices linear in the value, merged into buckets of up to M items, each
 * sorted by a bitonic network in shared memory; buckets above M are divided again (S. Chen et al.,
 * "An efficient sorting algorithm with CUDA", 2009).
 */
#include "cuda/sorts/bucket/bucket.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/sorts/bucket/bucket_layout.h"
#include "cuda/sorts/bucket/bucket_values.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/items/cuda_items.h"
#include "cuda/sorts/network/cuda_network.h"

enum {
    BUCKET_M,
    BUCKET_E,
    BUCKET_C,
    BUCKET_HINT,
    BUCKET_OFFSET,
    BUCKET_PARAMETERS
};

/* The launches for the list, in order; then those for what is left. */
enum {
    BUCKET_BEGIN,
    BUCKET_RANGE,
    BUCKET_PLAN,
    BUCKET_DISORDER,
    BUCKET_SLICES,
    BUCKET_SUMS,
    BUCKET_SCAN,
    BUCKET_MERGE,
    BUCKET_MOVE,
    BUCKET_RECURSE,
    BUCKET_SORT,
    BUCKET_LAUNCHES
};

static const consort_parameter_info bucket_parameters[BUCKET_PARAMETERS] = {
    {"bucket", "most items of a bucket (M), rounded down to a power of two", 64, BUCKET_MOST, 512},
    {"slice", "expected items of a slice (E)", 2, 4096, 80},
    {"threshold", "disorder below which a list is nearly sorted (C)", 0, 1000000000, 10},
    {"hint", "0: measure the disorder; 1: the list is disorderly; 2: it is nearly sorted", 0, 2, 1},
    {"offset", "bits of an item's place in its slice: 32, or 64 where more are asked for or needed",
     32, 64, 32},
};

static const char *const bucket_counters[] = {
    "above",       "buckets",   "levels",   "by-code", "nearly-sorted", "disorder", "range-ns",
    "disorder-ns", "slices-ns", "merge-ns", "move-ns", "recursion-ns",  "sort-ns"};

enum {
    BUCKET_COUNTERS = sizeof bucket_counters / sizeof bucket_counters[0]
};

struct bucket_state {
    struct cuda_items items;
    struct launch launches[BUCKET_LAUNCHES];
    struct launch tell;
    uint32_t blocks[BUCKET_LAUNCHES];
    struct bucket_values values;
};

/* Where everything lies behind the items' own workspace. */
struct bucket_workspace {
    uint64_t control, divisions, first_tile, first_slice_tile, slices, slice_tiles, offsets,
        extremes, queue, leaves, codes, indices, total;
    uint64_t queue_capacity;
    uint32_t batch_capacity;
};

static const char *bucket_refuses(const struct request *request)
{
    if (request->maximum_count > (uint64_t)1 << 42)
        return "bucket sorts at most 2^42 items: tiles are numbered by 32 bits";
    return cuda_items_refuses(request);
}

/* Whether places have 64 bits. A slice may have all items but one, and end where the list does. */
static bool bucket_is_wide(const struct request *request, const int64_t *parameters)
{
    return request->maximum_count > UINT32_MAX || parameters[BUCKET_OFFSET] > 32;
}

/*
 * How deep parts can lie. By value: as many levels as are allowed. By code, or by index, a level
 * takes 7.98 bits of the range at least, and one more tells the last few apart.
 */
static uint64_t bucket_most_levels(const struct request *request)
{
    uint64_t code = 8 * cuda_items_code_bytes(request) / 7 + 2;
    uint64_t bytes = cuda_items_index_bytes(request), index = bytes ? 8 * bytes / 7 + 2 : 0;
    return BUCKET_VALUE_LEVELS + code + index;
}

/*
 * Parts of one level are disjoint and have more than M items each. A part of n items has at most
 * n / (E · tile) + 2 tiles of slices. Two buckets that follow each other in a tile have more than M
 * items together: besides 2 n / M leaves there is at most one for each tile, and one beside each
 * part.
 */
static struct bucket_workspace bucket_lay_out(const struct request *request,
                                              const int64_t *parameters)
{
    uint64_t count = request->maximum_count, index_bytes = cuda_items_index_bytes(request);
    uint64_t most = (uint64_t)1 << cuda_network_log_down((uint64_t)parameters[BUCKET_M]);
    uint64_t parts = count / most + 1, levels = bucket_most_levels(request);
    uint64_t batch = parts < BUCKET_BATCH ? parts : BUCKET_BATCH;
    uint64_t wide = count / ((uint64_t)parameters[BUCKET_E] * BUCKET_SLICE_TILE);
    uint64_t slice_tiles = wide + 2 * batch;
    uint64_t tiles = count / BUCKET_TILE + batch + 1;
    uint64_t place = bucket_is_wide(request, parameters) ? 8 : 4;
    uint64_t end = cuda_items_workspace(request);
    struct bucket_workspace w = {.queue_capacity = parts + 1, .batch_capacity = (uint32_t)batch};
    w.control = launch_take(&end, sizeof(struct bucket_control));
    w.divisions = launch_take(&end, batch * sizeof(struct bucket_division));
    w.first_tile = launch_take(&end, 4 * (batch + 1));
    w.first_slice_tile = launch_take(&end, 4 * (batch + 1));
    w.slices = launch_take(&end, place * slice_tiles * BUCKET_SLICE_TILE);
    w.slice_tiles = launch_take(&end, 8 * slice_tiles);
    w.offsets = launch_take(&end, place * count);
    w.extremes = launch_take(&end, tiles * bucket_extremes_bytes(cuda_items_code_bytes(request)));
    w.queue = launch_take(&end, w.queue_capacity * sizeof(struct bucket_part));
    w.leaves =
        launch_take(&end, (2 * parts + levels * (wide + 3 * parts)) * sizeof(struct bucket_leaf));
    w.codes = launch_take(&end, count * cuda_items_code_bytes(request));
    w.indices = launch_take(&end, count * index_bytes);
    w.total = end;
    return w;
}

static uint64_t bucket_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    return request->maximum_count == 0 ? 0 : bucket_lay_out(request, parameters).total;
}

/*
 * H200, CUDA 13.0, 2026-11, uniform: u32 2^12 0.050 ms, 2^20 0.099 ms, 2^24 0.96 ms, 2^28 24.2 ms,
 * of which 17.8 ms move items to slices that no cache holds; u64 2^20 0.116 ms, 2^24 1.37 ms; u128
 * 0.176 and 2.27 ms; argsorts of u64 2^18 0.089 ms, 2^20 0.164 ms, 2^22 0.52 ms, 2^24 2.59 ms,
 * where values of 8 bytes take 0.023, 0.11 and 0.77 ms more. An eighth more is said of them: the
 * planner does not know how the keys lie, and zipf's or of low entropy take twice the time, sorted
 * ones two thirds.
 */
static double bucket_cost(const struct request *request)
{
    double count = (double)request->maximum_count, cached = count < 0x1p20 ? count : 0x1p20;
    uint32_t index_bytes = cuda_items_index_bytes(request);
    double bytes = cuda_items_code_bytes(request) + index_bytes, gathered = 0.0;
    if (index_bytes > 0 && request->operation != CONSORT_OPERATION_ARGSORT) {
        gathered = cuda_gather_cost(request->item_bytes);
        for (uint32_t i = 0; i < request->value_count; i++)
            gathered += cuda_gather_cost(request->value_bytes[i]);
    }
    return 44e3 + 1.6e3 * bytes + (index_bytes > 0 ? 8e3 : 0.0) +
           cached * (0.032 + 0.006 * bytes + gathered / 3.0) +
           (count - cached) * (0.05 + 0.0065 * bytes + gathered);
}

static bool bucket_find(struct bucket_state *state, uint32_t which, CUfunction function,
                        uint32_t threads, uint32_t shared, const struct device *device)
{
    struct launch *launch = &state->launches[which];
    *launch = (struct launch){function, threads, shared};
    uint32_t resident = function ? launch_resident(launch) : 0;
    bool one = which == BUCKET_BEGIN || which == BUCKET_PLAN || which == BUCKET_SCAN;
    state->blocks[which] = one ? 1 : resident * (uint32_t)device->processors;
    return resident > 0;
}

static bool bucket_find_all(struct bucket_state *state, const struct consort_plan *plan,
                            const struct device *device)
{
    static const char *const names[BUCKET_LAUNCHES] = {
        "bucket_begin", "bucket_range", "bucket_plan",  "bucket_disorder", "bucket_slices",
        "bucket_sums",  "bucket_scan",  "bucket_merge", "bucket_move",     "bucket_recurse"};
    const struct request *request = &plan->request;
    uint32_t most = 1u << cuda_network_log_down((uint64_t)plan->parameters[BUCKET_M]);
    uint32_t threads = most / BUCKET_SORT_EACH < 32 ? 32 : most / BUCKET_SORT_EACH;
    uint32_t index = cuda_items_index_bytes(request);
    bool wide = index == 8 && bucket_is_wide(request, plan->parameters);
    uint32_t item = bucket_item_bytes(cuda_items_code_bytes(request), index, wide);
    uint32_t shared = threads * (BUCKET_SORT_EACH + 1) * item;
    for (uint32_t i = BUCKET_BEGIN; i < BUCKET_SORT; i++) {
        bool plain = i == BUCKET_BEGIN || (i >= BUCKET_SUMS && i <= BUCKET_MERGE);
        CUfunction function = plain ? kernels_find(device, "bucket", names[i], 0)
                                    : cuda_items_kernel(request, device, "bucket", names[i], 0);
        if (!bucket_find(state, i, function, BUCKET_THREADS, 0, device))
            return false;
    }
    state->tell = (struct launch){kernels_find(device, "bucket", "bucket_tell", 0), 1, 0};
    return state->tell.function &&
           bucket_find(state, BUCKET_SORT,
                       cuda_items_kernel(request, device, "bucket",
                                         wide ? "bucket_sort_wide" : "bucket_sort", shared),
                       threads, shared, device);
}

static consort_status bucket_prepare(struct consort_plan *plan, const struct device *device)
{
    struct bucket_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    state->values = bucket_values_of(&plan->request.order);
    if (!device->cooperative)
        return status_fail(CONSORT_ERROR_NO_KERNEL, "bucket needs cooperative launches");
    if (!bucket_find_all(state, plan, device))
        return consort_last_error()->status;
    return cuda_items_prepare(&state->items, &plan->request, device);
}

static struct bucket_arguments bucket_arguments_of(const struct consort_plan *plan,
                                                   const struct run *run, const struct items *items)
{
    const struct bucket_state *state = plan->state;
    const int64_t *parameters = plan->parameters;
    struct bucket_workspace w = bucket_lay_out(&plan->request, parameters);
    char *workspace = run->workspace;
    bool indexed = cuda_items_index_bytes(&plan->request) > 0;
    struct items spare = {workspace + w.codes, indexed ? workspace + w.indices : NULL,
                          items->count};
    return (struct bucket_arguments){
        .arrays = {*items, spare},
        .control = (struct bucket_control *)(workspace + w.control),
        .divisions = (struct bucket_division *)(workspace + w.divisions),
        .first_tile = (uint32_t *)(workspace + w.first_tile),
        .first_slice_tile = (uint32_t *)(workspace + w.first_slice_tile),
        .slice_tiles = (uint64_t *)(workspace + w.slice_tiles),
        .slices = workspace + w.slices,
        .offsets = workspace + w.offsets,
        .extremes = workspace + w.extremes,
        .queue = (struct bucket_part *)(workspace + w.queue),
        .leaves = (struct bucket_leaf *)(workspace + w.leaves),
        .count = items->count,
        .wide = bucket_is_wide(&plan->request, parameters),
        .most = 1u << cuda_network_log_down((uint64_t)parameters[BUCKET_M]),
        .expected = (uint32_t)parameters[BUCKET_E],
        .hint = (uint32_t)parameters[BUCKET_HINT],
        .queue_capacity = w.queue_capacity,
        .batch_capacity = w.batch_capacity,
        .threshold = (double)parameters[BUCKET_C],
        .values = state->values};
}

static consort_status bucket_launch(const struct bucket_state *state, struct bucket_arguments *a,
                                    consort_stream stream)
{
    consort_status status = launch_clear(a->control, sizeof *a->control, stream);
    void *parameters[] = {a};
    for (uint32_t i = 0; i < BUCKET_LAUNCHES && status == CONSORT_OK; i++) {
        if (i == BUCKET_DISORDER && a->hint != BUCKET_HINT_NONE)
            continue;
        a->range_blocks = i == BUCKET_PLAN ? state->blocks[BUCKET_RANGE] : 0;
        status = i == BUCKET_RECURSE
                     ? launch_cooperative(&state->launches[i], state->blocks[i], stream, parameters)
                     : launch_kernel(&state->launches[i], state->blocks[i], stream, parameters);
    }
    return status;
}

static consort_status bucket_run(const struct consort_plan *plan, const struct run *run)
{
    const struct bucket_state *state = plan->state;
    struct items items;
    consort_status status = cuda_items_begin(&state->items, plan, run, &items);
    if (status != CONSORT_OK)
        return status;
    struct bucket_arguments a = bucket_arguments_of(plan, run, &items);
    status = bucket_launch(state, &a, run->stream);
    consort_outcome *outcome = run->arguments->outcome;
    void *counters = outcome ? outcome->counters : NULL;
    void *tell[] = {&a, &counters};
    if (status == CONSORT_OK && counters)
        status = launch_kernel(&state->tell, 1, run->stream, tell);
    return status == CONSORT_OK ? cuda_items_finish(&state->items, plan, run, &items) : status;
}

#define BUCKET_ALGORITHM(kind, words)                                                              \
    {                                                                                              \
        .name = "bucket", .summary = words, .operation = kind, .engine = CONSORT_ENGINE_CUDA,      \
        .stable = true, .parameters = bucket_parameters, .parameter_count = BUCKET_PARAMETERS,     \
        .counters = bucket_counters, .counter_count = BUCKET_COUNTERS, .refuses = bucket_refuses,  \
        .workspace = bucket_workspace_bytes, .cost = bucket_cost, .prepare = bucket_prepare,       \
        .run = bucket_run                                                                          \
    }

const struct algorithm bucket_sort =
    BUCKET_ALGORITHM(CONSORT_OPERATION_SORT,
                     "slices by value, merged into buckets, each sorted by a bitonic network");

const struct algorithm bucket_argsort =
    BUCKET_ALGORITHM(CONSORT_OPERATION_ARGSORT,
                     "slices of codes and positions by value, merged into buckets, then bitonic");
