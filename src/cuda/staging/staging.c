/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host arrays on a GPU: one block of device memory holds the arrays and the workspace; outputs are
 * written there and copied back at the end, so that a failure leaves the host's input whole.
 */
#include "cuda/staging/staging.h"

#include "core/plan.h"
#include "core/status.h"
#include "cuda/staging/staging_arrays.h"
#include "cuda/staging/staging_copy.h"

enum {
    STAGING_ALIGNMENT = 256
};

struct staging {
    const struct driver *driver;
    const struct consort_plan *plan;
    const struct run *run;
    struct staging_arrays arrays;
    CUstream stream;
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

static consort_status staging_check(struct staging *s, CUresult result, const char *call)
{
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(s->driver, result, call);
}

static void *staging_at(const struct staging *s, uint64_t offset)
{
    return (void *)(uintptr_t)(s->memory + offset);
}

static consort_status staging_allocate(struct staging *s)
{
    const struct algorithm *algorithm = s->plan->algorithm;
    for (uint32_t i = 0; i < s->arrays.count; i++)
        s->arrays.items[i].offset = staging_place(s, s->arrays.items[i].bytes);
    s->outcome = staging_place(s, sizeof(consort_outcome));
    uint64_t workspace =
        algorithm->workspace ? algorithm->workspace(&s->plan->request, s->plan->parameters) : 0;
    s->workspace = staging_place(s, workspace);
    consort_status status = staging_check(s, s->driver->cuMemAlloc(&s->memory, s->bytes),
                                          "cuMemAlloc for the arrays and the workspace");
    for (uint32_t i = 0; i < s->arrays.count; i++)
        s->arrays.items[i].device = staging_at(s, s->arrays.items[i].offset);
    return status;
}

static consort_status staging_upload(struct staging *s)
{
    consort_status status = staging_copy_to_device(staging_at(s, s->outcome), s->run->outcome,
                                                   sizeof(consort_outcome), s->stream);
    for (uint32_t i = 0; i < s->arrays.count && status == CONSORT_OK; i++) {
        const struct staging_array *array = &s->arrays.items[i];
        if (array->from)
            status = staging_copy_to_device(array->device, array->from, array->bytes, s->stream);
    }
    return status;
}

static consort_status staging_sort(struct staging *s)
{
    consort_arguments arguments =
        staging_arrays_arguments(&s->arrays, &s->plan->request, s->run->arguments);
    arguments.outcome = staging_at(s, s->outcome);
    struct run device_run = *s->run;
    device_run.arguments = &arguments;
    device_run.workspace = staging_at(s, s->workspace);
    device_run.outcome = arguments.outcome;
    device_run.stream = s->stream;
    return s->plan->algorithm->run(s->plan, &device_run);
}

/* What the device says beside the arrays: a disorder, counters, a late error. */
static consort_status staging_read_outcome(struct staging *s)
{
    consort_outcome *outcome = s->run->outcome;
    consort_status status =
        staging_copy_to_caller(outcome, staging_at(s, s->outcome), sizeof *outcome, s->stream);
    if (status == CONSORT_OK)
        status = staging_check(s, s->driver->cuStreamSynchronize(s->stream), "sorting on the GPU");
    if (status == CONSORT_OK && outcome->status != CONSORT_OK)
        status = status_fail(outcome->status, "the GPU reports: %s",
                             consort_status_string(outcome->status));
    return status;
}

static consort_status staging_download(struct staging *s)
{
    consort_status status = CONSORT_OK;
    *s->run->input_whole = false;
    for (uint32_t i = 0; i < s->arrays.count && status == CONSORT_OK; i++) {
        const struct staging_array *array = &s->arrays.items[i];
        if (array->to)
            status = staging_copy_to_caller(array->to, array->device, array->bytes, s->stream);
    }
    if (status == CONSORT_OK)
        status = staging_check(s, s->driver->cuStreamSynchronize(s->stream), "sorting on the GPU");
    return status;
}

static consort_status staging_steps(struct staging *s)
{
    const consort_arguments *host = s->run->arguments;
    uint64_t total = host->count + host->count_b;
    consort_status status = staging_arrays_list(&s->arrays, &s->plan->request, host);
    if (status == CONSORT_OK)
        status = staging_allocate(s);
    if (status == CONSORT_OK)
        status = staging_upload(s);
    if (status == CONSORT_OK)
        status = staging_sort(s);
    if (status == CONSORT_OK)
        status = staging_read_outcome(s);
    if (status == CONSORT_OK && checkpoint_pass(s->run->checkpoint, total, total))
        status = status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled");
    return status == CONSORT_OK ? staging_download(s) : status;
}

consort_status staging_run(const struct consort_plan *plan, const struct run *run)
{
    struct staging s = {.driver = driver_get(), .plan = plan, .run = run};
    if (run->arguments->count + run->arguments->count_b == 0)
        return CONSORT_OK;
    consort_status status = staging_check(
        &s, s.driver->cuStreamCreate(&s.stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    if (status != CONSORT_OK)
        return status;
    status = staging_steps(&s);
    if (s.memory) {
        s.driver->cuStreamSynchronize(s.stream);
        s.driver->cuMemFree(s.memory);
    }
    s.driver->cuStreamDestroy(s.stream);
    staging_arrays_release(&s.arrays);
    return status;
}
