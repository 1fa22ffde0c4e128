/* SPDX-License-Identifier: Apache-2.0 */
/* The library and its process: silence, the log, forks, no threads allowed, signals and errno. */
#include "api/api_test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    COUNT = 300000
};

/* Runs `function` in a child with both outputs caught in `text`; returns its exit code. */
static int in_child(int (*function)(void), char *text, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        _exit(function());
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while (length + 1 < size && (got = read(ends[0], text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

static int sort_rightly(void)
{
    uint32_t *keys = malloc(COUNT * sizeof *keys);
    for (uint32_t i = 0; keys && i < COUNT; i++)
        keys[i] = i * 2654435761u;
    int failed = !keys || consort_sort(keys, keys, COUNT, CONSORT_U32, NULL) != CONSORT_OK;
    for (uint32_t i = 1; !failed && i < COUNT; i++)
        failed = keys[i - 1] > keys[i];
    free(keys);
    return failed;
}

static int work_and_fail(void)
{
    consort_type type;
    int worked = sort_rightly() == 0;
    worked = worked && consort_sort(NULL, NULL, 1, CONSORT_U32, NULL) != CONSORT_OK;
    worked = worked && consort_type_parse("nonsense", &type) != CONSORT_OK;
    consort_options options;
    uint32_t key = 0;
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    worked = worked && consort_sort(&key, &key, 1, CONSORT_U32, &options) != CONSORT_OK;
    fflush(NULL);
    return worked ? 0 : 1;
}

static void test_silence(void **state)
{
    (void)state;
    char text[4096];
    unsetenv("CONSORT_LOG");
    assert_int_equal(in_child(work_and_fail, text, sizeof text), 0);
    assert_string_equal(text, "");
    setenv("CONSORT_LOG", "nonsense", 1);
    assert_int_equal(in_child(work_and_fail, text, sizeof text), 0);
    assert_string_equal(text, "");
    unsetenv("CONSORT_LOG");
}

static void test_log(void **state)
{
    (void)state;
    char errors[4096], infos[4096];
    setenv("CONSORT_LOG", "error", 1);
    assert_int_equal(in_child(work_and_fail, errors, sizeof errors), 0);
    assert_non_null(strstr(errors, "consort error: CONSORT_ERROR_ARGUMENT: "));
    assert_null(strstr(errors, "consort info: "));
    setenv("CONSORT_LOG", "info", 1);
    assert_int_equal(in_child(work_and_fail, infos, sizeof infos), 0);
    assert_non_null(strstr(infos, "consort info: plan: sort"));
    unsetenv("CONSORT_LOG");
}

static int sort_in_a_fork(void)
{
    if (sort_rightly() != 0) /* starts the default context's threads */
        return 1;
    pid_t child = fork(); /* which the child has not */
    if (child == 0)
        _exit(sort_rightly() == 0 && sort_rightly() == 0 ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0 && sort_rightly() == 0 ? 0 : 2;
}

static void test_fork(void **state)
{
    (void)state;
    char text[4096];
    assert_int_equal(in_child(sort_in_a_fork, text, sizeof text), 0);
}

static int destroy_in_a_fork(void)
{
    consort_context_options options;
    consort_context *context;
    consort_context_options_init(&options);
    options.threads = 3;
    if (consort_context_create(&options, &context) != CONSORT_OK)
        return 1;
    pid_t child = fork();
    if (child == 0) {
        consort_context_destroy(context);
        _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    consort_context_destroy(context);
    return status == 0 ? 0 : 2;
}

static void test_destroy_in_a_fork(void **state)
{
    (void)state;
    char text[4096];
    assert_int_equal(in_child(destroy_in_a_fork, text, sizeof text), 0);
}

/* No new thread for this user: contexts shrink. Root is not bound by the limit; the test of failing
 * pthread_create is. */
static int sort_without_threads(void)
{
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_NPROC, &none) != 0)
        return 1;
    return sort_rightly();
}

static void test_no_threads(void **state)
{
    (void)state;
    char text[4096];
    assert_int_equal(in_child(sort_without_threads, text, sizeof text), 0);
}

static void test_errno_is_kept(void **state)
{
    (void)state;
    errno = 77;
    assert_int_equal(sort_rightly(), 0);
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_sort(NULL, NULL, 1, CONSORT_U32, NULL));
    assert_int_equal(errno, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_silence),    cmocka_unit_test(test_log),
        cmocka_unit_test(test_fork),       cmocka_unit_test(test_destroy_in_a_fork),
        cmocka_unit_test(test_no_threads), cmocka_unit_test(test_errno_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
