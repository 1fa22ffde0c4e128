/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of device plans for tests: on a stream of their own, waited for. */
#ifndef CONSORT_TESTS_DEVICE_RUN_H
#define CONSORT_TESTS_DEVICE_RUN_H

#include <stdbool.h>

#include "consort.h"

/* An engine by force, and an order. */
consort_options device_run_options(int32_t engine, int32_t direction, int32_t float_order);

/* So many more items than `count` that a plan should allow: none, a few, or so many that it is one
 * for long lists that runs a short one. */
uint64_t device_run_room(uint64_t count);

/* Whether the algorithm of that number sorts or argsorts arrays in a GPU's memory; *info is of it,
 * whatever it does. */
bool device_run_sorts(uint32_t number, consort_algorithm_info *info);

/* A plan, or the test has failed. */
consort_plan *device_run_plan(const consort_descriptor *descriptor);

/* Queues the run directly or, `captured`, as a graph, launched on other data and then on these;
 * waits. A plan that replays does so, too, by itself. */
void device_run(const consort_plan *plan, const consort_arguments *arguments, void *workspace,
                bool captured);

#endif
