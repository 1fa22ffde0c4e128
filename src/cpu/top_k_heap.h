/* SPDX-License-Identifier: Apache-2.0 */
/* Selecting the first k of an order with heaps, for any order. */
#ifndef CONSORT_CPU_TOP_K_HEAP_H
#define CONSORT_CPU_TOP_K_HEAP_H

#include "core/algorithm.h"

extern const struct algorithm top_k_heap;

#endif
