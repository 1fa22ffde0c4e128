/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in device memory for tests, by the driver table that the library itself opened. */
#include "device_array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cuda/driver/device.h"

/* What a failure depends on beside the trial, which names itself. */
static void device_array_tell_emulator(void)
{
    const char *schedule = getenv("CONSORT_EMU_SCHEDULE"), *seed = getenv("CONSORT_EMU_SEED");
    if (getenv("CONSORT_CUDA_LIBRARY"))
        print_message("CONSORT_EMU_SCHEDULE=%s CONSORT_EMU_SEED=%s\n",
                      schedule ? schedule : "order", seed ? seed : "1");
}

/* Kernels go the same way in each run of a test. */
static void device_array_fix_seed(void)
{
    struct driver *driver = (struct driver *)driver_get();
    if (driver)
        driver->seed = 1;
}

int device_array_begin(void)
{
    device_array_tell_emulator();
    device_array_fix_seed();
    const struct device *device = device_count() > 0 ? device_open(0) : NULL;
    return device && device_enter(device) == CONSORT_OK;
}

bool device_array_is_filled(void)
{
    return !getenv("CONSORT_TEST_UNSET");
}

void *device_array_new(const void *host, uint64_t bytes, uint64_t shift)
{
    const struct driver *driver = driver_get();
    CUdeviceptr memory = 0;
    assert_int_equal(driver->cuMemAlloc(&memory, bytes + shift + 1), CUDA_SUCCESS);
    if (host || device_array_is_filled())
        assert_int_equal(driver->cuMemsetD8(memory, 0xa5, bytes + shift + 1), CUDA_SUCCESS);
    memory += shift;
    if (host)
        assert_int_equal(driver->cuMemcpyHtoD(memory, host, bytes), CUDA_SUCCESS);
    assert_int_equal(driver->cuCtxSynchronize(), CUDA_SUCCESS); /* a memset may still be queued */
    return (void *)(uintptr_t)memory;
}

void device_array_read(void *host, const void *device, uint64_t bytes)
{
    const struct driver *driver = driver_get();
    assert_int_equal(driver->cuMemcpyDtoH(host, (CUdeviceptr)(uintptr_t)device, bytes),
                     CUDA_SUCCESS);
}

void device_array_free(void *device, uint64_t shift)
{
    driver_get()->cuMemFree((CUdeviceptr)(uintptr_t)device - shift);
}
