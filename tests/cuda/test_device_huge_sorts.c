/* SPDX-License-Identifier: Apache-2.0 */
/*
 * More than 2^32 items in device memory by each sort of the registry that takes so many, quadratic
 * ones apart: bytes, compared with what their histogram says; lists of nearly one value, where what
 * is counted is itself more than 2^32; and words, for those that divide by value.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/driver.h"
#include "device_array.h"
#include "device_run.h"
#include "huge_list.h"
#include "support/random.h"

/* One key of 4096 is not 7. */
static uint64_t make_crowded(void *context, uint64_t begin, uint64_t end)
{
    uint8_t *keys = context;
    for (uint64_t i = begin; i < end; i++)
        keys[i] = (uint8_t)(i % 4096 ? 7 : random_mix(i) >> 56);
    return 0;
}

static uint8_t *sorted_bytes(const uint8_t *keys, uint64_t count)
{
    uint64_t counts[256], place = 0;
    uint8_t *sorted = huge_list_new(count);
    huge_list_count_bytes(keys, count, counts);
    for (int value = 0; value < 256; place += counts[value++])
        memset(sorted + place, value, counts[value]);
    return sorted;
}

/* From `in` to an array of its own, which is read to `found`; false if the algorithm cannot. */
static bool sort_there(const char *algorithm, consort_type type, uint64_t count, const void *in,
                       void *found)
{
    uint64_t bytes = count * consort_type_size(type);
    consort_plan *plan = huge_list_plan(algorithm, CONSORT_OPERATION_SORT, type, count, 0);
    if (!plan)
        return false;
    void *out = device_array_new(NULL, bytes, 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = count;
    arguments.in = in;
    arguments.out = out;
    device_run(plan, &arguments, workspace, false);
    device_array_read(found, out, bytes);
    device_array_free(workspace, 0);
    device_array_free(out, 0);
    consort_plan_destroy(plan);
    return true;
}

/* By those of `algorithms`, NULL at its end, or by all. */
static void try_bytes(huge_list_part *make, uint64_t count, const char *const *algorithms)
{
    uint8_t *keys = huge_list_new(count);
    huge_list_each(count, make, keys);
    uint8_t *expected = sorted_bytes(keys, count);
    void *in = device_array_new(keys, count, 0);
    for (uint32_t i = 0; algorithms ? algorithms[i] != NULL : i < consort_algorithm_count(); i++) {
        consort_algorithm_info info;
        consort_algorithm_info_init(&info);
        if (!algorithms)
            assert_int_equal(consort_algorithm_get_info(i, &info), CONSORT_OK);
        if (!algorithms && (info.operation != CONSORT_OPERATION_SORT ||
                            info.engine != CONSORT_ENGINE_CUDA || info.quadratic))
            continue;
        const char *name = algorithms ? algorithms[i] : info.name;
        if (sort_there(name, CONSORT_U8, count, in, keys))
            huge_list_expect_equal(keys, expected, count);
    }
    device_array_free(in, 0);
    free(expected);
    free(keys);
}

static void test_uniform_bytes(void **state)
{
    (void)state;
    const uint64_t count = ((uint64_t)1 << 32) + 12345;
    huge_list_need(14 * count);
    try_bytes(huge_list_random_bytes, count, NULL);
}

static void test_crowded_bytes(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"bucket", "sample", "quick", "radix-coarsened", NULL};
    const uint64_t count = ((uint64_t)1 << 32) + ((uint64_t)1 << 21);
    huge_list_need(14 * count);
    try_bytes(make_crowded, count, algorithms);
}

static void test_words(void **state)
{
    (void)state;
    const uint64_t count = ((uint64_t)1 << 32) + 12345;
    huge_list_need(23 * count);
    uint32_t *keys = huge_list_new(4 * count);
    huge_list_each(count, huge_list_random_words, keys);
    uint64_t sum = huge_list_each(count, huge_list_sum_words, keys);
    void *in = device_array_new(keys, 4 * count, 0);
    assert_true(sort_there("bucket", CONSORT_U32, count, in, keys));
    huge_list_expect_sorted(keys, count, CONSORT_U32);
    assert_true(huge_list_each(count, huge_list_sum_words, keys) == sum);
    device_array_free(in, 0);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform_bytes),
        cmocka_unit_test(test_crowded_bytes),
        cmocka_unit_test(test_words),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
