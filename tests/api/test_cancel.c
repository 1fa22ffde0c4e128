/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cancellation: at every checkpoint of every algorithm, by the progress function and by the flag.
 * A cancelled run says so, tells the truth about its input, and stays inside its buffers.
 */
#include "api/api_test.h"

#include "operations/sampling.h"
#include "support/random.h"

#include <stdio.h>

enum {
    CASES = 4,
    MOST_CHECKPOINTS = 8,
    LENGTH_4097 = 11,
    LENGTH_100000 = 12
};

static void attempt_or_fail(const struct test_case *test, struct trouble *trouble,
                            struct attempt_report *report)
{
    if (attempt(test, trouble, report) == ATTEMPT_FAILED) {
        char text[400];
        factors_describe(test, text, sizeof text);
        fail_msg("%s\n%s (cancelled at call %llu of the progress function)", report->text, text,
                 (unsigned long long)trouble->cancel_at);
    }
}

static void cancel_everywhere(const struct test_case *test)
{
    struct trouble trouble = {.accepted = CONSORT_ERROR_CANCELLED};
    struct attempt_report report;
    attempt_or_fail(test, &trouble, &report);
    assert_int_equal(report.status, CONSORT_OK);
    uint64_t checkpoints = trouble.calls, most = MOST_CHECKPOINTS;
    if (test->level[FACTOR_LENGTH] == LENGTH_100000)
        most /= 4;
    for (uint64_t k = 1; k <= checkpoints && k <= most; k++) {
        trouble.cancel_at = k;
        attempt_or_fail(test, &trouble, &report);
        /* Threads may reach the checkpoints in another order, but the first is always reached. */
        if (k == 1 || test->level[FACTOR_THREADS] == 0)
            assert_int_equal(report.status, CONSORT_ERROR_CANCELLED);
    }
}

static void test_every_checkpoint(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (uint32_t entry = 0; entry < factor_levels(FACTOR_ENTRY); entry++)
        for (int i = 0; i < CASES; i++) {
            struct test_case test;
            if (sampling_case(entry, i > 0 ? LENGTH_4097 : LENGTH_100000, &random, &test))
                cancel_everywhere(&test);
        }
}

/* A flag that is set before a long run begins stops it. */
static void test_flag(void **state)
{
    (void)state;
    uint64_t random = 2;
    const volatile int32_t cancel = 1;
    for (uint32_t entry = 0; entry < factor_levels(FACTOR_ENTRY); entry++)
        for (int i = 0; i < CASES / 2; i++) {
            struct trouble trouble = {.accepted = CONSORT_ERROR_CANCELLED, .cancel = &cancel};
            struct attempt_report report;
            struct test_case test;
            if (!sampling_case(entry, LENGTH_100000, &random, &test))
                continue;
            attempt_or_fail(&test, &trouble, &report);
            if (trouble.calls > 0)
                assert_int_equal(report.status, CONSORT_ERROR_CANCELLED);
        }
}

/* A long sort passes several checkpoints, or nobody could cancel it soon. */
static void test_there_are_checkpoints(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (uint32_t entry = 0; entry < factor_levels(FACTOR_ENTRY); entry++) {
        struct trouble trouble = {0};
        struct attempt_report report;
        struct test_case test;
        if (!sampling_case(entry, LENGTH_100000, &random, &test))
            continue;
        attempt_or_fail(&test, &trouble, &report);
        if (trouble.calls == 0) {
            char text[400];
            factors_describe(&test, text, sizeof text);
            fail_msg("no progress in %s", text);
        }
    }
}

static int teardown(void **state)
{
    (void)state;
    attempt_finish();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_checkpoint),
        cmocka_unit_test(test_flag),
        cmocka_unit_test(test_there_are_checkpoints),
    };
    factors_select(0);
    return cmocka_run_group_tests(tests, NULL, teardown);
}
