/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that runs out: the nth allocation of making a plan and running it fails, for every n, once
 * or for good, in malloc and in the caller's allocator. The run then works all the same, or fails
 * with nothing touched; nothing leaks (the leak checker of the sanitized build looks).
 */
#include "api/api_test.h"

#include <stdlib.h>

#include "api/wrapped.h"
#include "operations/sampling.h"
#include "support/random.h"

enum {
    CASES = 8,
    MOST_ALLOCATIONS = 64,
    LENGTH_4097 = 11
};

static uint64_t fail_nth, allocations_seen;
static int fail_once;

static void begin(void)
{
    wrapped_fail_allocation(fail_nth, fail_once);
}

static void end(void)
{
    allocations_seen = wrapped_allocations();
    wrapped_fail_allocation(0, 0);
}

static void attempt_or_fail(const struct test_case *test, struct trouble *trouble,
                            struct attempt_report *report, const char *what, uint64_t nth)
{
    if (attempt(test, trouble, report) == ATTEMPT_FAILED) {
        char text[400];
        factors_describe(test, text, sizeof text);
        fail_msg("%s\n%s (%s %llu fails)", report->text, text, what, (unsigned long long)nth);
    }
}

static void fail_every_allocation(const struct test_case *test)
{
    struct trouble trouble = {.accepted = CONSORT_ERROR_MEMORY, .begin = begin, .end = end};
    struct attempt_report report;
    fail_nth = 0;
    attempt_or_fail(test, &trouble, &report, "allocation", 0);
    assert_int_equal(report.status, CONSORT_OK);
    uint64_t needed = allocations_seen;
    for (fail_once = 0; fail_once < 2; fail_once++)
        for (fail_nth = 1; fail_nth <= needed && fail_nth <= MOST_ALLOCATIONS; fail_nth++)
            attempt_or_fail(test, &trouble, &report, "allocation", fail_nth);
}

static void test_every_allocation(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (uint32_t entry = 0; entry < factor_levels(FACTOR_ENTRY); entry++)
        for (int i = 0; i < CASES; i++) {
            struct test_case test;
            if (sampling_case(entry, LENGTH_4097 - (uint32_t)i % 8, &random, &test))
                fail_every_allocation(&test);
        }
}

struct bank {
    uint64_t calls, fail_nth, bytes; /* `bytes` lent and not yet returned */
};

/* Memory aligned to 16 bytes and no more, as the contract allows. */
static void *bank_allocate(void *allocator, size_t bytes)
{
    struct bank *bank = allocator;
    if (++bank->calls == bank->fail_nth)
        return NULL;
    char *memory = NULL;
    if (posix_memalign((void **)&memory, 64, bytes + 16) != 0)
        return NULL;
    bank->bytes += bytes;
    return memory + 16;
}

static void bank_release(void *allocator, void *memory, size_t bytes)
{
    struct bank *bank = allocator;
    bank->bytes -= bytes;
    free((char *)memory - 16);
}

static void test_allocator_of_the_caller(void **state)
{
    (void)state;
    uint64_t random = 5, failed = 0;
    struct bank bank = {0};
    consort_context_options options;
    struct trouble trouble = {.accepted = CONSORT_ERROR_MEMORY};
    consort_context_options_init(&options);
    options.threads = 2;
    options.allocate = bank_allocate;
    options.release = bank_release;
    options.allocator = &bank;
    assert_works(consort_context_create(&options, &trouble.context));
    for (uint32_t entry = 0; entry < factor_levels(FACTOR_ENTRY); entry++)
        for (int i = 0; i < CASES; i++) {
            struct test_case test;
            struct attempt_report report;
            if (!sampling_case(entry, LENGTH_4097, &random, &test))
                continue;
            test.level[FACTOR_WORKSPACE] = WORKSPACE_NULL;
            bank = (struct bank){0};
            attempt_or_fail(&test, &trouble, &report, "callback", 0);
            assert_int_equal(bank.bytes, 0);
            uint64_t needed = bank.calls;
            for (uint64_t nth = 1; nth <= needed; nth++) {
                bank = (struct bank){.fail_nth = nth};
                attempt_or_fail(&test, &trouble, &report, "callback", nth);
                assert_int_equal(bank.bytes, 0);
                failed += report.status == CONSORT_ERROR_MEMORY;
            }
        }
    consort_context_destroy(trouble.context);
    assert_true(failed > 0);
}

static void test_contexts(void **state)
{
    (void)state;
    for (uint64_t nth = 1; nth < 10; nth++) {
        consort_context *context = (void *)1;
        consort_context_options options;
        consort_context_options_init(&options);
        options.threads = 4;
        wrapped_fail_allocation(nth, 1);
        consort_status status = consort_context_create(&options, &context);
        wrapped_fail_allocation(0, 0);
        if (status == CONSORT_OK) {
            consort_context_destroy(context);
            continue;
        }
        assert_int_equal(status, CONSORT_ERROR_MEMORY);
        assert_null(context);
    }
}

/* Many columns and a long list of parameters take memory that few requests need. */
static void test_large_requests(void **state)
{
    (void)state;
    enum {
        COLUMNS = 40
    };
    static unsigned char in[COLUMNS][3], out[COLUMNS][3];
    consort_column columns[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        columns[c] = (consort_column){in[c], out[c], NULL, 1};
    const uint32_t keys[] = {3, 1, 2};
    uint32_t sorted[3] = {0};
    uint64_t needed = 1;
    for (uint64_t nth = 0; nth <= needed; nth++) {
        wrapped_fail_allocation(nth, 1);
        consort_status status =
            consort_sort_pairs(keys, sorted, columns, COLUMNS, 3, CONSORT_U32, NULL);
        if (nth == 0)
            needed = wrapped_allocations();
        wrapped_fail_allocation(0, 0);
        assert_true(status == CONSORT_OK || (status == CONSORT_ERROR_MEMORY && nth > 0));
    }
    assert_true(needed > 2);
}

/* Threads that cannot be started make the team smaller; results stay the same. */
static void test_threads(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (uint64_t nth = 1; nth <= 3; nth++) {
        consort_context_options options;
        struct trouble trouble = {0};
        consort_context_options_init(&options);
        options.threads = 4;
        wrapped_fail_thread(nth);
        assert_works(consort_context_create(&options, &trouble.context));
        for (uint32_t entry = 0; entry < factor_levels(FACTOR_ENTRY); entry++) {
            struct test_case test;
            struct attempt_report report;
            if (!sampling_case(entry, LENGTH_4097 + 1, &random, &test))
                continue;
            test.level[FACTOR_THREADS] = 2;
            attempt_or_fail(&test, &trouble, &report, "thread", nth);
        }
        wrapped_fail_thread(0);
        consort_context_destroy(trouble.context);
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
        cmocka_unit_test(test_contexts),         cmocka_unit_test(test_large_requests),
        cmocka_unit_test(test_every_allocation), cmocka_unit_test(test_allocator_of_the_caller),
        cmocka_unit_test(test_threads),
    };
    factors_select(0);
    return cmocka_run_group_tests(tests, NULL, teardown);
}
