/* SPDX-License-Identifier: Apache-2.0 */
/*
 * More than 2^32 items in device memory, where places need 64 bits and a pass several launches.
 * Only with CONSORT_TEST_LARGE=1 and on a GPU with enough memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "device_array.h"
#include "device_run.h"

static uint64_t mix(uint64_t z)
{
    z = (z + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u; /* after splitmix64, S. Vigna */
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Skips the test unless it was asked for and the device has the memory. */
static void need(uint64_t bytes)
{
    const struct device *device = device_describe(0);
    if (!getenv("CONSORT_TEST_LARGE") || !device || device->memory < bytes)
        skip();
}

static void *host_array(uint64_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static consort_plan *plan_of(consort_type type, uint64_t count, const uint64_t *value_bytes)
{
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = type;
    descriptor.maximum_count = count;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.value_bytes = value_bytes;
    descriptor.value_count = value_bytes != NULL;
    consort_plan *plan;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    return plan;
}

/* Sorts in place, in device memory. */
static void sort_there(consort_type type, uint64_t count, void *keys, uint32_t *values)
{
    static const uint64_t four = 4;
    uint64_t key_bytes = count * consort_type_size(type);
    consort_plan *plan = plan_of(type, count, values ? &four : NULL);
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
    if (consort_plan_run(plan, &arguments, workspace, consort_plan_workspace(plan), NULL) !=
        CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    device_array_read(keys, device_keys, key_bytes);
    if (values) {
        device_array_read(values, device_values, count * 4);
        device_array_free(device_values, 0);
    }
    device_array_free(workspace, 0);
    device_array_free(device_keys, 0);
    consort_plan_destroy(plan);
}

static void expect_sorted(const void *keys, uint64_t count, consort_type type)
{
    uint64_t disorder;
    assert_int_equal(consort_is_sorted(keys, count, type, NULL, &disorder), CONSORT_OK);
    assert_true(disorder == count);
}

static void test_bytes(void **state)
{
    (void)state;
    const uint64_t count = (uint64_t)1 << 33;
    need(3 * count);
    uint8_t *keys = host_array(count);
    uint64_t expected[256] = {0}, found[256] = {0};
    for (uint64_t i = 0; i < count; i++)
        expected[keys[i] = (uint8_t)(mix(i) >> 56)]++;
    sort_there(CONSORT_U8, count, keys, NULL);
    expect_sorted(keys, count, CONSORT_U8);
    for (uint64_t i = 0; i < count; i++)
        found[keys[i]]++;
    assert_memory_equal(found, expected, sizeof found);
    free(keys);
}

static void test_words(void **state)
{
    (void)state;
    const uint64_t count = ((uint64_t)1 << 32) + 7;
    need(3 * 4 * count);
    uint32_t *keys = host_array(4 * count);
    uint64_t sum = 0, found = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += mix(keys[i] = (uint32_t)(mix(i) >> 32));
    sort_there(CONSORT_U32, count, keys, NULL);
    expect_sorted(keys, count, CONSORT_U32);
    for (uint64_t i = 0; i < count; i++)
        found += mix(keys[i]);
    assert_true(found == sum);
    free(keys);
}

/* Values are positions: right keys under strictly rising (key, position) are the stable order. */
static void test_pairs(void **state)
{
    (void)state;
    const uint64_t count = ((uint64_t)1 << 31) + 5;
    need(5 * 8 * count);
    uint32_t *keys = host_array(4 * count), *values = host_array(4 * count);
    for (uint64_t i = 0; i < count; i++) {
        keys[i] = (uint32_t)(mix(i) >> 36);
        values[i] = (uint32_t)i;
    }
    sort_there(CONSORT_U32, count, keys, values);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < count; i++) {
        wrong += keys[i] != (uint32_t)(mix(values[i]) >> 36);
        if (i > 0)
            wrong +=
                keys[i - 1] > keys[i] || (keys[i - 1] == keys[i] && values[i - 1] >= values[i]);
    }
    assert_true(wrong == 0);
    free(values);
    free(keys);
}

static consort_plan *plan_by(int32_t operation, const char *algorithm, uint64_t count)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.algorithm = algorithm;
    options.engine = CONSORT_ENGINE_CUDA;
    descriptor.operation = operation;
    descriptor.type = CONSORT_U8;
    descriptor.maximum_count = count;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.options = &options;
    consort_plan *plan;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    return plan;
}

/* Two sorted halves are merged, then a third of the whole turned round is merge-sorted in place. */
static void test_merges(void **state)
{
    (void)state;
    const uint64_t count = ((uint64_t)1 << 32) + 12345, half = count / 2, turned = count / 3;
    need(3 * count);
    uint8_t *keys = host_array(count), *expected = host_array(count);
    for (uint64_t i = 0; i < count; i++)
        keys[i] = (uint8_t)(i < half ? i * 256 / half : (i - half) * 256 / (count - half));
    consort_plan *merge = plan_by(CONSORT_OPERATION_MERGE, "merge-path", count);
    consort_plan *sort = plan_by(CONSORT_OPERATION_SORT, "merge", count);
    char *in = device_array_new(keys, count, 0), *out = device_array_new(NULL, count, 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(sort), 0);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = half;
    arguments.count_b = count - half;
    arguments.in = in;
    arguments.in_b = in + half;
    arguments.out = out;
    device_run(merge, &arguments, workspace, false);
    device_array_read(expected, out, count);
    expect_sorted(expected, count, CONSORT_U8);
    /* half / 2 and half / 2 + 1 keys of the halves are below 128. */
    assert_true(expected[0] == 0 && expected[half] == 127 && expected[half + 1] == 128);
    for (uint64_t i = 0; i < count; i++)
        keys[i] = expected[i < turned ? turned - 1 - i : i];
    device_array_free(in, 0);
    in = device_array_new(keys, count, 0);
    arguments.count = count;
    arguments.count_b = 0;
    arguments.in_b = NULL;
    arguments.in = arguments.out = in;
    device_run(sort, &arguments, workspace, false);
    device_array_read(keys, in, count);
    assert_true(memcmp(keys, expected, count) == 0);
    void *all[] = {in, out, workspace};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        device_array_free(all[i], 0);
    consort_plan_destroy(sort);
    consort_plan_destroy(merge);
    free(expected);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_merges),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
