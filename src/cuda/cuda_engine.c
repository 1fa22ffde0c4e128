/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU engine: whether there is one, and running its plans. */
#include "cuda/cuda_engine.h"

#include "core/plan.h"
#include "core/status.h"
#include "cuda/array_check.h"
#include "cuda/launch.h"
#include "cuda/replay.h"
#include "cuda/staging/staging.h"
#include "cuda/staging/staging_store.h"

const char *cuda_engine_absence(void)
{
    if (!driver_get())
        return driver_absence();
    return device_count() > 0 ? NULL : "there is no NVIDIA GPU";
}

int32_t cuda_engine_device(const struct request *request)
{
    if (request->device >= 0)
        return request->device;
    const struct driver *driver = driver_get();
    CUcontext current = NULL;
    CUdevice device;
    bool wanted = request->memory == CONSORT_MEMORY_DEVICE;
    if (wanted && driver->cuCtxGetCurrent(&current) == CUDA_SUCCESS && current &&
        driver->cuCtxGetDevice(&device) == CUDA_SUCCESS)
        return device;
    return 0;
}

consort_status cuda_engine_prepare(struct consort_plan *plan)
{
    if (plan->algorithm->host_run)
        return plan->algorithm->prepare(plan, NULL);
    int32_t ordinal = cuda_engine_device(&plan->request);
    const struct device *device = device_open(ordinal);
    if (!device)
        return device_blame(ordinal);
    plan->device = device->ordinal;
    consort_status status = device_enter(device);
    if (status == CONSORT_OK) {
        status = plan->algorithm->prepare(plan, device);
        device_leave(device);
    }
    if (status != CONSORT_OK)
        return device_blame(device->ordinal);
    if (plan->request.replay)
        plan->replay = replay_create(plan->request.value_count);
    return plan->replay || !plan->request.replay ? CONSORT_OK : CONSORT_ERROR_MEMORY;
}

/* No algorithm sees 0 items, but for segments, whose offsets may be wrong all the same. */
static bool cuda_engine_has_nothing(const struct consort_plan *plan,
                                    const consort_arguments *arguments)
{
    const int32_t operation = plan->request.operation;
    bool second = operation == CONSORT_OPERATION_MERGE && arguments->count_b > 0;
    return arguments->count == 0 && !second && operation != CONSORT_OPERATION_SEGMENTED_SORT;
}

static consort_status cuda_engine_run_entered(const struct consort_plan *plan,
                                              const struct device *device, const struct run *run)
{
    if (plan->request.memory == CONSORT_MEMORY_HOST)
        return staging_run(plan, device, run);
    /* A run of nothing may come without columns. */
    if (plan->replay && run->arguments->count + run->arguments->count_b > 0)
        return replay_run(plan->replay, plan, device, run);
    consort_status status =
        array_check_device_run(run->arguments, plan->request.value_count, run->workspace, device);
    if (status != CONSORT_OK)
        return status;
    if (cuda_engine_has_nothing(plan, run->arguments))
        return launch_outcome(run->outcome, run->stream);
    return plan->algorithm->run(plan, run);
}

consort_status cuda_engine_run(const struct consort_plan *plan, const struct run *run)
{
    if (plan->algorithm->host_run)
        return plan->algorithm->run(plan, run);
    const struct device *device = device_open(plan->device);
    if (!device)
        return device_blame(plan->device);
    consort_status status = device_enter(device);
    if (status == CONSORT_OK) {
        status = cuda_engine_run_entered(plan, device, run);
        device_leave(device);
    }
    return status == CONSORT_OK ? CONSORT_OK : device_blame(device->ordinal);
}

consort_status cuda_engine_check_stream(consort_stream stream)
{
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    if (!stream || !driver_is_loaded() || !driver_get())
        return CONSORT_OK;
    CUresult result = driver_get()->cuStreamIsCapturing(stream, &capture);
    if (result == CUDA_SUCCESS && capture != CU_STREAM_CAPTURE_STATUS_NONE)
        return status_fail(CONSORT_ERROR_CAPTURE,
                           "the stream is being captured, and this plan runs on host memory");
    return CONSORT_OK;
}

void cuda_engine_leave(struct consort_context *context)
{
    if (context->stores)
        staging_store_release(context);
}
