/* SPDX-License-Identifier: Apache-2.0 */
/* One sort of keys, with a column of values or as an argsort, in device memory, against the CPU
 * engine on the same bytes: what the tests of single algorithms vary. */
#ifndef CONSORT_TESTS_SORT_TRIAL_H
#define CONSORT_TESTS_SORT_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "consort.h"

enum {
    SORT_TRIAL_U32 = -4, /* argsorts, by the indices' type */
    SORT_TRIAL_U64 = -8,
    SORT_TRIAL_PARAMETERS = 5
};

struct distribution;

struct sort_trial {
    const char *algorithm; /* NULL: the planner's choice */
    const char *keys;      /* what they are, for messages */
    consort_type type;
    int32_t direction, float_order;
    int32_t form;
    int values; /* bytes of a value, or an argsort as above; 0: keys alone */
    uint64_t count;
    consort_parameter parameters[SORT_TRIAL_PARAMETERS]; /* of value 0: the algorithm's own */
    bool zeros;                                          /* parameters that have a name may be 0 */
    bool in_place;
    bool captured;
    uint64_t shift;     /* of values: they need no alignment */
    uint64_t key_shift; /* of keys; three times as many of sorted ones, if they are elsewhere */
    uint64_t seed;
};

/* Memory for keys on the host. */
unsigned char *sort_trial_array(uint64_t bytes);

/* Sorts on both engines with random values, and fails, with the trial, unless all bytes agree. */
consort_outcome sort_trial_run(const struct sort_trial *trial, const unsigned char *keys);

/* Does so if the trial is this process's share. */
void sort_trial_try(const struct sort_trial *trial, const unsigned char *keys);

/* Does so with random keys. By the seed's remainder by 5: of all bits, of none, or with bytes that
 * agree in all keys. */
void sort_trial_try_random(const struct sort_trial *trial);

/* Does so with a distribution's keys, if it has any of the type. */
void sort_trial_try_distribution(const struct sort_trial *trial,
                                 const struct distribution *distribution);

#endif
