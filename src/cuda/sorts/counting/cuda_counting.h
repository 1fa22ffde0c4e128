/* SPDX-License-Identifier: Apache-2.0 */
/* `counting` on the GPU: 8- and 16-bit keys alone, one read and one write. */
#ifndef CONSORT_CUDA_COUNTING_H
#define CONSORT_CUDA_COUNTING_H

#include "core/algorithm.h"

extern const struct algorithm cuda_counting_sort;

#endif
