/* SPDX-License-Identifier: Apache-2.0 */
/* Runs by `merge-chunks`. */
#ifndef CONSORT_MULTI_RUN_H
#define CONSORT_MULTI_RUN_H

#include "core/plan.h"

/* The plan's parameters, in the order of the registry's entry. */
enum multi_parameter {
    MULTI_CHUNKS,
    MULTI_MEMORY
};

/* Its counters. */
enum multi_counter {
    MULTI_COUNT_CHUNKS,
    MULTI_COUNT_DEVICES,
    MULTI_COUNT_FAILED
};

consort_status multi_run(const struct consort_plan *plan, const struct run *run);

#endif
