/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps: all the cases of one operation that a tier of tests asks for. */
#ifndef CONSORT_TESTS_SWEEP_H
#define CONSORT_TESTS_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

enum sweep_kind {
    SWEEP_PRODUCT,
    SWEEP_PAIRWISE,
    SWEEP_FULL,
    SWEEP_PARALLEL,
    SWEEP_MIDDLE
};

/* Runs the cases, prints failures with what reproduces them and a summary; true if none failed. */
bool sweep(enum sweep_kind kind, int32_t operation);

void sweep_finish(void);

#endif
