/* SPDX-License-Identifier: Apache-2.0 */
/* Host arrays on a GPU: bring them there, run the device algorithm, bring the result back. */
#ifndef CONSORT_CUDA_STAGING_H
#define CONSORT_CUDA_STAGING_H

#include "core/algorithm.h"

/* Runs a host plan of the GPU engine and waits for it. The device must be entered. */
consort_status staging_run(const struct consort_plan *plan, const struct run *run);

#endif
