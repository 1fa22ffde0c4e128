/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads a run has: one for so many items, at most. Waking one takes up to 60 µs, and
 * more than 100 where a sandbox handles system calls (2^14 u32 by 16 threads there: 2.3 ms). Teams
 * and the planner's estimates go by the same rule.
 */
#ifndef CONSORT_CPU_SHARE_H
#define CONSORT_CPU_SHARE_H

#include "core/algorithm.h"
#include "cpu/team.h"

/* Items for each thread, at least: the fewer, the more work an item is. */
enum share {
    SHARE_PIECES = 1 << 11, /* some threads wait for the caller */
    SHARE_MERGE_SORT = 1 << 12,
    SHARE_MERGE = 1 << 13,
    SHARE_HEAP = 1 << 13,
    SHARE_SELECT = 1 << 14,
    SHARE_RADIX = 1 << 15,
    SHARE_SCAN = 1 << 15,
    SHARE_COUNTING = 1 << 18
};

/* Threads for `count` items; at least 1. */
uint32_t share_threads(const struct request *request, uint64_t count, enum share share);

/* A team of as many; NULL, with the error recorded, without memory. */
struct team *share_team(const struct request *request, uint64_t count, enum share share);

#endif
