/* SPDX-License-Identifier: Apache-2.0 */
/* A caller's progress function that checks what it is told and cancels where the test says so. */
#ifndef CONSORT_TESTS_PROGRESS_WATCH_H
#define CONSORT_TESTS_PROGRESS_WATCH_H

#include <stdbool.h>

#include "consort.h"

struct progress_watch {
    uint64_t stop_at; /* the call that cancels; 0: none does */
    uint64_t calls, last, total;
};

/* Makes the arguments report to the watch, which starts anew. */
void progress_watch_begin(struct progress_watch *watch, consort_arguments *arguments,
                          uint64_t stop_at);

/* What runs that were cancelled left: some the input whole, some not. */
struct progress_stops {
    uint64_t runs;
    bool whole, broken;
};

typedef consort_status progress_run(void *context, const consort_arguments *with);

/* Cancels a run at its first report, the next at its second, and so on until one of fewer than
 * `most` ends; fails the test if another status comes, or the last report is not the total. */
struct progress_stops progress_watch_stops(progress_run *run, void *context, uint64_t most);

/* A run that is cancelled before it begins leaves the input whole. */
void progress_watch_cancelled(progress_run *run, void *context);

#endif
