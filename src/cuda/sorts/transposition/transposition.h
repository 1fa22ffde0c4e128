/* SPDX-License-Identifier: Apache-2.0 */
/* `transposition`: odd-even transposition sort, in place, quadratic. */
#ifndef CONSORT_CUDA_TRANSPOSITION_H
#define CONSORT_CUDA_TRANSPOSITION_H

#include "core/algorithm.h"

extern const struct algorithm transposition_sort;
extern const struct algorithm transposition_argsort;

#endif
