/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of sorts by splitting: workspace, kernels and launches. */
#include "cuda/sorts/split/cuda_split.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/split/split_tuning.h"

const char *const cuda_split_counters[SPLIT_COUNTERS] = {"levels", "leaves", "fallback"};

static const struct split_shape {
    uint32_t word_bytes, tile_items, sample_items, leaf_threads, leaf_items, leaf_blocks;
} split_shapes[] = {
#define SPLIT_SHAPE(...) {__VA_ARGS__},
    SPLIT_SHAPES(SPLIT_SHAPE)
#undef SPLIT_SHAPE
};

/* Where everything lies in the workspace, behind what the items take. */
struct split_places {
    uint64_t control, codes, indices, queue, stuck, leaves, rows, counters, total;
    uint32_t queue_capacity, leaf;
};

uint32_t cuda_split_word_bytes(const struct request *request)
{
    uint32_t code = cuda_items_code_bytes(request), index = cuda_items_index_bytes(request);
    if (index == 0)
        return code < 4 ? 4 : code;
    return code == 16 ? 32 : code + index > 8 ? 16 : 8;
}

static const struct split_shape *split_shape_of(const struct request *request)
{
    const struct split_shape *shape = split_shapes;
    while (shape->word_bytes != cuda_split_word_bytes(request))
        shape++;
    return shape;
}

uint32_t cuda_split_tile_items(const struct request *request)
{
    return split_shape_of(request)->tile_items;
}

/*
 * Segments that wait are disjoint and longer than a leaf, beside the batch that is being split. A
 * split files at most 6 leaves for each leaf of items that it files, 2 for each part it does not,
 * and 2; of splits, and of such parts, there are at most count / leaf at a level.
 */
static struct split_places split_lay_out(const struct request *request,
                                         const struct split_settings *settings)
{
    const struct split_shape *shape = split_shape_of(request);
    uint64_t count = request->maximum_count, most = shape->leaf_threads * shape->leaf_items;
    struct split_places p = {.total = cuda_items_workspace(request)};
    p.leaf = (uint32_t)((uint64_t)settings->leaf < most ? (uint64_t)settings->leaf : most);
    p.control = launch_take(&p.total, sizeof(struct split_control));
    if (count <= p.leaf)
        return p;
    uint64_t segments = count / p.leaf + 1;
    uint64_t batch = segments < SPLIT_BATCH ? segments : SPLIT_BATCH;
    p.queue_capacity = (uint32_t)(segments + batch);
    p.codes = launch_take(&p.total, count * cuda_items_code_bytes(request));
    p.indices = launch_take(&p.total, count * cuda_items_index_bytes(request));
    p.queue = launch_take(&p.total, p.queue_capacity * sizeof(struct split_segment));
    p.stuck = launch_take(&p.total, segments * sizeof(struct split_segment));
    p.leaves = launch_take(&p.total, (6 + 4 * (uint64_t)settings->levels) * segments *
                                         sizeof(struct split_leaf));
    p.rows = launch_take(&p.total, batch * settings->row_words * shape->word_bytes);
    p.counters = launch_take(&p.total, batch * settings->row_counters * sizeof(uint64_t));
    return p;
}

uint64_t cuda_split_workspace(const struct request *request, const struct split_settings *settings)
{
    return split_lay_out(request, settings).total;
}

/*
 * As `sample` on an H200, CUDA 13.0, 2026-11. One leaf: u32 22 µs, u64 25 µs. u32: 2^16 60 µs, 2^20
 * 114 µs, 2^24 0.593 ms, 2^28 8.42 ms; u64: 65 µs, 144 µs, 0.963 ms, 16.7 ms; u128 74 µs, 182 µs,
 * 1.69 ms; u32 argsort 65 µs, 155 µs, 1.1 ms; pairs of u32 and u64 with 4 bytes at 2^26: 7.82 and
 * 10.8 ms, half of it the gathers, which take a third of the time where a cache holds the items.
 */
double cuda_split_cost(const struct request *request)
{
    const struct split_shape *shape = split_shape_of(request);
    uint32_t bytes = shape->word_bytes;
    double count = (double)request->maximum_count;
    double fixed = count <= shape->leaf_threads * shape->leaf_items ? 20e3 : 58e3;
    double indexed = cuda_items_index_bytes(request) > 0 ? 8e3 : 0.0;
    double each = bytes == 4 ? 0.0312 : bytes == 8 ? 0.058 : bytes == 16 ? 0.097 : 0.2;
    double gathered = 0.0, cached = count < 0x1p20 ? count : 0x1p20;
    if (cuda_items_index_bytes(request) > 0 && request->operation != CONSORT_OPERATION_ARGSORT) {
        gathered += cuda_gather_cost(request->item_bytes);
        for (uint32_t i = 0; i < request->value_count; i++)
            gathered += cuda_gather_cost(request->value_bytes[i]);
    }
    return fixed + 0.024 * cached + indexed + count * each +
           gathered * (count - cached * 2.0 / 3.0);
}

