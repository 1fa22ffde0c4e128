/* SPDX-License-Identifier: Apache-2.0 */
#include "spread_repeat.h"

#include "test_threads.h"

struct stopped_trial {
    struct spread_trial *trial;
    const consort_plan *plan;
    const struct spread_data *data;
};

static consort_status stopped_run(void *context, const consort_arguments *with)
{
    const struct stopped_trial *stopped = context;
    struct spread_parts parts;
    spread_parts_make(&parts, stopped->trial, stopped->data);
    consort_status status = spread_trial_run(stopped->trial, stopped->plan, &parts, with);
    bool whole = status != CONSORT_OK && consort_last_error()->input_whole;
    spread_trial_check(stopped->trial, stopped->data, &parts, status == CONSORT_OK, whole);
    spread_parts_free(&parts, stopped->trial);
    return status;
}

struct progress_stops spread_trial_stops(struct spread_trial *trial, const consort_plan *plan,
                                         const struct spread_data *data, uint64_t most)
{
    struct stopped_trial stopped = {trial, plan, data};
    return progress_watch_stops(stopped_run, &stopped, most);
}

void spread_trial_cancelled(struct spread_trial *trial, const consort_plan *plan,
                            const struct spread_data *data)
{
    struct stopped_trial stopped = {trial, plan, data};
    progress_watch_cancelled(stopped_run, &stopped);
}

static void *try_in_a_thread(void *context)
{
    spread_trial_try(context);
    return NULL;
}

void spread_trials_together(struct spread_trial *trials, uint32_t count)
{
    consort_context *context = test_threads_context();
    for (uint32_t t = 0; t < count; t++)
        trials[t].context = context;
    test_threads_run(count, try_in_a_thread, trials, sizeof *trials);
    consort_context_destroy(context);
}
