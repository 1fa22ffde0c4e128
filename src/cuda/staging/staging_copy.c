/* SPDX-License-Identifier: Apache-2.0 */
/* Moving the arrays of a run between the caller's memory and the device. */
#include "cuda/staging/staging_copy.h"

consort_status staging_copy_to_device(void *device, const void *from, uint64_t bytes,
                                      CUstream stream)
{
    const struct driver *driver = driver_get();
    CUresult result =
        driver->cuMemcpyHtoDAsync((CUdeviceptr)(uintptr_t)device, from, bytes, stream);
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(driver, result, "copying to the GPU");
}

consort_status staging_copy_to_caller(void *to, const void *device, uint64_t bytes, CUstream stream)
{
    const struct driver *driver = driver_get();
    CUresult result = driver->cuMemcpyDtoHAsync(to, (CUdeviceptr)(uintptr_t)device, bytes, stream);
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver, result, "copying from the GPU");
}
