/* SPDX-License-Identifier: Apache-2.0 */
/* `lsd` on the GPU: stable radix sort from the lowest digit up, one pass over memory a digit. */
#ifndef CONSORT_LSD_H
#define CONSORT_LSD_H

#include "core/algorithm.h"

extern const struct algorithm lsd_sort;
extern const struct algorithm lsd_argsort;

#endif
