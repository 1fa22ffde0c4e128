/* SPDX-License-Identifier: Apache-2.0 */
/* Serial sorts of plain codes in place, without workspace: quicksort and the bitonic network. */
#ifndef CONSORT_CPU_CODE_SORTS_H
#define CONSORT_CPU_CODE_SORTS_H

#include "core/algorithm.h"

extern const struct algorithm sort_quick;
extern const struct algorithm sort_bitonic_serial;

#endif
