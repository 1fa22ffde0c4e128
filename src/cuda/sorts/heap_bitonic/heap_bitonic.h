/* SPDX-License-Identifier: Apache-2.0 */
/* `heap-bitonic`: heap-sorted chunks, then bitonic merges, in place. */
#ifndef CONSORT_CUDA_HEAP_BITONIC_H
#define CONSORT_CUDA_HEAP_BITONIC_H

#include "core/algorithm.h"

extern const struct algorithm heap_bitonic_sort;
extern const struct algorithm heap_bitonic_argsort;

#endif
