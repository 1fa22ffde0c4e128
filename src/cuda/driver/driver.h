/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CUDA driver, opened at run time: one table of calls, so that one binary runs with and without
 * a GPU, and so that tests can put another library in its place (CONSORT_CUDA_LIBRARY).
 */
#ifndef CONSORT_CUDA_DRIVER_H
#define CONSORT_CUDA_DRIVER_H

#include <stdbool.h>

#include "consort.h"
#include "cuda/driver/cuda_api.h"

/* One pointer for each documented call: driver->cuMemAllocAsync(…). */
struct driver {
#define DRIVER_MEMBER(name, symbol, arguments) name##_call *name;
    CUDA_CALLS(DRIVER_MEMBER)
#undef DRIVER_MEMBER
    int version; /* of the driver, 1000 * major + 10 * minor */
    /* Drawn for the process: kernels look first at keys whose places depend on it, so that nobody
     * makes a list that hides from them. Results do not depend on it. */
    uint32_t seed;
};

/* The driver, opened and initialised on the first call of the process; NULL where there is none or
 * it is too old. driver_absence() then says why. */
const struct driver *driver_get(void);

/* True if this process has the driver already, opened by us or by somebody else: asks the dynamic
 * linker, which takes some 50 ns, and opens nothing. */
bool driver_is_loaded(void);

/* True if driver_get() has opened it. */
bool driver_is_open(void);

/* Why driver_get() returned NULL, in words for people: "libcuda.so.1: cannot open …". */
const char *driver_absence(void);

/* Records a failed driver call as the thread's error and returns the status it means:
 * DEVICE_MEMORY, NO_KERNEL, NO_DEVICE, DEVICE_LOST, CAPTURE or DRIVER. */
consort_status driver_fail(const struct driver *driver, CUresult result, const char *call);

/* Destroys an event, or nothing if it is NULL. A release that fails is tried once more; after that
 * the driver keeps what it has. */
void driver_drop_event(const struct driver *driver, CUevent event);

#endif
