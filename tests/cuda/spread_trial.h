/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts of lists in the memory of several GPUs, compared with the CPU engine byte for byte. */
#ifndef CONSORT_TESTS_SPREAD_TRIAL_H
#define CONSORT_TESTS_SPREAD_TRIAL_H

#include <stdbool.h>

#include "consort.h"
#include "distributions.h"

enum spread_kind {
    SPREAD_KEYS,
    SPREAD_PAIRS,   /* a column of 4 bytes */
    SPREAD_WIDE,    /* a column of 16 bytes */
    SPREAD_COLUMNS, /* two columns, of 8 and of 3 bytes */
    SPREAD_ARGSORT,
    SPREAD_KINDS
};

enum {
    SPREAD_PARTS = 16,
    SPREAD_VALUES = 2,
    SPREAD_UNSET = 0xa5 /* bytes of outputs */
};

/* What is true of keys that are not drawn: all are large; those of every other part are, and the
 * rest small; a fifth of the small ones are large; all are among the largest eighth. */
enum spread_deceit {
    SPREAD_ALL_LARGE,
    SPREAD_LARGE_IN_TURN,
    SPREAD_LEANING,
    SPREAD_ALL_LARGEST
};

struct spread_trial {
    enum spread_kind kind;
    consort_type type;
    const struct distribution *distribution;
    int32_t direction, float_order;
    consort_type index_type; /* 0: CONSORT_U32 */
    /* If there are fields, records instead of keys of `type`. */
    const consort_field *fields;
    uint32_t field_count;
    uint64_t record_bytes;
    uint32_t letters;      /* bytes of items are one of so many; 0: the distribution's */
    uint64_t alike;        /* the first bytes of every item, all 0 */
    const char *algorithm; /* NULL: exchange */
    uint32_t parts;
    uint64_t counts[SPREAD_PARTS];
    uint64_t seed;
    int64_t ranges, sample, stored, room;
    uint64_t deceived; /* keys of 4 bytes that a sample of so many is wrong about; 0: none */
    enum spread_deceit deceit;
    uint64_t off; /* bytes by which values lie off what the driver gives */
    bool in_place;
    consort_context *context;
    consort_outcome outcome; /* of the last run */
};

/* The whole list in host memory, and what must come out. */
struct spread_data {
    uint64_t count, result_bytes; /* of an element of the result */
    uint32_t columns;
    unsigned char *keys, *values[SPREAD_VALUES], *sorted, *sorted_values[SPREAD_VALUES];
};

struct spread_data spread_data_of(const struct spread_trial *trial);
void spread_data_free(struct spread_data *data);

/* A part for each device, two at least; and twice as many but one. At most SPREAD_PARTS. */
uint32_t spread_usual_parts(void);
uint32_t spread_most_parts(void);

/* Part p is on device p, modulo the number of devices there are. */
int32_t spread_device(uint32_t part);

/* Arrays of all parts on their devices; NULL where there are no items. Failures of the test's own
 * calls end the test. */
struct spread_parts {
    consort_part parts[SPREAD_PARTS];
    consort_column columns[SPREAD_PARTS][SPREAD_VALUES];
};
void spread_parts_make(struct spread_parts *parts, const struct spread_trial *trial,
                       const struct spread_data *data);
void spread_parts_free(const struct spread_parts *parts, const struct spread_trial *trial);

/* NULL, the error recorded, if there is no plan. */
consort_plan *spread_trial_plan(const struct spread_trial *trial);

/* The arguments of a run; `with` may hold progress and cancel. */
consort_status spread_trial_run(struct spread_trial *trial, const consort_plan *plan,
                                const struct spread_parts *parts, const consort_arguments *with);

/* Fails the test if the result, or the input where it must be whole, is not what it should be. */
void spread_trial_check(const struct spread_trial *trial, const struct spread_data *data,
                        const struct spread_parts *parts, bool sorted, bool whole);

/* All of it; the test fails if the status is not CONSORT_OK. */
void spread_trial_try(struct spread_trial *trial);

const char *spread_trial_name(const struct spread_trial *trial);

#endif
