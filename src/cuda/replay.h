/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs that come again. A plan whose descriptor asks for it records the launches of a run that it
 * has seen before as a CUDA graph, and replays them from then on. Safe for several threads.
 */
#ifndef CONSORT_CUDA_REPLAY_H
#define CONSORT_CUDA_REPLAY_H

#include "core/algorithm.h"
#include "cuda/driver/device.h"

struct replay;

/* For runs with so many columns; NULL, with the error recorded, without memory. */
struct replay *replay_create(uint32_t columns);

/* NULL is allowed. */
void replay_destroy(struct replay *replay);

/* Queues the plan's run of at least one item, and records it if it has come before: of a recorded
 * one the arrays, which are where they were, are not looked at again, which takes longer than all
 * else. What cannot be recorded or replayed is queued launch by launch. The device is entered. */
consort_status replay_run(struct replay *replay, const struct consort_plan *plan,
                          const struct device *device, const struct run *run);

#endif
