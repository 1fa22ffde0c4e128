/* SPDX-License-Identifier: Apache-2.0 */
/* A problem: the data of one test case, and what the reference says must come out. */
#ifndef CONSORT_TESTS_PROBLEM_H
#define CONSORT_TESTS_PROBLEM_H

#include "operations/factors.h"
#include "reference/reference.h"

struct problem {
    const struct test_case *test;
    const struct entry *entry;
    const struct key_order *order;
    uint64_t count;   /* all items; merge: both lists */
    uint64_t count_a; /* merge: of the first list; else count */
    char *items;
    uint32_t columns;
    uint64_t column_bytes[FACTOR_COLUMNS];
    char *column[FACTOR_COLUMNS];
    struct reference reference;
    uint64_t *permutation; /* place j gets item permutation[j] */
    uint64_t *offsets;     /* segmented sort: segments + 1 of them */
    uint64_t segments;
    uint64_t rows, k;  /* top-k */
    uint64_t disorder; /* is-sorted */
};

/* Exits when memory runs out. The test case must stay while the problem is used. */
void problem_make(struct problem *problem, const struct test_case *test);
void problem_release(struct problem *problem);

/* Items that come out: of each row of top_k min(k, row length), else all. */
uint64_t problem_selected(const struct problem *problem);

#endif
