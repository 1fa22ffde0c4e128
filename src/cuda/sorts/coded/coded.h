/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every order for the GPU algorithms that know numbers only: each item gets a code, an unsigned
 * number, such that an operation on the codes is the operation on the items. The algorithm for
 * numbers then works on the codes, and the items move as one more column of values.
 */
#ifndef CONSORT_CUDA_CODED_H
#define CONSORT_CUDA_CODED_H

#include "core/algorithm.h"

extern const struct algorithm coded_segmented_sort;
extern const struct algorithm coded_merge;
extern const struct algorithm coded_top_k;

#endif
