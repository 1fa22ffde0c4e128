/* SPDX-License-Identifier: Apache-2.0 */
/* What `msd` takes, for the planner. */
#ifndef CONSORT_MSD_COST_H
#define CONSORT_MSD_COST_H

#include <stdbool.h>

#include "core/request.h"

/* `alone`: the list is one leaf; `is_short`: one launch sorts it; `roomy`: buckets may have rooms.
 */
double msd_nanoseconds(const struct request *request, bool alone, bool is_short, bool roomy);

#endif
