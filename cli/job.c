/* SPDX-License-Identifier: Apache-2.0 */
/* What the library is asked to do with a dataset, within the memory there is. */
#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "ordered.h"
#include "progress.h"
#include "transpose.h"

/* What a run needs: made once, used for each line of the shape. */
struct job {
    consort_options options;
    consort_descriptor descriptor;
    consort_plan *plan;
    struct region workspace;
};

static void job_release(struct job *job, const struct settings *settings)
{
    consort_plan_destroy(job->plan);
    region_release(&job->workspace);
    if (settings->threads > 0)
        consort_context_destroy(job->options.context);
}

static bool job_plan(struct job *job, const struct dataset *dataset, struct problem *problem)
{
    consort_status status = consort_plan_create(&job->descriptor, &job->plan);
    if (status == CONSORT_ERROR_WORKSPACE)
        return problem_set(problem,
                           "%.200s: too little memory: %.300s, which is what --memory or the "
                           "machine leaves beside the data",
                           dataset->path, consort_last_error()->message);
    if (status != CONSORT_OK)
        return problem_library(problem);
    return region_allocate(&job->workspace, consort_plan_workspace(job->plan),
                           "the workspace of the sort", problem);
}

bool job_is_for_cpu(const struct dataset *dataset, const struct settings *settings, uint64_t count)
{
    struct problem unasked;
    consort_options options;
    consort_descriptor descriptor;
    consort_plan_info info;
    consort_plan *plan = NULL;
    if (settings->engine != CONSORT_ENGINE_AUTO)
        return settings->engine == CONSORT_ENGINE_CPU;
    consort_descriptor_init(&descriptor);
    consort_plan_info_init(&info);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.maximum_count = count;
    if (!settings_make_options(settings, &options, &unasked))
        return false;
    layout_describe(&dataset->layout, &descriptor, &options);
    bool cpu = consort_plan_create(&descriptor, &plan) == CONSORT_OK &&
               consort_plan_get_info(plan, &info) == CONSORT_OK &&
               info.engine == CONSORT_ENGINE_CPU;
    consort_plan_destroy(plan);
    consort_context_destroy(options.context);
    return cpu;
}

bool job_check_device(const struct settings *settings, struct problem *problem)
{
    consort_options options;
    consort_descriptor descriptor;
    consort_plan *plan;
    consort_options_init(&options);
    options.engine = settings->engine;
    options.device = settings->device;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = 1;
    descriptor.options = &options;
    if (settings->engine != CONSORT_ENGINE_CUDA)
        return true;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        return problem_set(problem, "--device: %.300s; --device cpu or auto sorts without one",
                           consort_last_error()->message);
    consort_plan_destroy(plan);
    return true;
}

static bool job_prepare(struct job *job, struct dataset *dataset, const struct settings *settings,
                        int32_t operation, uint64_t count, struct problem *problem)
{
    *job = (struct job){.plan = NULL};
    if (!settings_make_options(settings, &job->options, problem))
        return false;
    job->options.workspace_limit = dataset_memory_left(dataset, settings);
    consort_descriptor_init(&job->descriptor);
    job->descriptor.operation = operation;
    job->descriptor.maximum_count = count;
    layout_describe(&dataset->layout, &job->descriptor, &job->options);
    return true;
}

static bool job_run(struct job *job, consort_arguments *arguments, struct problem *problem)
{
    arguments->progress = progress_of_sort;
    arguments->cancel = interrupt_flag();
    consort_status status =
        consort_plan_run(job->plan, arguments, job->workspace.bytes, job->workspace.size, NULL);
    return status == CONSORT_OK || problem_library(problem);
}

/* One line of items that are not moved. False: there is no memory for that; nothing has changed. */
static bool job_order_begin(struct job *job, struct dataset *dataset,
                            const struct settings *settings)
{
    struct problem unasked;
    if (!ordered_suits(dataset, settings) || !job_is_for_cpu(dataset, settings, dataset->length) ||
        !ordered_begin(dataset, &unasked))
        return false;
    if (job_prepare(job, dataset, settings, CONSORT_OPERATION_ARGSORT, dataset->length, &unasked)) {
        job->options.engine = CONSORT_ENGINE_CPU;
        job->descriptor.index_type = dataset->order_bytes == 4 ? CONSORT_U32 : CONSORT_U64;
        if (job_plan(job, dataset, &unasked))
            return true;
    }
    job_release(job, settings);
    region_release(&dataset->order);
    dataset->order_bytes = 0;
    return false;
}

static bool job_order_line(struct job *job, struct dataset *dataset,
                           const struct settings *settings, struct problem *problem)
{
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = dataset->length;
    arguments.in = dataset->items;
    arguments.indices = dataset->order.bytes;
    bool good = job_run(job, &arguments, problem);
    job_release(job, settings);
    return good;
}

