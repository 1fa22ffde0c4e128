/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of every kind that a run on host arrays may be given, for tests. */
#include "places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/device.h"

/* Ordinary memory needs no driver: NULL. */
static const struct device *place_enter(enum place_kind kind)
{
    if (kind == PLACE_PAGEABLE)
        return NULL;
    const struct device *device = device_open(kind == PLACE_OTHER);
    assert_non_null(device);
    assert_int_equal(device_enter(device), CONSORT_OK);
    return device;
}

static void *place_take(enum place_kind kind, uint64_t bytes)
{
    const struct driver *driver = driver_get();
    CUdeviceptr device = 0;
    void *host = NULL;
    switch (kind) {
    case PLACE_PAGEABLE:
        host = aligned_alloc(64, (bytes + 64) / 64 * 64);
        break;
    case PLACE_PINNED:
        assert_int_equal(driver->cuMemHostAlloc(&host, bytes + 1, 0), CUDA_SUCCESS);
        break;
    case PLACE_MANAGED:
        assert_int_equal(driver->cuMemAllocManaged(&device, bytes + 1, CU_MEM_ATTACH_GLOBAL),
                         CUDA_SUCCESS);
        break;
    default:
        assert_int_equal(driver->cuMemAlloc(&device, bytes + 1), CUDA_SUCCESS);
    }
    assert_true(host || device);
    return host ? host : (void *)(uintptr_t)device;
}

void *place_new(enum place_kind kind, const void *host, uint64_t bytes)
{
    const struct device *device = place_enter(kind);
    void *place = place_take(kind, bytes);
    if (kind < PLACE_DEVICE)
        host ? memcpy(place, host, bytes) : memset(place, PLACE_UNSET, bytes);
    else if (host)
        assert_int_equal(driver_get()->cuMemcpyHtoD((CUdeviceptr)(uintptr_t)place, host, bytes),
                         CUDA_SUCCESS);
    else
        assert_int_equal(
            driver_get()->cuMemsetD8((CUdeviceptr)(uintptr_t)place, PLACE_UNSET, bytes),
            CUDA_SUCCESS);
    if (device) {
        assert_int_equal(driver_get()->cuCtxSynchronize(), CUDA_SUCCESS);
        device_leave(device);
    }
    return place;
}

void place_read(enum place_kind kind, void *host, const void *place, uint64_t bytes)
{
    const struct device *device = place_enter(kind);
    if (kind < PLACE_DEVICE)
        memcpy(host, place, bytes);
    else
        assert_int_equal(driver_get()->cuMemcpyDtoH(host, (CUdeviceptr)(uintptr_t)place, bytes),
                         CUDA_SUCCESS);
    if (device)
        device_leave(device);
}

void place_free(enum place_kind kind, void *place)
{
    const struct device *device = place_enter(kind);
    if (kind == PLACE_PAGEABLE)
        free(place);
    else if (kind == PLACE_PINNED)
        driver_get()->cuMemFreeHost(place);
    else
        driver_get()->cuMemFree((CUdeviceptr)(uintptr_t)place);
    if (device)
        device_leave(device);
}
