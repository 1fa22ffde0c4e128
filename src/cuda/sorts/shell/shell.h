/* SPDX-License-Identifier: Apache-2.0 */
/* `shell`: CUDA shellsort, in place, with constant workspace. */
#ifndef CONSORT_CUDA_SHELL_H
#define CONSORT_CUDA_SHELL_H

#include "core/algorithm.h"

extern const struct algorithm shell_sort;
extern const struct algorithm shell_argsort;

#endif
