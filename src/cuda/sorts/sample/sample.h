/* SPDX-License-Identifier: Apache-2.0 */
/* `sample`: sample sort on the GPU, with oversampled splitters and buckets of equality. */
#ifndef CONSORT_CUDA_SAMPLE_H
#define CONSORT_CUDA_SAMPLE_H

#include "core/algorithm.h"

extern const struct algorithm sample_sort;
extern const struct algorithm sample_argsort;

#endif
