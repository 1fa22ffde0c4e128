/* SPDX-License-Identifier: Apache-2.0 */
/* A caller's progress function that checks what it is told and cancels where the test says so. */
#ifndef CONSORT_TESTS_PROGRESS_WATCH_H
#define CONSORT_TESTS_PROGRESS_WATCH_H

#include "consort.h"

struct progress_watch {
    uint64_t stop_at; /* the call that cancels; 0: none does */
    uint64_t calls, last, total;
};

/* Makes the arguments report to the watch, which starts anew. */
void progress_watch_begin(struct progress_watch *watch, consort_arguments *arguments,
                          uint64_t stop_at);

#endif
