/* SPDX-License-Identifier: Apache-2.0 */
/* An exercise: the data of one test case, and what the reference says must come out. */
#ifndef CONSORT_TESTS_EXERCISE_H
#define CONSORT_TESTS_EXERCISE_H

#include "operations/factors.h"
#include "reference/reference.h"

struct exercise {
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

/* Exits when memory runs out. The test case must stay while the exercise is used. */
void exercise_make(struct exercise *exercise, const struct test_case *test);
void exercise_release(struct exercise *exercise);

/* Items that come out: of each row of top_k min(k, row length), else all. */
uint64_t exercise_selected(const struct exercise *exercise);

#endif
