/* SPDX-License-Identifier: Apache-2.0 */
/* Sort and argsort by the radix and counting kernels. */
#ifndef CONSORT_CPU_SORT_RADIX_H
#define CONSORT_CPU_SORT_RADIX_H

#include "core/algorithm.h"
#include "cpu/team.h"

extern const struct algorithm sort_lsd;
extern const struct algorithm sort_msd;
extern const struct algorithm sort_counting;
extern const struct algorithm sort_inplace;
extern const struct algorithm argsort_lsd;
extern const struct algorithm argsort_msd;

/* True if the kernels move the items and all values; false: positions, and the columns are
 * gathered. */
bool sort_radix_is_direct(const struct request *request);

/* Bytes of the codes that are sorted. */
uint32_t sort_radix_width(const struct request *request);

/* Items for each thread, at least: waking one takes up to 60 µs, and more than 100 where a sandbox
 * handles system calls (2^14 u32 by 16 threads there: 2.3 ms). */
enum {
    SORT_RADIX_SHARE = 1 << 15
};

/* A team for the run, each of whose threads has `share` items or more; NULL, with the error
 * recorded, without memory. */
struct team *sort_radix_team(const struct consort_plan *plan, const struct run *run,
                             uint64_t share);

#endif
