/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU engine: whether there is one, what using it costs, and running its plans. */
#ifndef CONSORT_CUDA_CUDA_ENGINE_H
#define CONSORT_CUDA_CUDA_ENGINE_H

#include "core/algorithm.h"

/* NULL if there is a driver and a device, else why not. Opens the driver. */
const char *cuda_engine_absence(void);

/* Nanoseconds beside the sort itself: starting the driver, moving host arrays there and back. */
double cuda_engine_overhead(const struct request *request);

/* Nanoseconds that starting the driver takes; 0 once it has started. */
double cuda_engine_startup(void);

/* Opens the plan's device and loads its kernels. */
consort_status cuda_engine_prepare(struct consort_plan *plan);

/* Runs a plan of this engine, for device or host arrays. */
consort_status cuda_engine_run(const struct consort_plan *plan, const struct run *run);

/* Gives back what a context that is being destroyed keeps on GPUs. */
void cuda_engine_leave(struct consort_context *context);

#endif
