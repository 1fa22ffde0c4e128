/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stable merge sort without a second array, for any order and any columns: SymMerge (Kim &
 * Kutzner, Stable Minimum Storage Merging by Symmetric Comparisons, 2004). It takes no workspace
 * at all and O(n log² n) moves.
 */
#ifndef CONSORT_CPU_SYMMERGE_H
#define CONSORT_CPU_SYMMERGE_H

#include "cpu/columns.h"

/* Rows that move as a whole: the columns of a run, or positions of items that stay. */
struct symmerge_rows {
    const struct order *order;
    const char *items;    /* the column that is compared, or what positions point into */
    void *positions;      /* NULL: the columns below */
    uint32_t index_bytes; /* of a position */
    const struct request *request;
    const consort_arguments *arguments;
    bool in_first; /* the columns' `in` is sorted, not their `out` */
};

/* Sorts rows [first, last) on the calling thread. */
void symmerge_sort(const struct symmerge_rows *rows, uint64_t first, uint64_t last);

/* Sorts rows [0, count) by a team. False: cancelled. */
bool symmerge_sort_by_team(const struct symmerge_rows *rows, uint64_t count, struct team *team,
                           const struct checkpoint *checkpoint);

#endif
