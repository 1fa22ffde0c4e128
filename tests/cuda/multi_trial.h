/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts of host arrays by several GPUs, compared with the CPU engine byte for byte. */
#ifndef CONSORT_TESTS_MULTI_TRIAL_H
#define CONSORT_TESTS_MULTI_TRIAL_H

#include <stdbool.h>

#include "consort.h"
#include "distributions.h"
#include "places.h"
#include "progress_watch.h"

enum multi_kind {
    MULTI_KEYS,
    MULTI_PAIRS, /* two columns */
    MULTI_ARGSORT,
    MULTI_RECORDS,
    MULTI_KINDS
};

struct multi_trial {
    enum multi_kind kind;
    consort_type type;
    const struct distribution *distribution; /* NULL: 0 for all but the last */
    int32_t direction, float_order;
    uint64_t count, seed;
    int64_t chunks, memory;
    const char *algorithm;               /* NULL: merge-chunks */
    bool in_place, auto_chosen;          /* auto_chosen: without the algorithm's name */
    bool apart;                          /* CONSORT_FORM_APART */
    bool silent;                         /* does not ask for the outcome */
    enum place_kind from, to, workspace; /* workspace PLACE_KINDS: the context's */
    consort_context *context;
    consort_outcome outcome; /* of the last run, unless silent */
};

/* The arrays of a trial, and what must come out. */
struct multi_arrays {
    unsigned char *keys, *values[2], *sorted_keys, *sorted_values[2];
    uint64_t key_bytes, result_bytes, value_bytes[2];
    uint32_t columns;
};

/* Of uniform u32 keys, three chunks for each GPU, everything else ordinary. */
struct multi_trial multi_trial_of(enum multi_kind kind, uint64_t count);

struct multi_arrays multi_arrays_of(const struct multi_trial *trial);
void multi_arrays_free(struct multi_arrays *arrays);

/* A plan for CONSORT_DEVICE_ALL. NULL, the error recorded, if there is none. */
consort_plan *multi_trial_plan(const struct multi_trial *trial);

/* What a run works on: copies of the arrays. */
struct multi_copies {
    void *in, *out;
    consort_column columns[2];
};

struct multi_copies multi_copies_of(const struct multi_trial *trial,
                                    const struct multi_arrays *arrays);
void multi_copies_free(const struct multi_trial *trial, const struct multi_arrays *arrays,
                       const struct multi_copies *copies);

/* `with` may hold progress and cancel. The workspace is what the plan says, or NULL: the context's.
 */
consort_status multi_copies_sort(struct multi_trial *trial, const consort_plan *plan,
                                 const struct multi_copies *copies, void *workspace,
                                 const consort_arguments *with);

/* Fails the test if the result, or the input where it must be whole, is not what it should be. */
void multi_copies_check(const struct multi_trial *trial, const struct multi_arrays *arrays,
                        const struct multi_copies *copies, bool sorted, bool whole);

/* The same if inputs or outputs are not what they were made. */
void multi_copies_check_untouched(const struct multi_trial *trial,
                                  const struct multi_arrays *arrays,
                                  const struct multi_copies *copies);

/* Runs it on copies of the arrays and compares what the status promises: on success the result, on
 * failure, if the input is said to be whole, the input. */
consort_status multi_trial_run(struct multi_trial *trial, const consort_plan *plan,
                               const struct multi_arrays *arrays, const consort_arguments *with);

/* All of it; the test fails if the status is not CONSORT_OK. */
void multi_trial_try(struct multi_trial *trial);

/* Cancelled before a run and at every report of one. */
struct progress_stops multi_trial_stops(struct multi_trial *trial);

/* All of each trial, by a thread of its own, with one context. */
void multi_trials_together(struct multi_trial *trials, uint32_t count);

const char *multi_trial_name(const struct multi_trial *trial);

#endif
