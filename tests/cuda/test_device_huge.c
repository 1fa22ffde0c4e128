/* SPDX-License-Identifier: Apache-2.0 */
/*
 * More than 2^32 items in device memory, where places need 64 bits and a pass several launches:
 * sorted by the planner's choice, in place.
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

/* Sorts in place, in device memory. */
static void sort_there(consort_type type, uint64_t count, void *keys, uint32_t *values)
{
    uint64_t key_bytes = count * consort_type_size(type);
    consort_plan *plan =
        huge_list_plan(NULL, CONSORT_OPERATION_SORT, type, count, values ? sizeof *values : 0);
    assert_non_null(plan);
    void *device_keys = device_array_new(keys, key_bytes, 0);
    void *device_values = values ? device_array_new(values, count * 4, 0) : NULL;
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_column column = {.in = device_values, .out = device_values, .element_bytes = 4};
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = count;
    arguments.in = device_keys;
    arguments.out = device_keys;
    arguments.values = &column;
    device_run(plan, &arguments, workspace, false);
    device_array_read(keys, device_keys, key_bytes);
    if (values) {
        device_array_read(values, device_values, count * 4);
        device_array_free(device_values, 0);
    }
    device_array_free(workspace, 0);
    device_array_free(device_keys, 0);
    consort_plan_destroy(plan);
}

static void test_bytes(void **state)
{
    (void)state;
    const uint64_t count = (uint64_t)1 << 33;
    huge_list_need(3 * count);
    uint8_t *keys = huge_list_new(count);
    uint64_t expected[256], found[256];
    huge_list_each(count, huge_list_random_bytes, keys);
    huge_list_count_bytes(keys, count, expected);
    sort_there(CONSORT_U8, count, keys, NULL);
    huge_list_expect_sorted(keys, count, CONSORT_U8);
    huge_list_count_bytes(keys, count, found);
    assert_memory_equal(found, expected, sizeof found);
    free(keys);
}

static void test_words(void **state)
{
    (void)state;
    const uint64_t count = ((uint64_t)1 << 32) + 7;
    huge_list_need(3 * 4 * count);
    uint32_t *keys = huge_list_new(4 * count);
    huge_list_each(count, huge_list_random_words, keys);
    uint64_t sum = huge_list_each(count, huge_list_sum_words, keys);
    sort_there(CONSORT_U32, count, keys, NULL);
    huge_list_expect_sorted(keys, count, CONSORT_U32);
    assert_true(huge_list_each(count, huge_list_sum_words, keys) == sum);
    free(keys);
}

struct pairs {
    uint32_t *keys, *values;
};

static uint32_t key_of_pair(uint64_t i)
{
    return (uint32_t)(random_mix(i) >> 36);
}

static uint64_t make_pairs(void *context, uint64_t begin, uint64_t end)
{
    const struct pairs *pairs = context;
    for (uint64_t i = begin; i < end; i++) {
        pairs->keys[i] = key_of_pair(i);
        pairs->values[i] = (uint32_t)i;
    }
    return 0;
}

/* Values are positions: right keys under strictly rising (key, position) are the stable order. */
static uint64_t wrong_pairs(void *context, uint64_t begin, uint64_t end)
{
    const struct pairs *pairs = context;
    const uint32_t *keys = pairs->keys, *values = pairs->values;
    uint64_t wrong = 0;
    for (uint64_t i = begin; i < end; i++) {
        wrong += keys[i] != key_of_pair(values[i]);
        if (i > 0)
            wrong +=
                keys[i - 1] > keys[i] || (keys[i - 1] == keys[i] && values[i - 1] >= values[i]);
    }
    return wrong;
}

static void test_pairs(void **state)
{
    (void)state;
    const uint64_t count = ((uint64_t)1 << 31) + 5;
    huge_list_need(5 * 8 * count);
    struct pairs pairs = {huge_list_new(4 * count), huge_list_new(4 * count)};
    huge_list_each(count, make_pairs, &pairs);
    sort_there(CONSORT_U32, count, pairs.keys, pairs.values);
    assert_true(huge_list_each(count, wrong_pairs, &pairs) == 0);
    free(pairs.values);
    free(pairs.keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_pairs),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
