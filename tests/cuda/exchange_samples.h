/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of `exchange` whose ranges a sample cuts, or whose ranks it tells; and what the others
 * begin with. */
#ifndef CONSORT_TESTS_EXCHANGE_SAMPLES_H
#define CONSORT_TESTS_EXCHANGE_SAMPLES_H

#include "spread_trial.h"

enum {
    EXCHANGE_TYPES = 8
};

extern const consort_type exchange_types[EXCHANGE_TYPES];

/* Parts of u32 keys, in three ranges each. */
struct spread_trial exchange_trial_of(enum spread_kind kind, uint32_t parts, uint64_t count);

void exchange_test_samples(void **state);
void exchange_test_cut_by_a_sample(void **state);
void exchange_test_lends(void **state);
void exchange_test_lends_without_room(void **state);
void exchange_test_samples_that_deceive(void **state);
void exchange_test_samples_that_leave_no_room(void **state);
void exchange_test_mixes_of_free_memory(void **state);

#endif
