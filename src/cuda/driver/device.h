/* SPDX-License-Identifier: Apache-2.0 */
/* GPUs: what they are, their primary contexts, and the kernels loaded on them. */
#ifndef CONSORT_CUDA_DEVICE_H
#define CONSORT_CUDA_DEVICE_H

#include "cuda/driver/driver.h"

struct device {
    int32_t ordinal;
    CUdevice handle;
    CUcontext context; /* the primary context, retained on first use, for the process's life */
    char name[96];
    int32_t capability;      /* 10 * major + minor: 90 */
    int32_t processors;      /* streaming multiprocessors */
    int32_t shared_optin;    /* most shared memory of a block, bytes */
    int32_t cooperative;     /* 1: cooperative launches work */
    int32_t memory_pools;    /* 1: stream-ordered allocation works */
    int32_t pageable_access; /* 1: kernels can read any memory of the process */
    uint64_t memory;         /* bytes in all */
};

/* How many GPUs there are; 0 without a driver. */
int32_t device_count(void);

/* Facts about a GPU without touching its context; NULL, with the error recorded. */
const struct device *device_describe(int32_t ordinal);

/* The same with its primary context retained: ready for plans. */
const struct device *device_open(int32_t ordinal);

/* True if the device's primary context exists, made by us or by somebody else. */
bool device_is_active(int32_t ordinal);

/* Makes the device's context current on this thread and leaves the caller's on the stack below. */
consort_status device_enter(const struct device *device);
void device_leave(const struct device *device);

/* The same to give back what a run took there: tried twice, and a failure leaves the thread's last
 * error, which says what went wrong before, as it is. */
bool device_enter_again(const struct device *device);

/* If the thread's last error blames a GPU that is there: records it once more, with that GPU in
 * front. Returns its status. */
consort_status device_blame(int32_t ordinal);

#endif
