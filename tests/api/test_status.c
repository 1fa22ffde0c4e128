/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses, the last error of a thread, sized structures, names, versions. */
#include "api/api_test.h"

#include <pthread.h>
#include <stdio.h>

static void test_every_status(void **state)
{
    (void)state;
    for (int32_t i = 0; i <= CONSORT_ERROR_INTERNAL; i++) {
        const char *name = consort_status_name(i), *text = consort_status_string(i);
        assert_int_equal(strncmp(name, "CONSORT_", 8), 0);
        assert_null(strchr(name, '?'));
        assert_true(strlen(text) > 3 && text[strlen(text) - 1] != '.');
        for (int32_t j = 0; j < i; j++)
            assert_string_not_equal(name, consort_status_name(j));
    }
    static const int32_t unknown[] = {-1, CONSORT_ERROR_INTERNAL + 1, INT32_MIN, INT32_MAX};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(consort_status_name(unknown[i]), "CONSORT_ERROR_?");
        assert_true(consort_status_string(unknown[i])[0] != '\0');
    }
}

static void *error_of_new_thread(void *result)
{
    const consort_error *error = consort_last_error();
    *(int *)result = error->status == CONSORT_OK && error->message && error->message[0] == '\0' &&
                     error->input_whole == 1;
    return NULL;
}

static void test_last_error_belongs_to_a_thread(void **state)
{
    (void)state;
    pthread_t thread;
    int fresh = 0;
    char message[600];
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_sort(NULL, NULL, 3, CONSORT_U32, NULL));
    snprintf(message, sizeof message, "%s", consort_last_error()->message);
    assert_int_equal(pthread_create(&thread, NULL, error_of_new_thread, &fresh), 0);
    pthread_join(thread, NULL);
    assert_int_equal(fresh, 1);
    assert_works(consort_sort(NULL, NULL, 0, CONSORT_U32, NULL));
    assert_string_equal(consort_last_error()->message, message);
    assert_int_equal(consort_last_error()->status, CONSORT_ERROR_ARGUMENT);
    assert_int_equal(consort_last_error()->os_error, 0);
    assert_int_equal(consort_last_error()->driver_error, 0);
}

/* An older library meets a newer program: a tail that is zero is accepted, any other refused. */
static void test_unknown_tails(void **state)
{
    (void)state;
    struct {
        consort_options options;
        unsigned char tail[24];
    } newer = {.tail = {0}};
    uint32_t keys[] = {3, 1, 2};
    consort_options_init(&newer.options);
    newer.options.size = sizeof newer;
    assert_works(consort_sort(keys, keys, 3, CONSORT_U32, &newer.options));
    assert_int_equal(keys[0], 1);
    for (size_t i = 0; i < sizeof newer.tail; i++) {
        newer.tail[i] = 1;
        assert_fails(CONSORT_ERROR_ARGUMENT,
                     consort_sort(keys, keys, 3, CONSORT_U32, &newer.options));
        assert_message_has("consort_options");
        newer.tail[i] = 0;
    }
    newer.options.size = 0;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_sort(keys, keys, 3, CONSORT_U32, &newer.options));
    assert_message_has("_init");
    newer.options.size = (size_t)1 << 40;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_sort(keys, keys, 3, CONSORT_U32, &newer.options));
}

/* A newer library meets an older program: missing members have their defaults. */
static void test_shorter_structures(void **state)
{
    (void)state;
    consort_options options;
    uint32_t keys[] = {1, 3, 2};
    memset(&options, 0xee, sizeof options);
    options.size = offsetof(consort_options, float_order);
    options.context = NULL;
    options.direction = CONSORT_DESCENDING;
    assert_works(consort_sort(keys, keys, 3, CONSORT_U32, &options));
    assert_int_equal(keys[0], 3);
    assert_int_equal(keys[2], 1);
}

static void test_info_is_as_long_as_asked(void **state)
{
    (void)state;
    consort_algorithm_info info;
    memset(&info, 0xee, sizeof info);
    info.size = offsetof(consort_algorithm_info, operation);
    assert_works(consort_algorithm_get_info(0, &info));
    assert_int_equal(info.size, offsetof(consort_algorithm_info, operation));
    assert_true(info.name[0] != '\0' && info.summary[0] != '\0');
    assert_int_equal(info.operation, (int32_t)0xeeeeeeee);
    info.size = 3;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_algorithm_get_info(0, &info));
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_algorithm_get_info(0, NULL));
    consort_algorithm_info_init(&info);
    assert_fails(CONSORT_ERROR_ARGUMENT,
                 consort_algorithm_get_info(consort_algorithm_count(), &info));
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_algorithm_get_info(UINT32_MAX, &info));
}

/* (operation, engine, name) is the key of the registry. */
static void test_registry(void **state)
{
    (void)state;
    uint32_t count = consort_algorithm_count();
    for (uint32_t i = 0; i < count; i++) {
        consort_algorithm_info info;
        consort_algorithm_info_init(&info);
        assert_works(consort_algorithm_get_info(i, &info));
        assert_string_not_equal(consort_operation_name(info.operation), "?");
        assert_string_not_equal(consort_engine_name(info.engine), "?");
        assert_true(info.stable == 0 || info.stable == 1);
        assert_true(info.parameter_count == 0 || info.parameters);
        for (uint32_t j = 0; j < i; j++) {
            consort_algorithm_info other;
            consort_algorithm_info_init(&other);
            assert_works(consort_algorithm_get_info(j, &other));
            assert_false(other.operation == info.operation && other.engine == info.engine &&
                         strcmp(other.name, info.name) == 0);
        }
    }
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(consort_operation_name(CONSORT_OPERATION_SORT), "sort");
    assert_string_equal(consort_operation_name(0), "?");
    assert_string_equal(consort_operation_name(INT32_MIN), "?");
    assert_string_equal(consort_engine_name(CONSORT_ENGINE_CPU), "cpu");
    assert_string_equal(consort_engine_name(CONSORT_ENGINE_CUDA), "cuda");
    assert_string_equal(consort_engine_name(CONSORT_ENGINE_AUTO), "auto");
    assert_string_equal(consort_engine_name(99), "?");
}

static void test_versions(void **state)
{
    (void)state;
    char text[32];
    assert_int_equal(consort_version(), CONSORT_VERSION_MAJOR * 1000000 +
                                            CONSORT_VERSION_MINOR * 1000 + CONSORT_VERSION_PATCH);
    snprintf(text, sizeof text, "%d.%d.%d", CONSORT_VERSION_MAJOR, CONSORT_VERSION_MINOR,
             CONSORT_VERSION_PATCH);
    assert_string_equal(consort_version_string(), text);
    assert_non_null(strstr(consort_build_info(), text));
    assert_non_null(strstr(consort_build_info(), "compiler: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_status),
        cmocka_unit_test(test_last_error_belongs_to_a_thread),
        cmocka_unit_test(test_unknown_tails),
        cmocka_unit_test(test_shorter_structures),
        cmocka_unit_test(test_info_is_as_long_as_asked),
        cmocka_unit_test(test_registry),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
