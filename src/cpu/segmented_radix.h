/* SPDX-License-Identifier: Apache-2.0 */
/* Segmented sort by radix kernels. */
#ifndef CONSORT_CPU_SEGMENTED_RADIX_H
#define CONSORT_CPU_SEGMENTED_RADIX_H

#include "core/algorithm.h"

extern const struct algorithm segmented_radix;

#endif
