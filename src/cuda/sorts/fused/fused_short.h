/* SPDX-License-Identifier: Apache-2.0 */
/* Short lists in one launch: keys of 4 bytes, and what moves with them, 4 bytes or an index. */
#ifndef CONSORT_FUSED_SHORT_H
#define CONSORT_FUSED_SHORT_H

#include "core/plan.h"
#include "cuda/sorts/lsd/lsd_request.h"
#include "cuda/sorts/msd/msd_kernels.h"

struct fused_short {
    struct msd_kernel whole;
    struct launch alone; /* of a list that is one leaf, that of `hybrid` */
    bool held;           /* every list of a plan by blocks of one launch */
};

/* Most bytes of shared memory that a block of these kernels needs. */
uint32_t fused_short_shared(void);

/* False if a kernel cannot be had, as consort_last_error() tells. */
bool fused_short_find(const struct device *device, struct fused_short *kernels);

/* Whether lists of so many keys are short, if leaves have at most so many words. */
bool fused_is_short(uint64_t count, uint32_t leaf);

/* What a request's short lists take of the workspace; less if blocks hold all of them. */
struct lsd_workspace fused_short_lay_out(const struct request *request, bool held);

consort_status fused_short_run(const struct request *request, const struct fused_short *kernels,
                               const struct run *run, uint32_t leaf);

/* Estimated nanoseconds. */
double fused_short_cost(const struct request *request);

#endif
