/* SPDX-License-Identifier: Apache-2.0 */
/* The guarded arrays of one attempt: laid out, filled, and compared afterwards. */
#ifndef CONSORT_TESTS_BUFFERS_H
#define CONSORT_TESTS_BUFFERS_H

#include "operations/exercise.h"
#include "support/guarded.h"

struct buffers {
    struct guarded in, in_b, out, indices, offsets, workspace;
    struct guarded value_in[FACTOR_COLUMNS], value_in_b[FACTOR_COLUMNS], value_out[FACTOR_COLUMNS];
    consort_column columns[FACTOR_COLUMNS];
    consort_outcome outcome;
};

/* Fills buffers and `arguments` for the exercise. */
void buffers_fill(struct buffers *buffers, const struct exercise *exercise,
                  consort_arguments *arguments);

/* All inputs that the form of the case promises to leave alone are read-only until unlocked. */
void buffers_lock(struct buffers *buffers, const struct exercise *exercise);
void buffers_unlock(struct buffers *buffers);

/* NULL, or which buffer was written outside, or which input was changed. */
const char *buffers_damage(const struct buffers *buffers, const struct exercise *exercise);

/* Does every input, also one sorted in place, hold what it held? */
bool buffers_are_whole(const struct buffers *buffers, const struct exercise *exercise);

/* Do outputs apart from the inputs still hold nothing? */
bool buffers_are_unwritten(const struct buffers *buffers, const struct exercise *exercise);

/* Keys in place? Values in place? */
bool buffers_keys_stay(const struct exercise *exercise);
bool buffers_values_stay(const struct exercise *exercise);

void buffers_release(struct buffers *buffers);

#endif
