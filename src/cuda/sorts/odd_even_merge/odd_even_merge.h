/* SPDX-License-Identifier: Apache-2.0 */
/* `odd-even-merge`: Batcher's odd-even merge network over the whole array, in place. */
#ifndef CONSORT_CUDA_ODD_EVEN_MERGE_H
#define CONSORT_CUDA_ODD_EVEN_MERGE_H

#include "core/algorithm.h"

extern const struct algorithm odd_even_merge_sort;
extern const struct algorithm odd_even_merge_argsort;

#endif
