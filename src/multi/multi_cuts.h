/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where to cut sorted runs so that every part of their merge is exactly as large as wanted: of all
 * runs together the first `rank` items, equal items by run and then by place, which keeps a merge
 * stable and makes parts of repeated keys as large as any others.
 */
#ifndef CONSORT_MULTI_CUTS_H
#define CONSORT_MULTI_CUTS_H

#include "core/order.h"

/* `count` items, of which every `run_items` are a sorted run; the last may be shorter. */
struct multi_runs {
    const struct order *order;
    const char *items;
    uint64_t count, run_items;
    uint32_t run_count;
};

/* Sets cuts[r] to the number of items of run r among the first `rank`. `spare` has room for
 * 3 * run_count numbers. The result depends on nothing but the items. */
void multi_cuts_find(const struct multi_runs *runs, uint64_t rank, uint64_t *cuts, uint64_t *spare);

#endif
