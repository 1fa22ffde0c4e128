/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the public interface share. */
#ifndef CONSORT_TESTS_API_TEST_H
#define CONSORT_TESTS_API_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "consort.h"

/* The call fails with this status, and the thread's last error says so in words. */
#define assert_fails(expected, call)                                                               \
    api_check_failure((call), (expected), #call, __FILE__, __LINE__)

static inline void api_check_failure(consort_status status, consort_status expected,
                                     const char *call, const char *file, int line)
{
    const consort_error *error = consort_last_error();
    if (status != expected)
        print_error("%s: %s, not %s (%s)\n", call, consort_status_name(status),
                    consort_status_name(expected), error->message);
    _assert_int_equal(status, expected, file, line);
    _assert_int_equal(error->status, expected, file, line);
    _assert_true(error->message != NULL && error->message[0] != '\0', "a message", file, line);
    _assert_int_equal(error->input_whole, 1, file, line);
}

#define assert_works(call) api_check_success((call), #call, __FILE__, __LINE__)

static inline void api_check_success(consort_status status, const char *call, const char *file,
                                     int line)
{
    if (status != CONSORT_OK)
        print_error("%s: %s\n", call, consort_last_error()->message);
    _assert_int_equal(status, CONSORT_OK, file, line);
}

static inline void assert_message_has(const char *words)
{
    if (!strstr(consort_last_error()->message, words))
        fail_msg("\"%s\" does not say \"%s\"", consort_last_error()->message, words);
}

#endif
