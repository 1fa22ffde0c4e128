/* SPDX-License-Identifier: Apache-2.0 */
/* What the textbook radix sorts share on the host: from a shape to workspace, kernels, a run. */
#ifndef CONSORT_RADIX_STEPS_RUN_H
#define CONSORT_RADIX_STEPS_RUN_H

#include "core/algorithm.h"

/* What tells one of them from another. */
struct radix_steps_shape {
    uint32_t block;      /* threads */
    uint32_t bits;       /* of a digit */
    uint32_t coarsening; /* keys a thread */
    bool direct;         /* keys go straight to their places; bits and coarsening are 1 */
    bool one_launch;     /* a pass; of direct ones */
};

/* For an algorithm's `workspace`, `prepare` and `run`. Blocks become multiples of 32; coarsening a
 * power of two, and less if items are so wide that a tile would not fit. */
uint64_t radix_steps_workspace(const struct request *request, struct radix_steps_shape shape);
consort_status radix_steps_prepare(struct consort_plan *plan, const struct device *device,
                                   struct radix_steps_shape shape);
consort_status radix_steps_run(const struct consort_plan *plan, const struct run *run);

/* Passes over the keys of a request. */
uint32_t radix_steps_passes(const struct request *request, uint32_t bits);

#endif
