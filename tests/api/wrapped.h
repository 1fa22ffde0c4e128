/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System functions made to fail: the linker turns calls of them, in the library's objects too, into
 * calls of __wrap_… (ld --wrap).
 */
#ifndef CONSORT_TESTS_WRAPPED_H
#define CONSORT_TESTS_WRAPPED_H

#include <stdint.h>

/* From now on the nth allocation (malloc, calloc, realloc, posix_memalign, strdup…) and all after
 * it fail; or, `once`, only the nth. 0: none. */
void wrapped_fail_allocation(uint64_t nth, int once);

/* Allocations since wrapped_fail_allocation. */
uint64_t wrapped_allocations(void);

/* The nth pthread_create from now on and all after it fail; 0: none. */
void wrapped_fail_thread(uint64_t nth);

#endif
