/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads at once have asked how much memory is free, and not yet taken any. */
#ifndef CONSORT_TESTS_MEMORY_TURNS_H
#define CONSORT_TESTS_MEMORY_TURNS_H

#include <stdint.h>

/* From now on. Who asks then waits for a millisecond, in which others may ask, too. */
void memory_turns_begin(void);

/* Until now: the most. */
uint32_t memory_turns_end(void);

#endif
