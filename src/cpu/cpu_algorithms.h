/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU engine's part of the registry. */
#ifndef CONSORT_CPU_CPU_ALGORITHMS_H
#define CONSORT_CPU_CPU_ALGORITHMS_H

#include "core/algorithm.h"

extern const struct algorithm *const cpu_algorithms[];
extern const uint32_t cpu_algorithm_count;

#endif
