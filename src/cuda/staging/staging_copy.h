/* SPDX-License-Identifier: Apache-2.0 */
/* Moving the arrays of a run between the caller's memory and the device. */
#ifndef CONSORT_CUDA_STAGING_COPY_H
#define CONSORT_CUDA_STAGING_COPY_H

#include "cuda/driver/driver.h"

/* Queues a copy; both return CONSORT_OK or what driver_fail says. */
consort_status staging_copy_to_device(void *device, const void *from, uint64_t bytes,
                                      CUstream stream);
consort_status staging_copy_to_caller(void *to, const void *device, uint64_t bytes,
                                      CUstream stream);

#endif
