/* SPDX-License-Identifier: Apache-2.0 */
/* `hybrid` on the GPU: stable radix sort by the top digits, buckets finished in shared memory. */
#ifndef CONSORT_HYBRID_H
#define CONSORT_HYBRID_H

#include "core/plan.h"

extern const struct algorithm hybrid_sort;
extern const struct algorithm hybrid_argsort;

/* The same sort if the word in device memory is 0 then; else nothing happens. Of plans whose values
 * move with their keys, of more items than one leaf has. */
consort_status hybrid_run_unless(const struct consort_plan *plan, const struct run *run,
                                 const uint32_t *sorted);

/* What that takes. */
uint64_t hybrid_unless_workspace(const struct request *request);

#endif
