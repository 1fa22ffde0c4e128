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

/* Several of them, as CONSORT_EMU_FAIL names them. */
void emulator_fail_all(const char *failures);

/* Driver calls since emulator_fail. */
uint64_t emulator_calls(void);

/* Bytes of all GPUs together that nobody holds. Nothing fails now. */
uint64_t emulator_unused_memory(void);

/* One use of the library with its `at`th call failing, whose outcome is checked. *over: the use had
 * fewer calls. */
typedef consort_status emulator_use(void *context, uint64_t at, bool *over);

/* A use for each of its calls. Fails the test if one ends with an error that no driver's failure
 * makes, or that names no GPU; *survived and *failed: how many were right all the same, and how
 * many were not. */
void emulator_fail_each_call(emulator_use *use, void *context, uint64_t *survived,
                             uint64_t *failed);

/* For each call a process of its own, in which the GPU is lost there: 0: as it should be, 1:
 * nothing was lost, which is the end; else wrong. Before anything opens the driver. */
void emulator_lose_at_each_call(int (*child)(const void *context, uint64_t at),
                                const void *context);

/* Does the thread's last error name that GPU, by its number and its name? */
bool emulator_blames(int32_t ordinal);

/* Or any; or is it about a call that is about none? */
bool emulator_blames_some(void);

/* Is this what the library makes of a driver's failure? */
bool emulator_caused(consort_status status);

#endif
