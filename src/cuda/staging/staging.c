/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host arrays on a GPU: one block of device memory holds the arrays and the workspace; outputs are
 * written there and copied back at the end, so that a failure leaves the host's input whole. Copies
 * overlap with the sort where the algorithm tells how far it is.
 */
#include "cuda/staging/staging.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/cuda_engine.h"
#include "cuda/staging/staging_arrays.h"
#include "cuda/staging/staging_copy.h"
#include "cuda/staging/staging_pageable.h"
#include "cuda/staging/staging_store.h"

enum {
    STAGING_ALIGNMENT = 256
};

struct staging {
    const struct driver *driver;
    const struct device *device;
    const struct consort_plan *plan;
    const struct run *run;
    struct staging_arrays arrays;
    struct staging_store *store;
    struct staging_lane *lane;
    struct staging_copier copier;
    CUdeviceptr memory;
    uint64_t bytes;
    uint64_t workspace, outcome; /* offsets in the memory */
};

static uint64_t staging_place(struct staging *s, uint64_t bytes)
{
    uint64_t at = s->bytes;
    s->bytes += (bytes + STAGING_ALIGNMENT - 1) / STAGING_ALIGNMENT * STAGING_ALIGNMENT;
    return at;
}

static consort_status staging_check(const struct staging *s, CUresult result, const char *call)
{
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(s->driver, result, call);
}

static void *staging_at(const struct staging *s, uint64_t offset)
{
    return (void *)(uintptr_t)(s->memory + offset);
}

/* Work that the caller has queued may still write an array in device memory. */
static consort_status staging_await_caller(const struct staging *s)
{
    if (!staging_arrays_on_device(&s->arrays))
        return CONSORT_OK;
    return staging_check(s, s->driver->cuStreamSynchronize(s->run->stream),
                         "waiting for the caller's stream");
}

static bool staging_is_pageable(const struct staging_copier *copier, enum pointer_kind kind)
{
    return copier->lane->slot_count > 0 && (kind == POINTER_PAGEABLE || kind == POINTER_MANAGED);
}

static consort_status staging_borrow(struct staging *s)
{
    const struct request *request = &s->plan->request;
    uint64_t total = 0, pageable = 0;
    for (uint32_t i = 0; i < s->arrays.count; i++) {
        const struct staging_array *array = &s->arrays.items[i];
        uint64_t up = array->from && !array->from_here ? array->bytes : 0;
        uint64_t down = array->to && !array->to_here ? array->bytes : 0;
        total += up + down;
        bool carried = array->from_kind != POINTER_PINNED || array->to_kind != POINTER_PINNED;
        pageable = carried && array->bytes > pageable ? array->bytes : pageable;
    }
    s->lane = staging_store_borrow(s->store, staging_pageable_slots(pageable, request->threads));
    if (!s->lane)
        return consort_last_error()->status;
    s->copier = (struct staging_copier){.device = s->device,
                                        .lane = s->lane,
                                        .pool = request->context->pool,
                                        .threads = request->threads,
                                        .checkpoint = s->run->checkpoint,
                                        .input_whole = s->run->input_whole,
                                        .total = total};
    s->copier.waiting = calloc((uint64_t)s->arrays.count + 1, sizeof *s->copier.waiting);
    return s->copier.waiting ? CONSORT_OK : status_fail(CONSORT_ERROR_MEMORY, "out of memory");
}

static consort_status staging_allocate(struct staging *s)
{
    const struct algorithm *algorithm = s->plan->algorithm;
    for (uint32_t i = 0; i < s->arrays.count; i++)
        if (s->arrays.items[i].owns)
            s->arrays.items[i].offset = staging_place(s, s->arrays.items[i].bytes);
    s->outcome = staging_place(s, sizeof(consort_outcome));
    uint64_t workspace =
        algorithm->workspace ? algorithm->workspace(&s->plan->request, s->plan->parameters) : 0;
    s->workspace = staging_place(s, workspace);
    consort_status status = staging_store_allocate(s->store, s->lane, s->bytes, &s->memory);
    if (status != CONSORT_OK)
        return status;
    staging_arrays_place(&s->arrays, staging_at(s, 0));
    CUstream up = s->lane->bus[STAGING_UP];
    return staging_check(s, staging_lane_order(s->lane, s->lane->sort, up), "cuStreamWaitEvent");
}

/* What the sort stream holds from now on finds `bytes` bytes of an array at `place`. */
static consort_status staging_bring_part(struct staging *s, const struct staging_array *array,
                                         uint64_t first, uint64_t bytes, void *place)
{
    consort_status status = staging_copy_bring(
        &s->copier,
        (struct staging_move){.direction = STAGING_UP,
                              .caller = (char *)array->from + first,
                              .device = place,
                              .bytes = bytes,
                              .pageable = staging_is_pageable(&s->copier, array->from_kind)});
    if (status != CONSORT_OK)
        return status;
    CUresult result = staging_lane_order(s->lane, s->lane->bus[STAGING_UP], s->lane->sort);
    return staging_check(s, result, "cuStreamWaitEvent");
}

static consort_status staging_bring(struct staging *s, struct staging_array *array)
{
    if (array->brought || !array->from || array->from_here)
        return CONSORT_OK;
    array->brought = true;
    return staging_bring_part(s, array, 0, array->bytes, array->source);
}

static consort_status staging_take(struct staging *s, struct staging_array *array)
{
    if (array->taken || !array->to || array->to_here)
        return CONSORT_OK;
    array->taken = true;
    return staging_copy_take(
        &s->copier,
        (struct staging_move){.direction = STAGING_DOWN,
                              .caller = array->to,
                              .device = array->target,
                              .bytes = array->bytes,
                              .pageable = staging_is_pageable(&s->copier, array->to_kind),
                              .over_input = array->from == array->to});
}

