/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of 8 and 16 bits that come and go in pieces: counted as they come, made of the counts as
 * they go. Memory holds a piece for each thread, and never the items.
 */
#ifndef CONSORT_CPU_PIECES_COUNTED_H
#define CONSORT_CPU_PIECES_COUNTED_H

#include "core/plan.h"

bool pieces_counted_suits(const struct request *request);
uint64_t pieces_counted_workspace(const struct request *request, const int64_t *parameters);
consort_status pieces_counted_run(const struct consort_plan *plan, const struct run *run);

#endif
