/* SPDX-License-Identifier: Apache-2.0 */
/* Host arrays on a GPU: bring them there, run the device algorithm, bring the result back. */
#ifndef CONSORT_CUDA_STAGING_H
#define CONSORT_CUDA_STAGING_H

#include "cuda/driver/device.h"
#include "core/algorithm.h"

/* Runs a host plan of the GPU engine on a device that is entered, and waits for it. */
consort_status staging_run(const struct consort_plan *plan, const struct device *device,
                           const struct run *run);

#endif
