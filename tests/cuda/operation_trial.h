/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One merge, segmented sort, top-k or search for a disorder by the GPU, of items in any order,
 * against the independent reference.
 */
#ifndef CONSORT_TESTS_OPERATION_TRIAL_H
#define CONSORT_TESTS_OPERATION_TRIAL_H

#include <stdbool.h>

#include "random_order.h"

enum {
    OPERATION_COLUMNS = 2
};

struct operation_trial {
    int32_t operation;
    struct random_order order;
    const char *algorithm; /* NULL: the planner's choice */
    uint64_t count, count_b;
    uint64_t value_bytes[OPERATION_COLUMNS];
    uint32_t value_count;
    uint64_t segments; /* of about equal length, some empty, between items outside */
    consort_type offset_type;
    uint64_t bad_segment; /* not 0: its end lies before its begin */
    uint64_t rows, k;
    consort_type index_type; /* 0: none */
    bool no_keys;
    bool unsorted; /* a merge's lists; column 0, of 8 bytes or more, then numbers the items */
    int disorders; /* in sorted items; −1: items as they come */
    uint64_t room; /* of the plan beyond the run */
    int32_t form, memory;
    bool in_place, captured;
    uint64_t shift; /* of what needs no alignment */
    uint64_t seed;
};

/* Fails with the trial's seed unless every byte is right. */
void operation_trial_try(const struct operation_trial *trial);

#endif
