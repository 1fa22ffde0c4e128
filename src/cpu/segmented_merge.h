/* SPDX-License-Identifier: Apache-2.0 */
/* Segmented sort by merge sort, for any order. */
#ifndef CONSORT_CPU_SEGMENTED_MERGE_H
#define CONSORT_CPU_SEGMENTED_MERGE_H

#include "core/algorithm.h"

extern const struct algorithm segmented_merge;

#endif
