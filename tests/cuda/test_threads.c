/* SPDX-License-Identifier: Apache-2.0 */
#include "test_threads.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    MOST_THREADS = 16
};

void test_threads_run(uint32_t count, void *(*work)(void *context), void *contexts,
                      size_t context_bytes)
{
    pthread_t threads[MOST_THREADS];
    uint32_t at_once = getenv("CONSORT_TEST_SERIAL") ? 1 : count;
    assert_true(count <= MOST_THREADS);
    for (uint32_t first = 0; first < count; first += at_once) {
        for (uint32_t t = 0; t < at_once; t++) {
            void *context = (char *)contexts + (first + t) * context_bytes;
            assert_int_equal(pthread_create(&threads[t], NULL, work, context), 0);
        }
        for (uint32_t t = 0; t < at_once; t++)
            assert_int_equal(pthread_join(threads[t], NULL), 0);
    }
}

consort_context *test_threads_context(void)
{
    consort_context_options options;
    consort_context *context;
    consort_context_options_init(&options);
    options.threads = 4;
    assert_int_equal(consort_context_create(&options, &context), CONSORT_OK);
    return context;
}
