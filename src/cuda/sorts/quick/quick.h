/* SPDX-License-Identifier: Apache-2.0 */
/* `quick`: quicksort on the GPU, split three ways around the median of a sample. */
#ifndef CONSORT_CUDA_QUICK_H
#define CONSORT_CUDA_QUICK_H

#include "core/algorithm.h"

extern const struct algorithm quick_sort;
extern const struct algorithm quick_argsort;

#endif
