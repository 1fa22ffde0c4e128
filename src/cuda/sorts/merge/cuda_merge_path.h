/* SPDX-License-Identifier: Apache-2.0 */
/* `merge-path` on the GPU: merging two sorted lists. */
#ifndef CONSORT_CUDA_MERGE_PATH_H
#define CONSORT_CUDA_MERGE_PATH_H

#include "core/algorithm.h"

extern const struct algorithm cuda_merge_path;

#endif
