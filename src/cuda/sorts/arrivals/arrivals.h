/* SPDX-License-Identifier: Apache-2.0 */
/* `merge-arrivals`: host arrays of keys alone, sorted while they arrive. */
#ifndef CONSORT_CUDA_ARRIVALS_H
#define CONSORT_CUDA_ARRIVALS_H

#include "core/algorithm.h"

extern const struct algorithm arrivals_sort;

#endif
