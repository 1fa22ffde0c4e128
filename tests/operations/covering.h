/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covering arrays of strength two: few rows that together hold every pair of levels of every two
 * factors (greedy, after Cohen, Dalal, Fredman & Patton 1997).
 */
#ifndef CONSORT_TESTS_COVERING_H
#define CONSORT_TESTS_COVERING_H

#include "operations/factors.h"

struct covering {
    uint32_t levels[FACTOR_COUNT];
    uint32_t base[FACTOR_COUNT][FACTOR_COUNT]; /* of the pair (f, g), f < g, in `covered` */
    unsigned char *covered;
    uint32_t pairs;
    uint32_t left;     /* not yet covered */
    uint32_t given_up; /* pairs that no valid row was found for */
    uint32_t next;     /* where the search for an uncovered pair goes on */
    uint64_t random;
};

void covering_begin(struct covering *covering, uint64_t seed);

/* The next row, normalised, that `possible` accepts; false when every pair is covered or given up.
 */
bool covering_next(struct covering *covering, bool (*possible)(const struct test_case *test),
                   struct test_case *row);

void covering_end(struct covering *covering);

#endif
