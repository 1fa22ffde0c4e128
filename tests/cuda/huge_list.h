/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of more than 2^32 items for tests on a GPU: made and looked at by all processors, since one
 * would take most of the time. Only with CONSORT_TEST_LARGE=1 and on a GPU with enough memory.
 */
#ifndef CONSORT_TESTS_HUGE_LIST_H
#define CONSORT_TESTS_HUGE_LIST_H

#include <stdint.h>

#include "consort.h"

/* Skips the test unless it was asked for and the device has the memory. */
void huge_list_need(uint64_t bytes);

void *huge_list_new(uint64_t bytes);

/* Calls `part` for stretches that make up [0, count), on several threads at once; returns the sum
 * of what it returns. */
typedef uint64_t huge_list_part(void *context, uint64_t begin, uint64_t end);
uint64_t huge_list_each(uint64_t count, huge_list_part *part, void *context);

/* Such parts: random keys of 1 and of 4 bytes, and a sum over keys of 4 bytes in which their order
 * does not matter. */
uint64_t huge_list_random_bytes(void *keys, uint64_t begin, uint64_t end);
uint64_t huge_list_random_words(void *keys, uint64_t begin, uint64_t end);
uint64_t huge_list_sum_words(void *keys, uint64_t begin, uint64_t end);

/* How many items of each value there are. */
void huge_list_count_bytes(const uint8_t *keys, uint64_t count, uint64_t counts[256]);

void huge_list_expect_equal(const void *found, const void *expected, uint64_t bytes);
void huge_list_expect_sorted(const void *keys, uint64_t count, consort_type type);

/* A plan for the GPU's memory by `algorithm`, NULL: the planner's choice; one value of
 * `value_bytes` with each key, 0: none. NULL if the algorithm cannot do so many: the reason is
 * printed. */
consort_plan *huge_list_plan(const char *algorithm, int32_t operation, consort_type type,
                             uint64_t count, uint64_t value_bytes);

#endif
