/* SPDX-License-Identifier: Apache-2.0 */
/* is_sorted on the CPU: a parallel early-exit scan for the first disorder. */
#ifndef CONSORT_CPU_SCAN_H
#define CONSORT_CPU_SCAN_H

#include "core/algorithm.h"

extern const struct algorithm scan_is_sorted;

#endif
