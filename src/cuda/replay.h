/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs that come again. A plan whose descriptor asks for it records the launches of a run that it
 * has seen before as a CUDA graph, and replays them from then on. Safe for several threads.
 */
#ifndef CONSORT_CUDA_REPLAY_H
#define CONSORT_CUDA_REPLAY_H

#include "core/algorithm.h"

struct replay;

/* For runs with so many columns; NULL, with the error recorded, without memory. */
struct replay *replay_create(uint32_t columns);

/* NULL is allowed. */
void replay_destroy(struct replay *replay);

/* Queues the plan's run, by its recording if there is one. The device is entered, the arguments are
 * checked. What cannot be recorded or replayed is queued launch by launch. */
consort_status replay_run(struct replay *replay, const struct consort_plan *plan,
                          const struct run *run);

#endif