/* One line: a plain sort, with the text lines' starts as values. */
static bool job_sort_line(struct dataset *dataset, const struct settings *settings,
                          struct problem *problem)
{
    static const uint64_t line_bytes = sizeof(uint64_t);
    struct job job;
    consort_arguments arguments;
    consort_column column = {dataset->lines.bytes, dataset->lines.bytes, NULL, line_bytes};
    bool good =
        job_prepare(&job, dataset, settings, CONSORT_OPERATION_SORT, dataset->length, problem);
    if (dataset->format == FORMAT_TEXT) {
        job.descriptor.value_bytes = &line_bytes;
        job.descriptor.value_count = 1;
    }
    consort_arguments_init(&arguments);
    arguments.count = dataset->length;
    arguments.in = arguments.out = dataset->items;
    arguments.values = dataset->format == FORMAT_TEXT ? &column : NULL;
    good = good && job_plan(&job, dataset, problem) && job_run(&job, &arguments, problem);
    job_release(&job, settings);
    return good;
}

/* Many lines, one after another: segments of equal length. */
static bool job_sort_segments(struct dataset *dataset, const struct settings *settings,
                              struct problem *problem)
{
    struct job job;
    struct region offsets;
    consort_arguments arguments;
    uint64_t lines = dataset->outer * dataset->inner;
    if (!region_allocate(&offsets, (lines + 1) * sizeof(uint64_t), "the list of rows", problem))
        return false;
    for (uint64_t i = 0; i <= lines; i++)
        ((uint64_t *)(void *)offsets.bytes)[i] = i * dataset->length;
    bool good = job_prepare(&job, dataset, settings, CONSORT_OPERATION_SEGMENTED_SORT,
                            dataset->count, problem);
    job.descriptor.offset_type = CONSORT_U64;
    job.descriptor.maximum_segments = lines;
    consort_arguments_init(&arguments);
    arguments.count = dataset->count;
    arguments.in = arguments.out = dataset->items;
    arguments.offsets = offsets.bytes;
    arguments.segment_count = lines;
    good = good && job_plan(&job, dataset, problem) && job_run(&job, &arguments, problem);
    job_release(&job, settings);
    region_release(&offsets);
    return good;
}

static bool job_sort_shape(struct dataset *dataset, const struct settings *settings,
                           struct problem *problem)
{
    struct job job;
    if (dataset->count != dataset->length)
        return job_sort_segments(dataset, settings, problem);
    if (job_order_begin(&job, dataset, settings))
        return job_order_line(&job, dataset, settings, problem);
    return job_sort_line(dataset, settings, problem);
}

/* Columns are sorted as rows of the transposed array. */
static bool job_transpose(struct dataset *dataset, const struct settings *settings, bool back,
                          struct problem *problem)
{
    if (dataset->inner <= 1)
        return true;
    return dataset_check_memory(dataset, settings, dataset->count * dataset->layout.item_bytes,
                                "sorting along this axis", problem) &&
           transpose_dataset(dataset, back, problem);
}

bool job_sort(struct dataset *dataset, const struct settings *settings, struct problem *problem)
{
    /* NumPy has strings of 0 bytes. */
    if (dataset->layout.item_bytes == 0)
        return true;
    progress_begin("sorting", 0, false);
    bool good = job_transpose(dataset, settings, false, problem) &&
                job_sort_shape(dataset, settings, problem) &&
                job_transpose(dataset, settings, true, problem);
    progress_end();
    return good;
}

bool job_check(struct dataset *dataset, const struct settings *settings, uint64_t *line,
               uint64_t *place, struct problem *problem)
{
    struct job job;
    consort_arguments arguments;
    consort_outcome outcome = {.position = 0};
    uint64_t lines = dataset->length ? dataset->count / dataset->length : 0;
    *place = dataset->length;
    if (dataset->layout.item_bytes == 0)
        return true;
    progress_begin("checking", 0, false);
    bool good =
        transpose_dataset(dataset, false, problem) &&
        job_prepare(&job, dataset, settings, CONSORT_OPERATION_IS_SORTED, dataset->length, problem);
    if (!good)
        return false;
    good = job_plan(&job, dataset, problem);
    consort_arguments_init(&arguments);
    arguments.count = dataset->length;
    arguments.outcome = &outcome;
    for (*line = 0; good && *line < lines && *place == dataset->length;) {
        arguments.in = dataset->items + *line * dataset->length * dataset->layout.item_bytes;
        good = job_run(&job, &arguments, problem);
        *place = outcome.position;
        *line += *place == dataset->length;
    }
    job_release(&job, settings);
    progress_end();
    return good;
}
