/* SPDX-License-Identifier: Apache-2.0 */
/* An attempt: one test case put to the library, every byte it touched checked. */
#ifndef CONSORT_TESTS_ATTEMPT_H
#define CONSORT_TESTS_ATTEMPT_H

#include "operations/exercise.h"

enum attempt_result {
    ATTEMPT_PASSED,
    ATTEMPT_REFUSED, /* the algorithm by force cannot do this request */
    ATTEMPT_FAILED
};

/* How a run is made to fail, and what it may then answer. */
struct trouble {
    consort_context *context; /* NULL: the attempts' own, with three threads */
    consort_status accepted;  /* an error that is no failure of the test */
    uint64_t cancel_at;       /* the progress call that cancels; 0: none */
    const volatile int32_t *cancel;
    void (*begin)(void); /* before the plan is made */
    void (*end)(void);   /* when the run is over */
    uint64_t calls;      /* out: of the progress function */
    bool bad_progress;   /* out: more was done than there is */
};

struct attempt_report {
    consort_status status;
    char text[512];        /* what went wrong */
    const char *algorithm; /* what ran; NULL: nothing did */
};

/* Runs the case; `trouble` may be NULL. A failure that was accepted is checked too: the error
 * record, and whether what it says of the input is true. */
enum attempt_result attempt(const struct test_case *test, struct trouble *trouble,
                            struct attempt_report *report);

/* Would a plan be made? Nothing runs. */
bool attempt_is_possible(const struct test_case *test);

void attempt_finish(void);

#endif
