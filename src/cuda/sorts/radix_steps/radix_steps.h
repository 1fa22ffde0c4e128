/* SPDX-License-Identifier: Apache-2.0 */
/* The four stages of the textbook's radix sort, each an algorithm. */
#ifndef CONSORT_RADIX_STEPS_H
#define CONSORT_RADIX_STEPS_H

#include "core/algorithm.h"

extern const struct algorithm radix_1bit_sort, radix_1bit_argsort;
extern const struct algorithm radix_1bit_tiled_sort, radix_1bit_tiled_argsort;
extern const struct algorithm radix_multibit_sort, radix_multibit_argsort;
extern const struct algorithm radix_coarsened_sort, radix_coarsened_argsort;

#endif
