/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host arrays on a GPU: one block of device memory holds the arrays and the workspace; outputs are
 * written in place there and copied back at the end, so that a failure leaves the host's input
 * whole.
 */
#include "cuda/staging.h"

#include "core/plan.h"
#include "core/status.h"
#include "cuda/driver/driver.h"

enum {
    STAGING_ALIGNMENT = 256,
    STAGING_COLUMNS = 1 /* as many as a GPU algorithm takes today */
};

struct staging {
    const struct driver *driver;
    const struct consort_plan *plan;
    const struct run *run;
    CUstream stream;
    CUdeviceptr memory;
    char *items, *values, *indices, *workspace, *outcome;
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

static uint64_t staging_value_bytes(const struct request *request)
{
    return request->value_count == STAGING_COLUMNS ? request->value_bytes[0] : 0;
}

static consort_status staging_allocate(struct staging *s)
{
    const struct request *request = &s->plan->request;
    uint64_t count = s->run->arguments->count;
    uint64_t items = staging_place(s, count * request->item_bytes);
    uint64_t values = staging_place(s, count * staging_value_bytes(request));
    uint64_t indices = staging_place(s, count * request->index_bytes);
    uint64_t outcome = staging_place(s, sizeof(consort_outcome));
    uint64_t workspace =
        staging_place(s, s->plan->algorithm->workspace(request, s->plan->parameters));
    consort_status status = staging_check(s, s->driver->cuMemAlloc(&s->memory, s->bytes),
                                          "cuMemAlloc for the arrays and the workspace");
    char *base = (char *)(uintptr_t)s->memory;
    s->items = base + items;
    s->values = base + values;
    s->indices = base + indices;
    s->outcome = base + outcome;
    s->workspace = base + workspace;
    return status;
}

static consort_status staging_upload(struct staging *s, char *to, const void *from, uint64_t bytes)
{
    if (bytes == 0)
        return CONSORT_OK;
    CUresult result =
        s->driver->cuMemcpyHtoDAsync((CUdeviceptr)(uintptr_t)to, from, bytes, s->stream);
    return staging_check(s, result, "copying to the GPU");
}

static consort_status staging_download(struct staging *s, void *to, const char *from,
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
    consort_column column = {
        .in = s->values, .out = s->values, .element_bytes = staging_value_bytes(request)};
    consort_arguments arguments = *host;
    arguments.in = s->items;
    arguments.out = request->operation == CONSORT_OPERATION_ARGSORT ? NULL : s->items;
    arguments.values = &column;
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
    if (status == CONSORT_OK && request->value_count > 0)
        status = staging_download(s, host->values[0].out, s->values,
                                  count * staging_value_bytes(request));
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
    if (status == CONSORT_OK && request->value_count > 0)
        status = staging_upload(s, s->values, host->values[0].in,
                                host->count * staging_value_bytes(request));
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
    return status;
}
