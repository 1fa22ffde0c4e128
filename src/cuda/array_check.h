/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in the wrong memory: found by asking the driver, before anything touches them. */
#ifndef CONSORT_CUDA_ARRAY_CHECK_H
#define CONSORT_CUDA_ARRAY_CHECK_H

#include "core/request.h"
#include "cuda/driver/device.h"

/* The GPU in whose memory one of the arrays of a run is; −1 if the CPU can read them all. Costs a
 * few nanoseconds in a process without the driver, and does not open it. */
int32_t array_check_device_of(const consort_arguments *arguments, uint32_t value_count);

/* False if an array is in a GPU's own memory, which the CPU cannot read. */
bool array_check_is_readable(const void *array);

/* An error if the CPU, which is to run this, cannot read one of the arrays. */
consort_status array_check_host_run(const consort_arguments *arguments, uint32_t value_count);

/* An error if the device, which is entered, does not reach one of the arrays. */
consort_status array_check_device_run(const consort_arguments *arguments, uint32_t value_count,
                                      const void *workspace, const struct device *device);

#endif
