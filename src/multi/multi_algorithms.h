/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the registry that needs no one GPU: lists longer than a GPU's memory, several GPUs.
 */
#ifndef CONSORT_MULTI_ALGORITHMS_H
#define CONSORT_MULTI_ALGORITHMS_H

#include "core/algorithm.h"

/* merge-chunks */
extern const struct algorithm multi_chunks_sort, multi_chunks_argsort;

extern const struct algorithm *const multi_algorithms[];
extern const uint32_t multi_algorithm_count;

#endif
