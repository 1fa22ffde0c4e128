/* SPDX-License-Identifier: Apache-2.0 */
/* Sort and argsort by merge sort, for any order. */
#ifndef CONSORT_CPU_SORT_MERGE_H
#define CONSORT_CPU_SORT_MERGE_H

#include "core/algorithm.h"

extern const struct algorithm sort_merge;
extern const struct algorithm argsort_merge;

#endif
