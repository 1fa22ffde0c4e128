/* SPDX-License-Identifier: Apache-2.0 */
/* What a trial of an operation works on, and what the reference makes of it. */
#ifndef CONSORT_TESTS_OPERATION_DATA_H
#define CONSORT_TESTS_OPERATION_DATA_H

#include "operation_trial.h"
#include "reference/reference.h"

enum {
    OPERATION_ARRAYS = 1 + OPERATION_COLUMNS
};

/* Array 0 holds the items, the others the columns; the second list stands behind the first. */
struct operation_data {
    unsigned char *given[OPERATION_ARRAYS];
    uint64_t bytes[OPERATION_ARRAYS]; /* of an element */
    uint32_t arrays;
    uint64_t total, results;
    uint64_t *offsets;
    uint32_t *offsets32;
    struct reference reference;
    uint64_t *permutation; /* result j is item permutation[j] */
    uint64_t disorder;
};

void operation_data_make(const struct operation_trial *trial, struct operation_data *d);
void operation_data_free(struct operation_data *d);

/* Aligned memory, or the test has failed. */
void *operation_bytes(uint64_t bytes);

#endif
