/* SPDX-License-Identifier: Apache-2.0 */
/* What every algorithm of the operation `merge` does around its launches. */
#ifndef CONSORT_MERGE_TWO_LISTS_H
#define CONSORT_MERGE_TWO_LISTS_H

#include "core/plan.h"
#include "cuda/launch.h"
#include "cuda/sorts/merge/merge_layout.h"

/* Queues the launches that merge a's two lists. */
typedef consort_status merge_two_launches(const struct consort_plan *plan,
                                          const struct merge_arguments *a, consort_stream stream);

/* Bytes of workspace, of which `own` are the algorithm's, at the start. */
uint64_t merge_two_lists_workspace(const struct request *request, uint64_t own);

/* Merges the run's two lists: columns that do not move with the keys are gathered by an index. */
consort_status merge_two_lists_run(const struct consort_plan *plan, const struct run *run,
                                   uint64_t own, const struct launch *gather,
                                   merge_two_launches *launches);

#endif
