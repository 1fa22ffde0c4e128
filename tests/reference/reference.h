/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference: what every operation must give, by the simplest method that can be seen to be
 * right. Everything follows from one stable permutation.
 */
#ifndef CONSORT_TESTS_REFERENCE_H
#define CONSORT_TESTS_REFERENCE_H

#include "reference/reference_value.h"

/* A list of items in some order: key fields (one at offset 0 for plain keys), or a callback. */
struct reference_list {
    const void *items;
    uint64_t item_bytes;
    uint64_t count;
    const consort_field *fields;
    uint32_t field_count;
    consort_compare compare; /* used if there are no fields */
    void *compare_context;
};

/* Decoded keys of a list. */
struct reference {
    struct reference_list list;
    struct reference_value *values;
};

/* False when memory runs out. The items must stay while the reference is used. */
bool reference_make(struct reference *reference, const struct reference_list *list);
void reference_release(struct reference *reference);

/* −1, 0, 1: item i before, with, after item j. */
int reference_order(const struct reference *reference, uint64_t i, uint64_t j);

/* permutation[j] for j in [first, last): the position of the j-th item when that part of the list
 * is sorted by itself, equal items in the order they had. False when memory runs out. */
bool reference_sort(const struct reference *reference, uint64_t first, uint64_t last,
                    uint64_t *permutation);

/* The least i with item i before item i − 1; the count if there is none. */
uint64_t reference_first_disorder(const struct reference *reference);

#endif
