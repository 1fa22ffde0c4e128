/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every one-call function, and a plan for the same, with every array in every wrong place: NULL,
 * misaligned, over another one; enumerators that do not exist; counts whose bytes overflow. Nothing
 * is written then, and nothing is ever printed. On the CPU, or on the GPU (argument "gpu").
 */
#include "api/calls.h"

#include <stdalign.h>
#include <stdio.h>
#include <unistd.h>

static alignas(64) unsigned char workspace[8 << 20];

static bool is_output(int array)
{
    return array == OUT || array == INDICES || array == VALUES_OUT;
}

/* The GPU engine has no callbacks. */
static bool skipped(const struct function *function)
{
    return calls_engine == CONSORT_ENGINE_CUDA && function->plan == PLAN_OF_CALLBACK;
}

#define EACH_FUNCTION(function)                                                                    \
    for (const struct function *function = functions; function < functions + FUNCTIONS;            \
         function++)                                                                               \
        if (!skipped(function))
#define EACH_ARRAY(function, which)                                                                \
    for (int which = 0; which < ARRAYS; which++)                                                   \
        if (function_has(function, which))

/* So that what is refused below has no other reason. */
static void test_right_calls(void **state)
{
    (void)state;
    EACH_FUNCTION(function)
    {
        struct call c = call_of(function);
        expect(function, &c, CONSORT_OK, "are right", "all");
    }
}

static void test_null(void **state)
{
    (void)state;
    EACH_FUNCTION(function)
    {
        struct call none = call_of(function);
        memset(none.at, 0, sizeof none.at);
        none.count = none.count_b = none.segments = none.k = 0;
        expect(function, &none, CONSORT_OK, "are NULL, with 0 items", "all");
        EACH_ARRAY(function, array)
        {
            struct call c = call_of(function);
            bool optional = function->optional >> array & 1;
            c.at[array] = NULL;
            expect(function, &c, optional ? CONSORT_OK : CONSORT_ERROR_ARGUMENT, "is NULL",
                   array_names[array]);
            c.count = c.count_b = c.k = 1;
            c.segments = 0;
            bool unused = optional || array == OFFSETS;
            c.count_b = function->operation == CONSORT_OPERATION_MERGE;
            expect(function, &c, unused ? CONSORT_OK : CONSORT_ERROR_ARGUMENT,
                   "is NULL, with one item", array_names[array]);
        }
    }
}

static void test_misaligned(void **state)
{
    (void)state;
    EACH_FUNCTION(function)
    EACH_ARRAY(function, array)
    {
        for (int by = 1; by < KEY; by++) {
            struct call c = call_of(function);
            bool any = function->unaligned >> array & 1;
            c.at[array] = (char *)c.at[array] + by;
            expect(function, &c, any ? CONSORT_OK : CONSORT_ERROR_ALIGNMENT, "is misaligned",
                   array_names[array]);
        }
    }
}

/* An output over any other array, and any other over an output. Inputs may share memory. */
static void test_overlapping(void **state)
{
    (void)state;
    EACH_FUNCTION(function)
    EACH_ARRAY(function, array)
    EACH_ARRAY(function, other)
    {
        struct call c = call_of(function);
        if (array == other || (!is_output(array) && !is_output(other)))
            continue;
        c.at[array] = (char *)c.at[other] + SHIFT;
        expect(function, &c, CONSORT_ERROR_OVERLAP, "overlaps", array_names[array]);
        c.at[array] = c.at[other];
        bool pair = (array == OUT && other == IN) || (array == IN && other == OUT) ||
                    (array == VALUES_OUT && other == VALUES_IN) ||
                    (array == VALUES_IN && other == VALUES_OUT);
        expect(function, &c, pair && function->in_place ? CONSORT_OK : CONSORT_ERROR_OVERLAP,
               "is another array", array_names[array]);
    }
}

/* The array at the beginning of the workspace, and over its last bytes. */
static void test_overlapping_workspace(void **state)
{
    (void)state;
    EACH_FUNCTION(function)
    EACH_ARRAY(function, array)
    {
        for (int end = 0; end < 2; end++) {
            struct call c = call_of(function);
            uint64_t bytes = call_workspace(function, &c);
            if (bytes == 0)
                continue;
            assert_true(bytes <= sizeof workspace);
            calls_put_offsets(workspace);
            c.at[array] = workspace + (end ? (bytes - KEY) / KEY * KEY : 0);
            call_columns(&c);
            consort_status status = call_by_plan(function, &c, workspace);
            if (status != CONSORT_ERROR_OVERLAP)
                fail_msg("%s: %s over the workspace: %s", function->name, array_names[array],
                         consort_status_name(status));
        }
    }
}

