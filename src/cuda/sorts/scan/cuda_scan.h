/* SPDX-License-Identifier: Apache-2.0 */
/* is_sorted on the GPU: one read, given up at the first disorder. */
#ifndef CONSORT_CUDA_SCAN_H
#define CONSORT_CUDA_SCAN_H

#include "core/algorithm.h"

extern const struct algorithm cuda_scan_is_sorted;

#endif
