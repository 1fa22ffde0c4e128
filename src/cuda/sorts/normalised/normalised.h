/* SPDX-License-Identifier: Apache-2.0 */
/* Records and every key order on a GPU: radix sort of normalised keys with an index. */
#ifndef CONSORT_CUDA_NORMALISED_H
#define CONSORT_CUDA_NORMALISED_H

#include "core/algorithm.h"

extern const struct algorithm normalised_sort;
extern const struct algorithm normalised_argsort;

#endif
