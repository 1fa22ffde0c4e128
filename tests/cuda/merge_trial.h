/* SPDX-License-Identifier: Apache-2.0 */
/* One sort by `merge`, or a merge by every algorithm, in device memory, against the CPU engine. */
#ifndef CONSORT_TESTS_MERGE_TRIAL_H
#define CONSORT_TESTS_MERGE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "consort.h"

enum pattern {
    RANDOM,
    EQUAL,
    FEW,
    SPECIAL, /* zeros, infinities and NaNs of both signs, often */
    PATTERNS
};

struct merge_trial {
    int32_t operation;
    consort_type type;
    int32_t direction;
    int32_t float_order;
    int32_t form;         /* sorts only, as in_place and presorted */
    uint64_t value_bytes; /* of one column; argsort: of an index; 0: none */
    uint64_t count, count_b;
    enum pattern pattern;
    bool in_place, captured;
    int presorted; /* 1: in order, −1: backwards */
    uint64_t shift;
    uint64_t seed;
};

struct merge_trial_arrays {
    uint64_t count; /* both lists */
    uint64_t key_bytes, value_bytes;
    unsigned char *keys, *values, *expected_keys, *expected_values;
};

/* The whole trial. */
void merge_trial_try(const struct merge_trial *trial);

/* Its parts. The keys of a merge are sorted, those of a sort only if the trial says so. */
void merge_trial_make(const struct merge_trial *trial, struct merge_trial_arrays *a);
void merge_trial_free(struct merge_trial_arrays *a);
void merge_trial_sort(const struct merge_trial *trial, unsigned char *keys, uint64_t count);
/* The algorithms that merge, one after the other from *index = 0 on, then NULL. */
const char *merge_trial_next(uint32_t *index);
consort_plan *merge_trial_plan(const struct merge_trial *trial, const char *algorithm);
void merge_trial_arguments(const struct merge_trial *trial, consort_arguments *arguments,
                           consort_column *column, const void *keys, const void *values,
                           void *keys_out);

#endif
