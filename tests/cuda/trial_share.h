/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trials of a program, split among processes. compute-sanitizer makes a run a hundred times as
 * long: what takes seconds alone takes an hour under racecheck, and one GPU serves many processes.
 */
#ifndef CONSORT_TESTS_TRIAL_SHARE_H
#define CONSORT_TESTS_TRIAL_SHARE_H

#include <stdbool.h>

/* Whether the next trial is this process's. CONSORT_TEST_SHARE=K/N: every Nth trial from the Kth
 * on, counted from 0; without it, all are. Anything else in that variable fails the test. */
bool trial_share_takes_next(void);

/* Whether a test that is one long trial is this process's: every one of up to four takes it. */
bool trial_share_takes_test(void);

#endif
