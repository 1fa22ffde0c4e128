/* SPDX-License-Identifier: Apache-2.0 */
/* `merge-lists` on the GPU: merging two sorted lists, segment by segment. */
#ifndef CONSORT_MERGE_LISTS_H
#define CONSORT_MERGE_LISTS_H

#include "core/algorithm.h"

extern const struct algorithm cuda_merge_lists;

#endif