static bool split_find(struct cuda_split *split, const struct request *request,
                       const struct device *device, const char *image, uint32_t shared)
{
    const struct split_shape *shape = split_shape_of(request);
    char levels[32];
    snprintf(levels, sizeof levels, "%s_levels", image);
    uint32_t leaf = split_leaf_bytes(shape->word_bytes, shape->leaf_threads, shape->leaf_items);
    split->levels = (struct launch){cuda_items_kernel(request, device, image, levels, shared),
                                    SPLIT_THREADS, shared};
    split->leaves =
        (struct launch){cuda_items_kernel(request, device, "split", "split_leaves", leaf),
                        shape->leaf_threads, leaf};
    split->tell = (struct launch){kernels_find(device, "split", "split_tell", 0), 1, 0};
    if (!split->levels.function || !split->leaves.function || !split->tell.function)
        return false;
    split->level_blocks = launch_resident(&split->levels) * (uint32_t)device->processors;
    split->leaf_blocks = launch_resident(&split->leaves) * (uint32_t)device->processors;
    return split->level_blocks > 0 && split->leaf_blocks > 0;
}

consort_status cuda_split_prepare(struct consort_plan *plan, const struct device *device,
                                  const char *image, uint32_t shared)
{
    struct cuda_split *split = calloc(1, sizeof *split);
    if (!split)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = split;
    if (!device->cooperative)
        return status_fail(CONSORT_ERROR_NO_KERNEL, "%s needs cooperative launches", image);
    return split_find(split, &plan->request, device, image, shared)
               ? cuda_items_prepare(&split->items, &plan->request, device)
               : consort_last_error()->status;
}

static struct split_arguments split_arguments_of(const struct request *request,
                                                 const struct split_settings *settings,
                                                 const struct items *items, char *workspace)
{
    struct split_places p = split_lay_out(request, settings);
    bool indexed = items->indices != NULL;
    return (struct split_arguments){
        .codes = {items->codes, workspace + p.codes},
        .indices = {items->indices, indexed ? workspace + p.indices : NULL},
        .control = (struct split_control *)(workspace + p.control),
        .queue = (struct split_segment *)(workspace + p.queue),
        .stuck = (struct split_segment *)(workspace + p.stuck),
        .leaves = (struct split_leaf *)(workspace + p.leaves),
        .rows = workspace + p.rows,
        .counters = (uint64_t *)(workspace + p.counters),
        .count = items->count,
        .queue_capacity = p.queue_capacity,
        .leaf = p.leaf,
        .levels = settings->levels,
        .log_ways = settings->log_ways,
        .oversampling = settings->oversampling,
    };
}

static consort_status split_tell(const struct cuda_split *split, const struct run *run,
                                 struct split_arguments *a)
{
    consort_outcome *outcome = run->arguments->outcome;
    void *counters = outcome ? outcome->counters : NULL;
    void *parameters[] = {&a->control, &counters};
    return counters ? launch_kernel(&split->tell, 1, run->stream, parameters) : CONSORT_OK;
}

/* More blocks than tiles only wait for each other. */
static consort_status split_launch(const struct cuda_split *split, const struct request *request,
                                   const struct run *run, struct split_arguments *a)
{
    uint32_t tile = SPLIT_THREADS * cuda_split_tile_items(request);
    uint64_t tiles = a->count / tile + 1, leaves = a->count / a->leaf * 2 + 1;
    bool splits = a->count > a->leaf;
    void *parameters[] = {a};
    consort_status status = launch_clear(a->control, sizeof *a->control, run->stream);
    if (status == CONSORT_OK && splits)
        status = launch_cooperative(&split->levels,
                                    tiles < split->level_blocks ? tiles : split->level_blocks,
                                    run->stream, parameters);
    if (status == CONSORT_OK)
        status = launch_kernel(&split->leaves,
                               !splits                       ? 1
                               : leaves < split->leaf_blocks ? leaves
                                                             : split->leaf_blocks,
                               run->stream, parameters);
    return status == CONSORT_OK ? split_tell(split, run, a) : status;
}

consort_status cuda_split_run(const struct consort_plan *plan, const struct run *run,
                              const struct split_settings *settings)
{
    const struct cuda_split *split = plan->state;
    struct items items;
    consort_status status = cuda_items_begin(&split->items, plan, run, &items);
    if (status != CONSORT_OK)
        return status;
    struct split_arguments a = split_arguments_of(&plan->request, settings, &items, run->workspace);
    status = split_launch(split, &plan->request, run, &a);
    return status == CONSORT_OK ? cuda_items_finish(&split->items, plan, run, &items) : status;
}
