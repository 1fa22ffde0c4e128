/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data to sort: every distribution the command can generate, and hostile ones of the tests' own.
 */
#ifndef CONSORT_TESTS_DATASETS_H
#define CONSORT_TESTS_DATASETS_H

#include "operations/key_orders.h"

uint32_t dataset_count(void);
const char *dataset_name(uint32_t index);

/* Fills `items` with `count` items made from the dataset; a distribution that cannot make a type
 * is replaced by random bits. Bytes outside the fields of a record are random. */
void dataset_fill(uint32_t index, const struct key_order *order, void *items, uint64_t count,
                  uint64_t seed);

#endif
