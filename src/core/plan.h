/* SPDX-License-Identifier: Apache-2.0 */
/* Plans: a request, the algorithm chosen for it, its parameters and its workspace. Immutable, but
 * for the runs that one may remember. */
#ifndef CONSORT_CORE_PLAN_H
#define CONSORT_CORE_PLAN_H

#include "core/algorithm.h"

struct replay;

struct consort_plan {
    struct request request;
    const struct algorithm *algorithm;
    int64_t parameters[ALGORITHM_MAXIMUM_PARAMETERS];
    uint64_t workspace;
    int32_t device; /* −1 on the CPU */
    void *state;    /* GPUs: what algorithm->prepare left */
    /* GPUs: the runs that request.replay has remembered (cuda/replay.h), else NULL. */
    struct replay *replay;
    /* Host plans that the planner put on a GPU: the same on the CPU, for when the GPU fails. */
    struct consort_plan *fallback;
    bool narrow; /* by nothing but what takes of a GPU's memory what it gets (host_run) */
};

/* Frees plan->state and what it points to, and the runs that the plan remembers. */
void plan_release_state(struct consort_plan *plan);

/* Chooses algorithm, parameters and workspace for plan->request. */
consort_status planner_choose(struct consort_plan *plan);

/* Checks the arguments of a run against the plan: counts, places, alignment, overlap, offsets. A
 * workspace of the caller's, or NULL, has the bytes that the plan needs. */
consort_status arguments_check(const struct consort_plan *plan, const consort_arguments *arguments,
                               const void *workspace);

#endif
