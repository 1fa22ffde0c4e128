/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU engine: whether there is one, what using it costs, and running its plans. */
#include "cuda/cuda_engine.h"

#include <stdatomic.h>

#include "core/plan.h"
#include "core/status.h"
#include "cuda/driver/kernels.h"
#include "cuda/staging/staging.h"
#include "cuda/staging/staging_store.h"

/* Bytes a nanosecond from pageable host memory to the device or back: 2^28 u32 keys take 169 ms,
 * the sort included (H200, driver 580, 2026-11). */
static const double cuda_engine_bus = 12.5;

/* Starting the driver, a primary context and loading the kernels: 269 ms on the same machine. */
static const double cuda_engine_start_ns = 270e6;

static atomic_bool cuda_engine_started;

const char *cuda_engine_absence(void)
{
    if (!driver_get())
        return driver_absence();
    atomic_store(&cuda_engine_started, true);
    return device_count() > 0 ? NULL : "there is no NVIDIA GPU";
}

double cuda_engine_startup(void)
{
    return atomic_load(&cuda_engine_started) ? 0.0 : cuda_engine_start_ns;
}

double cuda_engine_overhead(const struct request *request)
{
    if (request->memory == CONSORT_MEMORY_DEVICE)
        return 0.0;
    double bytes = (double)request->item_bytes + request->index_bytes;
    for (uint32_t i = 0; i < request->value_count; i++)
        bytes += (double)request->value_bytes[i];
    return 2.0 * bytes * (double)request->maximum_count / cuda_engine_bus + cuda_engine_startup();
}

/* Without a device by force: that of the caller's current context, else the first. */
static int32_t cuda_engine_choose_device(const struct request *request)
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
    const struct device *device = device_open(cuda_engine_choose_device(&plan->request));
    if (!device)
        return consort_last_error()->status;
    plan->device = device->ordinal;
    consort_status status = device_enter(device);
    if (status != CONSORT_OK)
        return status;
    status = plan->algorithm->prepare(plan, device);
    device_leave(device);
    return status;
}

consort_status cuda_engine_run(const struct consort_plan *plan, const struct run *run)
{
    const struct device *device = device_open(plan->device);
    if (!device)
        return consort_last_error()->status;
    consort_status status = device_enter(device);
    if (status != CONSORT_OK)
        return status;
    if (plan->request.memory == CONSORT_MEMORY_DEVICE)
        status = plan->algorithm->run(plan, run);
    else
        status = staging_run(plan, device, run);
    device_leave(device);
    return status;
}

void cuda_engine_leave(struct consort_context *context)
{
    if (context->stores)
        staging_store_release(context);
}
