/* SPDX-License-Identifier: Apache-2.0 */
/* `hybrid` on the GPU: stable radix sort by the top digits, buckets finished in shared memory. */
#ifndef CONSORT_HYBRID_H
#define CONSORT_HYBRID_H

#include "core/algorithm.h"

extern const struct algorithm hybrid_sort;
extern const struct algorithm hybrid_argsort;

#endif
