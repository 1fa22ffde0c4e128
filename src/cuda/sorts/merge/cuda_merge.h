/* SPDX-License-Identifier: Apache-2.0 */
/* `merge` on the GPU: stable merge sort. */
#ifndef CONSORT_CUDA_MERGE_H
#define CONSORT_CUDA_MERGE_H

#include "core/algorithm.h"

extern const struct algorithm cuda_merge_sort;
extern const struct algorithm cuda_merge_argsort;

#endif
