/* SPDX-License-Identifier: Apache-2.0 */
/* Random cases for every algorithm, for tests that make runs fail. */
#ifndef CONSORT_TESTS_SAMPLING_H
#define CONSORT_TESTS_SAMPLING_H

#include "operations/attempt.h"

/* A random case of one entry that a plan can be made for, called through a plan, of the length
 * factor_length gives for `length`, the level of that factor; false if none is found. */
bool sampling_case(uint32_t entry, uint32_t length, uint64_t *random, struct test_case *test);

#endif
