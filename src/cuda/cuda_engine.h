/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU engine: whether there is one, and running its plans. */
#ifndef CONSORT_CUDA_CUDA_ENGINE_H
#define CONSORT_CUDA_CUDA_ENGINE_H

#include "core/algorithm.h"

/* NULL if there is a driver and a device, else why not. Opens the driver. */
const char *cuda_engine_absence(void);

/* The GPU that a plan for the request is for: one by force, else, for device memory, that of the
 * caller's current context, else the first. The driver is open. */
int32_t cuda_engine_device(const struct request *request);

/* Opens the plan's device and loads its kernels. */
consort_status cuda_engine_prepare(struct consort_plan *plan);

/* Runs a plan of this engine, for device or host arrays. */
consort_status cuda_engine_run(const struct consort_plan *plan, const struct run *run);

/* CAPTURE if the stream that a host run was given is being captured. */
consort_status cuda_engine_check_stream(consort_stream stream);

/* Gives back what a context that is being destroyed keeps on GPUs. */
void cuda_engine_leave(struct consort_context *context);

#endif
