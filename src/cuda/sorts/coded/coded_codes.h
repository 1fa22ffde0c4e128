/* SPDX-License-Identifier: Apache-2.0 */
/* Making the codes of a run, and running the operation on them. */
#ifndef CONSORT_CUDA_CODED_CODES_H
#define CONSORT_CUDA_CODED_CODES_H

#include "core/plan.h"
#include "cuda/launch.h"
#include "cuda/sorts/coded/coded_request.h"

enum {
    CODED_USUAL_COLUMNS = 8
};

struct coded_state {
    struct coded_request coded;
    struct consort_plan operation; /* on the codes; its request is a copy of coded's */
    struct consort_plan argsort;   /* of the items, for ranks; else all 0 */
    struct launch encode, ranks, places, put, gather;
    uint32_t blocks;
};

/* The columns of a run, and behind them the items as one more. */
struct coded_columns {
    consort_column usual[CODED_USUAL_COLUMNS];
    consort_column *all;
};

/* As struct algorithm has them. */
consort_status coded_prepare(struct consort_plan *plan, const struct device *device);
void coded_release(struct consort_plan *plan);

/* Queues what makes the code of each of the run's items, the second list's behind the first's. */
consort_status coded_make(const struct consort_plan *plan, const struct run *run);

/* Columns for the operation on the codes; to be released, whatever the status. */
consort_status coded_columns_make(struct coded_columns *columns, const struct request *request,
                                  const consort_arguments *arguments);
void coded_columns_release(struct coded_columns *columns);

/* Queues the operation on the codes. */
consort_status coded_operate(const struct consort_plan *plan, const struct run *run,
                             const consort_arguments *arguments);

/* A place in the run's workspace. */
static inline void *coded_at(const struct run *run, uint64_t place)
{
    return (char *)run->workspace + place;
}

#endif
