/* SPDX-License-Identifier: Apache-2.0 */
/* `msd`: radix sort from the most significant digit for keys alone. */
#ifndef CONSORT_CUDA_MSD_H
#define CONSORT_CUDA_MSD_H

#include "core/algorithm.h"

extern const struct algorithm msd_sort;

/* The workspace of a plan like this one for at most so many items, no more than its own, that has
 * what it was prepared with. */
uint64_t msd_workspace_for(const struct consort_plan *plan, uint64_t count);

#endif
