/* SPDX-License-Identifier: Apache-2.0 */
/* `bitonic` on the GPU: Batcher's network over the whole array, in place, any length. */
#ifndef CONSORT_CUDA_BITONIC_H
#define CONSORT_CUDA_BITONIC_H

#include "core/algorithm.h"

extern const struct algorithm cuda_bitonic_sort;
extern const struct algorithm cuda_bitonic_argsort;

#endif
