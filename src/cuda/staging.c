/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host arrays on a GPU: one block of device memory holds the arrays and the workspace; outputs are
 * written in place there and copied back at the end, so that a failure leaves the host's input
 * whole.
 */
#include "cuda/staging.h"

#include <stdlib.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/driver/driver.h"

enum {
    STAGING_ALIGNMENT = 256
};

struct staging {
    const struct driver *driver;
    const struct consort_plan *plan;
    const struct run *run;
    CUstream stream;
    CUdeviceptr memory;
    char *items, *indices, *workspace, *outcome;
    consort_column *columns; /* in device memory, sorted in place */
    uint64_t bytes;
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

/* Until the memory is there, a column's place is kept as an offset. */
static void staging_place_columns(struct staging *s, const struct request *request)
{
    for (uint32_t i = 0; i < request->value_count; i++) {
        uint64_t bytes = request->value_bytes[i];
        uint64_t at = staging_place(s, s->run->arguments->count * bytes);
        s->columns[i] = (consort_column){.in = (void *)(uintptr_t)at, .element_bytes = bytes};
    }
}

static consort_status staging_allocate(struct staging *s)
{
    const struct request *request = &s->plan->request;
    uint64_t count = s->run->arguments->count;
    s->columns = calloc(request->value_count + 1, sizeof *s->columns);
    if (!s->columns)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    uint64_t items = staging_place(s, count * request->item_bytes);
    uint64_t indices = staging_place(s, count * request->index_bytes);
    uint64_t outcome = staging_place(s, sizeof(consort_outcome));
    staging_place_columns(s, request);
    uint64_t workspace =
        staging_place(s, s->plan->algorithm->workspace(request, s->plan->parameters));
    consort_status status = staging_check(s, s->driver->cuMemAlloc(&s->memory, s->bytes),
                                          "cuMemAlloc for the arrays and the workspace");
    char *base = (char *)(uintptr_t)s->memory;
    s->items = base + items;
    s->indices = base + indices;
    s->outcome = base + outcome;
    s->workspace = base + workspace;
    for (uint32_t i = 0; i < request->value_count; i++) {
        s->columns[i].out = base + (uintptr_t)s->columns[i].in;
        s->columns[i].in = s->columns[i].out;
    }
    return status;
}

static consort_status staging_upload(struct staging *s, void *to, const void *from, uint64_t bytes)
{
    if (bytes == 0)
        return CONSORT_OK;
    CUresult result =
        s->driver->cuMemcpyHtoDAsync((CUdeviceptr)(uintptr_t)to, from, bytes, s->stream);
    return staging_check(s, result, "copying to the GPU");
}

static consort_status staging_download(struct staging *s, void *to, const void *from,
                                       uint64_t bytes)
{
    if (bytes == 0 || !to)
        return CONSORT_OK;
    CUresult result =
        s->driver->cuMemcpyDtoHAsync(to, (CUdeviceptr)(uintptr_t)from, bytes, s->stream);
    return staging_check(s, result, "copying from the GPU");
}

static consort_status staging_sort(struct staging *s)
{
    const struct request *request = &s->plan->request;
    const consort_arguments *host = s->run->arguments;
    consort_arguments arguments = *host;
    arguments.in = s->items;
    arguments.out = request->operation == CONSORT_OPERATION_ARGSORT ? NULL : s->items;
    arguments.values = s->columns;
    arguments.indices = s->indices;
    arguments.outcome = (consort_outcome *)s->outcome;
    struct run device_run = *s->run;
    device_run.arguments = &arguments;
    device_run.workspace = s->workspace;
    device_run.outcome = arguments.outcome;
    device_run.stream = s->stream;
    return s->plan->algorithm->run(s->plan, &device_run);
}

static consort_status staging_fetch(struct staging *s)
{
    const struct request *request = &s->plan->request;
    const consort_arguments *host = s->run->arguments;
    uint64_t count = host->count;
    consort_status status = CONSORT_OK;
    *s->run->input_whole = false;
    if (request->operation == CONSORT_OPERATION_SORT)
        status = staging_download(s, host->out, s->items, count * request->item_bytes);
    for (uint32_t i = 0; i < request->value_count && status == CONSORT_OK; i++)
        status = staging_download(s, host->values[i].out, s->columns[i].out,
                                  count * request->value_bytes[i]);
    if (status == CONSORT_OK)
        status = staging_download(s, host->indices, s->indices, count * request->index_bytes);
    if (status == CONSORT_OK)
        status = staging_check(s, s->driver->cuStreamSynchronize(s->stream), "sorting on the GPU");
    return status;
}

static consort_status staging_steps(struct staging *s)
{
    const struct request *request = &s->plan->request;
    const consort_arguments *host = s->run->arguments;
    consort_status status = staging_allocate(s);
    if (status == CONSORT_OK)
        status = staging_upload(s, s->items, host->in, host->count * request->item_bytes);
    for (uint32_t i = 0; i < request->value_count && status == CONSORT_OK; i++)
        status = staging_upload(s, s->columns[i].out, host->values[i].in,
                                host->count * request->value_bytes[i]);
    if (status == CONSORT_OK)
        status = staging_sort(s);
    if (status == CONSORT_OK)
        status = staging_check(s, s->driver->cuStreamSynchronize(s->stream), "sorting on the GPU");
    if (status == CONSORT_OK && checkpoint_pass(s->run->checkpoint, host->count, host->count))
        status = status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled");
    return status == CONSORT_OK ? staging_fetch(s) : status;
}

consort_status staging_run(const struct consort_plan *plan, const struct run *run)
{
    struct staging s = {.driver = driver_get(), .plan = plan, .run = run};
    if (run->arguments->count == 0)
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
    free(s.columns);
    return status;
}
