/* SPDX-License-Identifier: Apache-2.0 */
/* `msd`: radix sort from the most significant digit for keys alone. */
#ifndef CONSORT_CUDA_MSD_H
#define CONSORT_CUDA_MSD_H

#include "core/algorithm.h"

extern const struct algorithm msd_sort;

#endif
