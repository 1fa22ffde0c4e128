/* SPDX-License-Identifier: Apache-2.0 */
/* Driver calls that fail on demand: the emulator in this process. */
#ifndef CONSORT_TESTS_EMULATOR_FAULTS_H
#define CONSORT_TESTS_EMULATOR_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "consort.h"

/* Is the driver that the library will open the emulator? */
bool emulator_find(void);

/* The `at`th call of a kind from now on, counted from 1, fails: "any", "launch", …; "lost:0": from
 * that call on, all on GPU 0. NULL: none does. */
void emulator_fail(const char *what, uint64_t at);

/* Driver calls since emulator_fail. */
uint64_t emulator_calls(void);

/* Is this what the library makes of a driver's failure? */
bool emulator_caused(consort_status status);

#endif
