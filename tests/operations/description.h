/* SPDX-License-Identifier: Apache-2.0 */
/* From an exercise to the descriptor and options that ask for it. */
#ifndef CONSORT_TESTS_DESCRIPTION_H
#define CONSORT_TESTS_DESCRIPTION_H

#include "operations/exercise.h"

enum {
    DESCRIPTION_PARAMETERS = 8
};

struct description {
    consort_options options;
    consort_descriptor descriptor;
    consort_parameter parameters[DESCRIPTION_PARAMETERS];
};

/* Needs the numbers of the exercise, not its data. The description must not move. */
void description_make(struct description *description, const struct exercise *exercise,
                      consort_context *context);

/* Is this case put to the one-call function? */
bool description_is_plain(const struct exercise *exercise);

#endif
