/* SPDX-License-Identifier: Apache-2.0 */
/* Merges of more than 2^32 items in device memory, by every algorithm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cuda/driver/driver.h"
#include "device_array.h"
#include "device_run.h"
#include "huge_list.h"

static const uint64_t count = ((uint64_t)1 << 32) + 12345, half = ((uint64_t)1 << 31) + 6172;

/* Two sorted halves, in each of which every value is as frequent as any other. */
static uint64_t make_halves(void *context, uint64_t begin, uint64_t end)
{
    uint8_t *keys = context;
    for (uint64_t i = begin; i < end; i++)
        keys[i] = (uint8_t)(i < half ? i * 256 / half : (i - half) * 256 / (count - half));
    return 0;
}

static void merge_there(const char *algorithm, char *in, uint8_t *found)
{
    consort_plan *plan = huge_list_plan(algorithm, CONSORT_OPERATION_MERGE, CONSORT_U8, count, 0);
    assert_non_null(plan);
    void *out = device_array_new(NULL, count, 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = half;
    arguments.count_b = count - half;
    arguments.in = in;
    arguments.in_b = in + half;
    arguments.out = out;
    device_run(plan, &arguments, workspace, false);
    device_array_read(found, out, count);
    device_array_free(workspace, 0);
    device_array_free(out, 0);
    consort_plan_destroy(plan);
}

static void try_merges(const char *const *algorithms, int algorithm_count)
{
    uint8_t *keys = huge_list_new(count), *found = huge_list_new(count);
    uint64_t expected[256], counts[256];
    huge_list_each(count, make_halves, keys);
    huge_list_count_bytes(keys, count, expected);
    char *in = device_array_new(keys, count, 0);
    for (int i = 0; i < algorithm_count; i++) {
        merge_there(algorithms[i], in, found);
        huge_list_expect_sorted(found, count, CONSORT_U8);
        huge_list_count_bytes(found, count, counts);
        assert_memory_equal(counts, expected, sizeof counts);
    }
    device_array_free(in, 0);
    free(found);
    free(keys);
}

static void test_merges(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"merge-path", "merge-lists"};
    huge_list_need(3 * count);
    try_merges(algorithms, 2);
}

/* Codes of 4 bytes twice and indices of 8 beside the keys. */
static void test_merge_of_codes(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"coded"};
    huge_list_need(20 * count);
    try_merges(algorithms, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_merges),
                                       cmocka_unit_test(test_merge_of_codes)};
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
