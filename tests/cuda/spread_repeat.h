/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of lists in the memory of several GPUs that are stopped, or several at once. */
#ifndef CONSORT_TESTS_SPREAD_REPEAT_H
#define CONSORT_TESTS_SPREAD_REPEAT_H

#include "progress_watch.h"
#include "spread_trial.h"

/* Cancelled at every report of a run, which has fewer than `most`. */
struct progress_stops spread_trial_stops(struct spread_trial *trial, const consort_plan *plan,
                                         const struct spread_data *data, uint64_t most);

/* Cancelled before a run. */
void spread_trial_cancelled(struct spread_trial *trial, const consort_plan *plan,
                            const struct spread_data *data);

/* All of each trial, by a thread of its own, with one context. */
void spread_trials_together(struct spread_trial *trials, uint32_t count);

#endif
