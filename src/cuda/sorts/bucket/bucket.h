/* SPDX-License-Identifier: Apache-2.0 */
/* `bucket`: slices by value, merged into buckets, each sorted by a bitonic network. */
#ifndef CONSORT_CUDA_BUCKET_H
#define CONSORT_CUDA_BUCKET_H

#include "core/algorithm.h"

extern const struct algorithm bucket_sort;
extern const struct algorithm bucket_argsort;

#endif
