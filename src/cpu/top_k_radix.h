/* SPDX-License-Identifier: Apache-2.0 */
/* Selecting the first k of an array of plain codes by radix histograms. */
#ifndef CONSORT_CPU_TOP_K_RADIX_H
#define CONSORT_CPU_TOP_K_RADIX_H

#include "core/algorithm.h"

extern const struct algorithm top_k_radix;

#endif