static void test_bad_enumerators(void **state)
{
    (void)state;
    static const int32_t bad[] = {-1, 99, INT32_MIN, INT32_MAX};
    EACH_FUNCTION(function)
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct call c = call_of(function);
#define BAD(member, used)                                                                          \
    do {                                                                                           \
        struct call b = c;                                                                         \
        b.member = bad[i];                                                                         \
        if (used)                                                                                  \
            expect(function, &b, CONSORT_ERROR_ARGUMENT, "is no enumerator", #member);             \
    } while (0)
        BAD(type, function->plan == PLAN_OF_KEYS);
        BAD(index_type, function_has(function, INDICES));
        BAD(offset_type, function_has(function, OFFSETS));
        BAD(field.type, function->plan == PLAN_OF_RECORDS);
        BAD(field.direction, function->plan == PLAN_OF_RECORDS);
        BAD(field.float_order, function->plan == PLAN_OF_RECORDS);
        BAD(options.direction, true);
        BAD(options.float_order, true);
        BAD(options.engine, true);
        BAD(options.stable, true);
    }
}

static void test_overflowing_sizes(void **state)
{
    (void)state;
    static const uint64_t large[] = {UINT64_MAX, UINT64_MAX / KEY + 1, UINT64_MAX / KEY + 2,
                                     (uint64_t)INT64_MAX / KEY + 1,
                                     (uint64_t)INT64_MAX / VALUE + 1};
    EACH_FUNCTION(function)
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        struct call c = call_of(function);
#define LARGE(member, used)                                                                        \
    do {                                                                                           \
        struct call b = c;                                                                         \
        b.member = large[i];                                                                       \
        if (used)                                                                                  \
            expect(function, &b, CONSORT_ERROR_ARGUMENT, "overflows", #member);                    \
    } while (0)
        LARGE(count, large[i] > (uint64_t)INT64_MAX / KEY || function_has(function, VALUES_IN));
        LARGE(count_b, function->operation == CONSORT_OPERATION_MERGE);
        LARGE(segments, function_has(function, OFFSETS));
        LARGE(record_bytes, function->plan != PLAN_OF_KEYS);
        LARGE(column.element_bytes, function_has(function, VALUES_IN));
    }
}

/* More columns than there can be: the list of them is not read. */
static void test_too_many_columns(void **state)
{
    (void)state;
    uint32_t keys[1] = {0};
    consort_column column = {keys, keys, NULL, 4};
    assert_fails(CONSORT_ERROR_ARGUMENT,
                 consort_sort_pairs(keys, keys, &column, UINT32_MAX, 1, CONSORT_U32, NULL));
    assert_message_has("1024");
}

static FILE *printed;

static int print_to_file(void **state)
{
    (void)state;
    printed = tmpfile();
    return printed ? 0 : -1;
}

/* All of the above again, with both streams caught. */
static void test_nothing_is_printed(void **state)
{
    fflush(NULL);
    int out = dup(STDOUT_FILENO), error = dup(STDERR_FILENO);
    assert_true(dup2(fileno(printed), STDOUT_FILENO) >= 0);
    assert_true(dup2(fileno(printed), STDERR_FILENO) >= 0);
    test_right_calls(state);
    test_null(state);
    test_overlapping(state);
    test_bad_enumerators(state);
    fflush(NULL);
    long bytes = (long)lseek(fileno(printed), 0, SEEK_END);
    dup2(out, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    close(out);
    close(error);
    fclose(printed);
    assert_int_equal(bytes, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_calls),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_misaligned),
        cmocka_unit_test(test_overlapping),
        cmocka_unit_test(test_overlapping_workspace),
        cmocka_unit_test(test_bad_enumerators),
        cmocka_unit_test(test_overflowing_sizes),
        cmocka_unit_test(test_too_many_columns),
        cmocka_unit_test_setup(test_nothing_is_printed, print_to_file),
    };
    calls_engine =
        argc > 1 && strcmp(argv[1], "gpu") == 0 ? CONSORT_ENGINE_CUDA : CONSORT_ENGINE_CPU;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
