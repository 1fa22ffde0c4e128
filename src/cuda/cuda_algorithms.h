/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU engine's part of the registry. */
#ifndef CONSORT_CUDA_CUDA_ALGORITHMS_H
#define CONSORT_CUDA_CUDA_ALGORITHMS_H

#include "core/algorithm.h"

extern const struct algorithm *const cuda_algorithms[];
extern const uint32_t cuda_algorithm_count;

#endif
