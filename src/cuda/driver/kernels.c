/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cache of loaded images. Libraries are loaded once per process (cuLibraryLoadData needs no
 * context); functions are asked for per device context, which also loads the code there, so that
 * nothing is loaded lazily inside a run or a capture.
 */
#include "cuda/driver/kernels.h"

#include <pthread.h>
#include <string.h>

#include "core/log.h"
#include "core/status.h"

enum {
    KERNELS_MAXIMUM_IMAGES = 32
};

static pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;
static CUlibrary kernels_libraries[KERNELS_MAXIMUM_IMAGES];

/* With the lock held. */
static CUlibrary kernels_load(const struct driver *driver, const char *image)
{
    for (uint32_t i = 0; i < kernels_image_count && i < KERNELS_MAXIMUM_IMAGES; i++) {
        if (strcmp(kernels_images[i].name, image) != 0)
            continue;
        if (kernels_libraries[i])
            return kernels_libraries[i];
        CUresult result = driver->cuLibraryLoadData(&kernels_libraries[i], kernels_images[i].bytes,
                                                    NULL, NULL, 0, NULL, NULL, 0);
        if (result == CUDA_SUCCESS)
            return kernels_libraries[i];
        kernels_libraries[i] = NULL;
        driver_fail(driver, result, "cuLibraryLoadData");
        return NULL;
    }
    status_fail(CONSORT_ERROR_NO_KERNEL, "this build has no GPU kernels for %s", image);
    return NULL;
}

/* Plans share a function: what one was granted is never taken back. The kernel's own static shared
 * memory counts, too. With the lock held. */
static CUresult kernels_grant(const struct driver *driver, CUfunction function, int shared)
{
    int granted = 0, fixed = 0;
    CUresult result = driver->cuFuncGetAttribute(
        &granted, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function);
    if (result == CUDA_SUCCESS)
        result = driver->cuFuncGetAttribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
    if (result != CUDA_SUCCESS || shared <= granted - fixed)
        return result;
    return driver->cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                      shared > granted ? shared : granted);
}

/* With the lock held. */
static CUresult kernels_resolve(const struct driver *driver, CUlibrary library, const char *name,
                                uint32_t shared, CUfunction *function)
{
    CUkernel kernel;
    CUresult result = driver->cuLibraryGetKernel(&kernel, library, name);
    if (result == CUDA_SUCCESS)
        result = driver->cuKernelGetFunction(function, kernel);
    if (result == CUDA_SUCCESS && shared > 0)
        result = kernels_grant(driver, *function, (int)shared);
    return result;
}

CUfunction kernels_find(const struct device *device, const char *image, const char *name,
                        uint32_t shared)
{
    const struct driver *driver = driver_get();
    pthread_mutex_lock(&kernels_lock);
    CUlibrary library = kernels_load(driver, image);
    CUfunction function = NULL;
    CUresult result =
        library ? kernels_resolve(driver, library, name, shared, &function) : CUDA_ERROR_NOT_FOUND;
    pthread_mutex_unlock(&kernels_lock);
    if (!library)
        return NULL;
    if (result == CUDA_SUCCESS)
        return function;
    log_write(LOG_WARN, "kernel %s of %s cannot be loaded on GPU %d", name, image, device->ordinal);
    driver_fail(driver, result, name);
    return NULL;
}
