/* SPDX-License-Identifier: Apache-2.0 */
/* An attempt: one test case put to the library, every byte it touched checked. */
#ifndef CONSORT_TESTS_ATTEMPT_H
#define CONSORT_TESTS_ATTEMPT_H

#include "operations/problem.h"

enum attempt_result {
    ATTEMPT_PASSED,
    ATTEMPT_REFUSED, /* the algorithm by force cannot do this request */
    ATTEMPT_FAILED
};

struct attempt_report {
    char text[512];        /* what went wrong */
    const char *algorithm; /* what ran; NULL: nothing did */
};

/* Runs the case. */
enum attempt_result attempt(const struct test_case *test, struct attempt_report *report);

/* Would a plan be made? Nothing runs. */
bool attempt_is_possible(const struct test_case *test);

void attempt_finish(void);

#endif
