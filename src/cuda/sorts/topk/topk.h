/* SPDX-License-Identifier: Apache-2.0 */
/* The first k of the order on the GPU: a guessed threshold, one read, a sort of the candidates. */
#ifndef CONSORT_CUDA_TOPK_H
#define CONSORT_CUDA_TOPK_H

#include "core/algorithm.h"

extern const struct algorithm topk_radix_select;

#endif
