/* SPDX-License-Identifier: Apache-2.0 */
/* Runs by `merge-chunks`. */
#ifndef CONSORT_MULTI_RUN_H
#define CONSORT_MULTI_RUN_H

#include "core/plan.h"
#include "multi/multi_clock.h"

/* The plan's parameters, in the order of the registry's entry. */
enum multi_parameter {
    MULTI_CHUNKS,
    MULTI_MEMORY
};

/* Its counters; of the last two kinds one for each multi_step. */
enum multi_counter {
    MULTI_COUNT_CHUNKS,
    MULTI_COUNT_DEVICES,
    MULTI_COUNT_FAILED,
    MULTI_COUNT_OPEN,
    MULTI_COUNT_CHUNK_PHASE,
    MULTI_COUNT_CUTS,
    MULTI_COUNT_PART_PHASE,
    MULTI_COUNT_CHUNK_STEPS,
    MULTI_COUNT_PART_STEPS = MULTI_COUNT_CHUNK_STEPS + MULTI_STEPS
};

enum {
    MULTI_RUN_FILL = 2 /* turns of a phase in which only one direction of the bus is busy */
};

/* How many chunks each of so many GPUs gets if nobody says: so many that the first and the last do
 * not matter, so few that their copies are worth queueing. */
uint32_t multi_run_chunks(const struct request *request, uint32_t devices, uint64_t count);

consort_status multi_run(const struct consort_plan *plan, const struct run *run);

#endif
