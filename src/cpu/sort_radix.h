/* SPDX-License-Identifier: Apache-2.0 */
/* Sort and argsort by the radix and counting kernels. */
#ifndef CONSORT_CPU_SORT_RADIX_H
#define CONSORT_CPU_SORT_RADIX_H

#include "core/algorithm.h"

extern const struct algorithm sort_lsd;
extern const struct algorithm sort_msd;
extern const struct algorithm sort_counting;
extern const struct algorithm sort_inplace;
extern const struct algorithm argsort_lsd;
extern const struct algorithm argsort_msd;

/* True if the kernels move the items and all values; false: positions, and the columns are
 * gathered. */
bool sort_radix_is_direct(const struct request *request);

/* Bytes of the codes that are sorted. */
uint32_t sort_radix_width(const struct request *request);

#endif
