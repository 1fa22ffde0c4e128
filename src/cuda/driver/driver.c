/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening libcuda and filling the table. Symbols are asked for by the versioned name of the ABI we
 * declare; plain dlsym finds those, because libcuda exports every version it ever had.
 */
#include "cuda/driver/driver.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/log.h"
#include "core/status.h"

enum {
    DRIVER_LEAST_VERSION = 12000
}; /* cuLibraryLoadData: kernels without a current context */

struct driver_symbol {
    const char *name;
    size_t offset;
};

static const struct driver_symbol driver_symbols[] = {
#define DRIVER_SYMBOL(name, symbol, arguments) {#symbol, offsetof(struct driver, name)},
    CUDA_CALLS(DRIVER_SYMBOL)
#undef DRIVER_SYMBOL
};

static pthread_once_t driver_once = PTHREAD_ONCE_INIT;
static struct driver driver_table;
static bool driver_usable;
static atomic_bool driver_opened;
static char driver_reason[256];

static const char *driver_library_name(void)
{
    const char *other = getenv("CONSORT_CUDA_LIBRARY");
    return other && *other ? other : "libcuda.so.1";
}

static bool driver_resolve(void *library)
{
    for (size_t i = 0; i < sizeof driver_symbols / sizeof driver_symbols[0]; i++) {
        void *address = dlsym(library, driver_symbols[i].name);
        if (!address) {
            snprintf(driver_reason, sizeof driver_reason,
                     "the NVIDIA driver lacks %s; version %d.%d or newer is needed",
                     driver_symbols[i].name, DRIVER_LEAST_VERSION / 1000,
                     DRIVER_LEAST_VERSION % 1000 / 10);
            return false;
        }
        memcpy((char *)&driver_table + driver_symbols[i].offset, &address, sizeof address);
    }
    return true;
}

static bool driver_initialise(void)
{
    CUresult result = driver_table.cuInit(0);
    if (result == CUDA_SUCCESS)
        result = driver_table.cuDriverGetVersion(&driver_table.version);
    if (result != CUDA_SUCCESS) {
        const char *name = NULL;
        driver_table.cuGetErrorName(result, &name);
        snprintf(driver_reason, sizeof driver_reason, "the NVIDIA driver does not start: %s (%d)",
                 name ? name : "unknown error", result);
        return false;
    }
    if (driver_table.version < DRIVER_LEAST_VERSION) {
        snprintf(driver_reason, sizeof driver_reason,
                 "the NVIDIA driver is for CUDA %d.%d; %d.%d or newer is needed",
                 driver_table.version / 1000, driver_table.version % 1000 / 10,
                 DRIVER_LEAST_VERSION / 1000, DRIVER_LEAST_VERSION % 1000 / 10);
        return false;
    }
    return true;
}

static uint32_t driver_draw_seed(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    uint64_t drawn = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^ (uintptr_t)&now;
    return (uint32_t)(drawn * 0x9E3779B97F4A7C15 >> 32);
}

/* The library stays open for ever: unloading libcuda under live contexts is not supported. */
static void driver_open(void)
{
    const char *name = driver_library_name();
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        snprintf(driver_reason, sizeof driver_reason, "no NVIDIA driver: %s", why ? why : name);
    } else {
        driver_usable = driver_resolve(library) && driver_initialise();
        driver_table.seed = driver_draw_seed();
    }
    atomic_store(&driver_opened, driver_usable);
    if (!driver_usable)
        log_write(LOG_INFO, "%s", driver_reason);
}

const struct driver *driver_get(void)
{
    pthread_once(&driver_once, driver_open);
    return driver_usable ? &driver_table : NULL;
}

bool driver_is_open(void)
{
    return atomic_load(&driver_opened);
}

/* Libraries loaded so far: the answer of the last search stands until there are more. */
static int driver_count_loaded(struct dl_phdr_info *info, size_t size, void *count)
{
    (void)size;
    *(unsigned long long *)count = info->dlpi_adds;
    return 1;
}

static int driver_recognise(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    const char *slash = strrchr(info->dlpi_name, '/');
    *(bool *)found = strcmp(slash ? slash + 1 : info->dlpi_name, "libcuda.so.1") == 0;
    return *(bool *)found;
}

bool driver_is_loaded(void)
{
    static _Atomic unsigned long long searched;
    unsigned long long loaded = 0;
    if (driver_is_open())
        return true;
    dl_iterate_phdr(driver_count_loaded, &loaded);
    if (loaded == atomic_load(&searched))
        return false;
    bool found = false;
    dl_iterate_phdr(driver_recognise, &found);
    if (!found)
        atomic_store(&searched, loaded);
    return found;
}

const char *driver_absence(void)
{
    driver_get();
    return driver_reason;
}

static consort_status driver_status_of(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
        return CONSORT_ERROR_DEVICE_MEMORY;
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    case CUDA_ERROR_JIT_COMPILATION_DISABLED:
        return CONSORT_ERROR_NO_KERNEL;
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
        return CONSORT_ERROR_NO_DEVICE;
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_CONTAINED:
        return CONSORT_ERROR_DEVICE_LOST;
    default:
        return result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
                       result <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD
                   ? CONSORT_ERROR_CAPTURE
                   : CONSORT_ERROR_DRIVER;
    }
}

consort_status driver_fail(const struct driver *driver, CUresult result, const char *call)
{
    const char *name = NULL, *text = NULL;
    driver->cuGetErrorName(result, &name);
    driver->cuGetErrorString(result, &text);
    return status_fail_driver(driver_status_of(result), result, "%s: %s (%s)", call,
                              text ? text : "unknown error", name ? name : "?");
}

void driver_drop_event(const struct driver *driver, CUevent event)
{
    if (event && driver->cuEventDestroy(event) != CUDA_SUCCESS)
        driver->cuEventDestroy(event);
}
