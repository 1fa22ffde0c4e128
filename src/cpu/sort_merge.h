/* SPDX-License-Identifier: Apache-2.0 */
/* Sort and argsort by merge sort, for any order. */
#ifndef CONSORT_CPU_SORT_MERGE_H
#define CONSORT_CPU_SORT_MERGE_H

#include "core/algorithm.h"

extern const struct algorithm sort_merge;
extern const struct algorithm argsort_merge;

/* True if items are merged themselves, false if through an index. */
bool sort_merge_is_direct(const struct request *request);

uint64_t sort_merge_workspace(const struct request *request, const int64_t *parameters);

#endif