/* Of the arrays in a role, those of one column, or all. */
static consort_status staging_each(struct staging *s, enum staging_role role, uint32_t column,
                                   consort_status (*act)(struct staging *, struct staging_array *))
{
    consort_status status = CONSORT_OK;
    for (uint32_t i = 0; i < s->arrays.count && status == CONSORT_OK; i++) {
        struct staging_array *array = &s->arrays.items[i];
        if (array->role == role && array->column == column)
            status = act(s, array);
    }
    return status;
}

/* A part of the items, which are the first array of every list. */
static consort_status staging_items_wanted(void *context, uint64_t first, uint64_t count,
                                           void *place)
{
    struct staging *s = context;
    uint64_t item = s->plan->request.item_bytes;
    return staging_bring_part(s, &s->arrays.items[0], first * item, count * item, place);
}

static consort_status staging_column_wanted(void *context, uint32_t column)
{
    return staging_each(context, STAGING_COLUMN, column, staging_bring);
}

static consort_status staging_items_done(void *context)
{
    return staging_each(context, STAGING_ITEMS, 0, staging_take);
}

static consort_status staging_column_done(void *context, uint32_t column)
{
    return staging_each(context, STAGING_COLUMN, column, staging_take);
}

static bool staging_is_asked_for(const struct algorithm *algorithm, enum staging_role role)
{
    return (algorithm->steps && role == STAGING_COLUMN) ||
           (algorithm->arrives && role == STAGING_ITEMS);
}

/* What the algorithm does not ask for while it runs comes first. */
static consort_status staging_upload(struct staging *s)
{
    consort_status status =
        staging_check(s,
                      s->driver->cuMemcpyHtoDAsync(s->memory + s->outcome, s->run->outcome,
                                                   sizeof(consort_outcome), s->lane->sort),
                      "copying to the GPU");
    for (uint32_t i = 0; i < s->arrays.count && status == CONSORT_OK; i++)
        if (!staging_is_asked_for(s->plan->algorithm, s->arrays.items[i].role))
            status = staging_bring(s, &s->arrays.items[i]);
    return status;
}

static consort_status staging_sort(struct staging *s)
{
    const struct run_steps steps = {.here = s->arrays.items[0].from_here,
                                    .items_wanted = staging_items_wanted,
                                    .column_wanted = staging_column_wanted,
                                    .items_done = staging_items_done,
                                    .column_done = staging_column_done,
                                    .context = s};
    consort_arguments arguments =
        staging_arrays_arguments(&s->arrays, &s->plan->request, s->run->arguments);
    arguments.outcome = staging_at(s, s->outcome);
    struct run device_run = *s->run;
    device_run.arguments = &arguments;
    device_run.workspace = staging_at(s, s->workspace);
    device_run.outcome = arguments.outcome;
    device_run.stream = s->lane->sort;
    device_run.steps = &steps;
    if (staging_arrays_overwrite(&s->arrays))
        *s->run->input_whole = false;
    return s->plan->algorithm->run(s->plan, &device_run);
}

static consort_status staging_download(struct staging *s)
{
    consort_status status = CONSORT_OK;
    for (uint32_t i = 0; i < s->arrays.count && status == CONSORT_OK; i++)
        status = staging_take(s, &s->arrays.items[i]);
    return status == CONSORT_OK ? staging_copy_finish(&s->copier) : status;
}

/* What the device says beside the arrays: a disorder, counters. Nothing is left to do after it. */
static consort_status staging_read_outcome(struct staging *s)
{
    consort_outcome *outcome = s->run->outcome;
    CUresult result = s->driver->cuMemcpyDtoHAsync(outcome, s->memory + s->outcome, sizeof *outcome,
                                                   s->lane->sort);
    if (result == CUDA_SUCCESS)
        result = s->driver->cuStreamSynchronize(s->lane->sort);
    if (result == CUDA_SUCCESS && outcome->status != CONSORT_OK)
        return status_fail(outcome->status, "the GPU reports: %s",
                           consort_status_string(outcome->status));
    return staging_check(s, result, "sorting on the GPU");
}

static consort_status staging_steps(struct staging *s)
{
    const struct request *request = &s->plan->request;
    consort_status status = staging_arrays_list(&s->arrays, request, s->run->arguments);
    if (status == CONSORT_OK)
        status = staging_arrays_locate(&s->arrays, s->device->ordinal);
    if (status == CONSORT_OK)
        status = staging_await_caller(s);
    if (status == CONSORT_OK)
        status = staging_borrow(s);
    if (status == CONSORT_OK)
        status = staging_allocate(s);
    if (status == CONSORT_OK)
        status = staging_upload(s);
    if (status == CONSORT_OK)
        status = staging_sort(s);
    if (status == CONSORT_OK)
        status = staging_download(s);
    return status == CONSORT_OK ? staging_read_outcome(s) : status;
}

consort_status staging_run(const struct consort_plan *plan, const struct device *device,
                           const struct run *run)
{
    struct staging s = {.driver = driver_get(), .device = device, .plan = plan, .run = run};
    if (run->arguments->count + run->arguments->count_b == 0)
        return CONSORT_OK;
    consort_status status = cuda_engine_check_stream(run->stream);
    if (status != CONSORT_OK)
        return status;
    s.store = staging_store_of(plan->request.context, device);
    if (!s.store)
        return consort_last_error()->status;
    status = staging_steps(&s);
    if (s.lane) {
        bool sound = status == CONSORT_OK || staging_lane_wait(s.lane) == CUDA_SUCCESS;
        staging_store_free(s.store, s.lane, s.memory);
        staging_store_return(s.store, s.lane, sound);
    }
    free(s.copier.waiting);
    staging_arrays_release(&s.arrays);
    return status;
}
