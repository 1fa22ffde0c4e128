/* SPDX-License-Identifier: Apache-2.0 */
/* The same work by several threads at once. */
#ifndef CONSORT_TESTS_THREADS_H
#define CONSORT_TESTS_THREADS_H

#include <stddef.h>
#include <stdint.h>

#include "consort.h"

/* Each of `count` threads, at most 16, works on its own of an array of contexts; returns when all
 * have ended. With CONSORT_TEST_SERIAL=1 one after the other (serial_launches.c). */
void test_threads_run(uint32_t count, void *(*work)(void *context), void *contexts,
                      size_t context_bytes);

/* A context of four threads for all of them. */
consort_context *test_threads_context(void);

#endif
