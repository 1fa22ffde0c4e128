/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GPUs: described once, opened when first used. Primary contexts are retained for the life of the
 * process, because retaining and releasing one costs a tenth of a second and more.
 */
#include "cuda/driver/device.h"

#include <pthread.h>
#include <stdatomic.h>

#include "core/log.h"
#include "core/status.h"

enum {
    DEVICE_MAXIMUM = 64
};

static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static struct device device_table[DEVICE_MAXIMUM];
static bool device_described[DEVICE_MAXIMUM];

/* The number never changes once the driver has started. */
int32_t device_count(void)
{
    static atomic_int known = -1;
    const struct driver *driver = driver_get();
    int count = atomic_load(&known);
    if (!driver)
        return 0;
    if (count < 0) {
        if (driver->cuDeviceGetCount(&count) != CUDA_SUCCESS)
            return 0;
        atomic_store(&known, count);
    }
    return count < DEVICE_MAXIMUM ? count : DEVICE_MAXIMUM;
}

struct device_attribute {
    CUdevice_attribute attribute;
    int32_t *target;
};

static CUresult device_read(const struct driver *driver, struct device *device)
{
    int major = 0, minor = 0;
    const struct device_attribute wanted[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &device->processors},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &device->shared_optin},
        {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, &device->cooperative},
        {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, &device->memory_pools},
        {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, &device->pageable_access},
    };
    CUresult result = driver->cuDeviceGet(&device->handle, device->ordinal);
    if (result == CUDA_SUCCESS)
        result = driver->cuDeviceGetName(device->name, sizeof device->name, device->handle);
    size_t bytes = 0;
    if (result == CUDA_SUCCESS)
        result = driver->cuDeviceTotalMem(&bytes, device->handle);
    device->memory = bytes;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && result == CUDA_SUCCESS; i++)
        result =
            driver->cuDeviceGetAttribute(wanted[i].target, wanted[i].attribute, device->handle);
    device->capability = 10 * major + minor;
    return result;
}

/* With the lock held. */
static struct device *device_find(const struct driver *driver, int32_t ordinal)
{
    struct device *device = &device_table[ordinal];
    if (device_described[ordinal])
        return device;
    *device = (struct device){.ordinal = ordinal};
    CUresult result = device_read(driver, device);
    if (result != CUDA_SUCCESS) {
        driver_fail(driver, result, "reading a GPU's attributes");
        return NULL;
    }
    device_described[ordinal] = true;
    log_write(LOG_INFO, "GPU %d: %s, compute capability %d.%d, %d multiprocessors", ordinal,
              device->name, device->capability / 10, device->capability % 10, device->processors);
    return device;
}

static const struct driver *device_driver(int32_t ordinal)
{
    const struct driver *driver = driver_get();
    if (!driver) {
        status_fail(CONSORT_ERROR_NO_DEVICE, "%s", driver_absence());
        return NULL;
    }
    int32_t count = device_count();
    if (ordinal >= 0 && ordinal < count)
        return driver;
    status_fail(CONSORT_ERROR_NO_DEVICE, "there is no GPU %d; there are %d", ordinal, count);
    return NULL;
}

const struct device *device_describe(int32_t ordinal)
{
    const struct driver *driver = device_driver(ordinal);
    if (!driver)
        return NULL;
    pthread_mutex_lock(&device_lock);
    struct device *device = device_find(driver, ordinal);
    pthread_mutex_unlock(&device_lock);
    return device;
}

const struct device *device_open(int32_t ordinal)
{
    const struct driver *driver = device_driver(ordinal);
    if (!driver)
        return NULL;
    pthread_mutex_lock(&device_lock);
    struct device *device = device_find(driver, ordinal);
    if (device && !device->context) {
        CUresult result = driver->cuDevicePrimaryCtxRetain(&device->context, device->handle);
        if (result != CUDA_SUCCESS) {
            device->context = NULL;
            driver_fail(driver, result, "cuDevicePrimaryCtxRetain");
            device = NULL;
        }
    }
    pthread_mutex_unlock(&device_lock);
    return device;
}

bool device_is_active(int32_t ordinal)
{
    const struct device *device = device_describe(ordinal);
    unsigned int flags;
    int active = 0;
    if (!device)
        return false;
    pthread_mutex_lock(&device_lock);
    bool opened = device->context != NULL;
    pthread_mutex_unlock(&device_lock);
    return opened || (driver_get()->cuDevicePrimaryCtxGetState(device->handle, &flags, &active) ==
                          CUDA_SUCCESS &&
                      active);
}

consort_status device_enter(const struct device *device)
{
    const struct driver *driver = driver_get();
    CUresult result = driver->cuCtxPushCurrent(device->context);
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(driver, result, "cuCtxPushCurrent");
}

void device_leave(const struct device *device)
{
    CUcontext left;
    (void)device;
    driver_get()->cuCtxPopCurrent(&left);
}

bool device_enter_again(const struct device *device)
{
    const struct driver *driver = driver_get();
    return driver->cuCtxPushCurrent(device->context) == CUDA_SUCCESS ||
           driver->cuCtxPushCurrent(device->context) == CUDA_SUCCESS;
}

consort_status device_blame(int32_t ordinal)
{
    struct status_kept error;
    status_keep(&error);
    bool absent = error.status == CONSORT_ERROR_NO_DEVICE && error.driver_error == 0;
    if (!status_blames_device(error.status) || absent || ordinal < 0 || ordinal >= DEVICE_MAXIMUM)
        return error.status;
    pthread_mutex_lock(&device_lock);
    bool known = device_described[ordinal];
    pthread_mutex_unlock(&device_lock);
    if (!known)
        return status_fail_driver(error.status, error.driver_error, "GPU %d: %s", ordinal,
                                  error.message);
    return status_fail_driver(error.status, error.driver_error, "GPU %d (%s): %s", ordinal,
                              device_table[ordinal].name, error.message);
}
