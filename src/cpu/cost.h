/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the planner weighs: estimated nanoseconds of each algorithm. Fitted to the processor time of
 * uniform random input on one core of an AMD EPYC (Zen 5) shared with other work, n = 8 … 2·10⁶;
 * the figures stand beside each formula. Only the order among candidates matters.
 */
#ifndef CONSORT_CPU_COST_H
#define CONSORT_CPU_COST_H

#include "core/request.h"

double cost_lsd(const struct request *request);
double cost_msd(const struct request *request);
double cost_pieces(const struct request *request);
double cost_counting(const struct request *request);
double cost_inplace(const struct request *request);
double cost_merge(const struct request *request);
double cost_symmerge(const struct request *request);
double cost_quick(const struct request *request);
double cost_bitonic_serial(const struct request *request);
double cost_segmented_radix(const struct request *request);
double cost_segmented_merge(const struct request *request);
double cost_top_k_radix(const struct request *request);
double cost_top_k_heap(const struct request *request);

/* log2 of a count, rounded up, at least 1. */
double cost_levels(uint64_t count);

#endif
