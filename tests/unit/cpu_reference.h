/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An independent reference for the CPU engine's tests: how two keys compare, from the words of the
 * manual, and a stable sort, both without any code of the library.
 */
#ifndef CONSORT_TEST_CPU_REFERENCE_H
#define CONSORT_TEST_CPU_REFERENCE_H

#include <stdint.h>

#include "consort.h"

/* Fields of a record; a scalar or byte-string key is a record of one field. */
struct reference_order {
    uint64_t item_bytes;
    consort_field fields[4];
    uint32_t field_count;
};

int reference_compare(const struct reference_order *order, const void *a, const void *b);

/* The stable permutation that sorts items[first…last) into indices[first…last). */
void reference_argsort(const struct reference_order *order, const void *items, uint64_t *indices,
                       uint64_t first, uint64_t last);

/* xorshift64*: the same numbers on every machine. */
uint64_t reference_random(uint64_t *state);

#endif
