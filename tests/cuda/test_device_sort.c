/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting in device memory: every type, direction, value size and form, against the CPU engine on
 * the same bytes. Runs on the emulator and on a GPU alike; CONSORT_TEST_LARGE=1 adds sizes that
 * only a GPU sorts in reasonable time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "sort_trial.h"
#include "support/number_types.h"

static void test_types_and_orders(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 31, 32, 33, 1000, 9728, 9729, 20011};
    uint64_t seed = 1;
    for (int t = 0; t < NUMBER_TYPES; t++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++, seed++)
            sort_trial_try_random(&(struct sort_trial){.algorithm = seed % 4 ? NULL : "lsd",
                                                       .type = number_types[t],
                                                       .direction = (int32_t)(seed % 2),
                                                       .count = counts[c],
                                                       .in_place = seed % 3 == 0,
                                                       .seed = seed});
}

static void test_values_and_indices(void **state)
{
    (void)state;
    static const int values[] = {4, 8, 16, SORT_TRIAL_U32, SORT_TRIAL_U64, 1, 6, 12, 32, 100};
    static const uint64_t counts[] = {1, 300, 5000, 17001};
    uint64_t seed = 1000;
    for (int t = 0; t < NUMBER_TYPES; t++)
        for (int v = 0; v < 10; v++, seed++)
            sort_trial_try_random(&(struct sort_trial){.type = number_types[t],
                                                       .direction = (int32_t)(seed % 2),
                                                       .values = values[v],
                                                       .count = counts[seed % 4],
                                                       .in_place = values[v] > 0 && seed % 2,
                                                       .shift = values[v] > 0 ? seed % 3 : 0,
                                                       .seed = seed});
}

/* One pass in place cannot store over what it has not read: the keys rest in between. */
static void test_one_pass_in_place(void **state)
{
    (void)state;
    for (int values = 0; values <= 4; values += 4)
        sort_trial_try_random(&(struct sort_trial){.algorithm = "lsd",
                                                   .type = CONSORT_U8,
                                                   .values = values,
                                                   .count = 20011,
                                                   .in_place = true,
                                                   .seed = 1500});
}

static void test_double_buffers(void **state)
{
    (void)state;
    for (uint64_t seed = 2000; seed < 2030; seed++)
        sort_trial_try_random(&(struct sort_trial){.type = number_types[seed % NUMBER_TYPES],
                                                   .form = CONSORT_FORM_DOUBLE_BUFFER,
                                                   .values = seed % 2 ? 4 : 0,
                                                   .count = 10 + seed * 977 % 40000,
                                                   .seed = seed});
}

static void test_graph_capture(void **state)
{
    (void)state;
    for (uint64_t seed = 3000; seed < 3010; seed++)
        sort_trial_try_random(&(struct sort_trial){.type = number_types[seed % NUMBER_TYPES],
                                                   .values = seed % 2 ? 8 : SORT_TRIAL_U32,
                                                   .count = 12000,
                                                   .captured = true,
                                                   .seed = seed});
}

/* Pairs whose short lists' look-back words count three digit values each. */
static const struct {
    consort_type type;
    int values;
} triples[] = {{CONSORT_U32, 8}, {CONSORT_U64, 4}, {CONSORT_U64, 8}};

enum {
    TRIPLES = sizeof triples / sizeof triples[0],
    MOST_TRIPLED = 1 << 20, /* keys */
    HOLDING_THEM = 132      /* multiprocessors */
};

static void test_short_lists(void **state)
{
    (void)state;
    static const uint64_t counts[] = {4097, 8192, 20011, 32768};
    for (uint64_t seed = 3500; seed < 3524; seed++)
        sort_trial_try_random(&(struct sort_trial){.algorithm = "lsd",
                                                   .type = triples[seed % TRIPLES].type,
                                                   .values = triples[seed % TRIPLES].values,
                                                   .count = counts[seed / TRIPLES % 4],
                                                   .captured = seed % 2,
                                                   .seed = seed});
}

/* In each of two digits all but one key have a value between others' in its word. */
static void try_crowd(const struct sort_trial *trial)
{
    const uint32_t bytes = consort_type_size(trial->type);
    unsigned char *keys = sort_trial_array(trial->count * bytes);
    for (uint64_t i = 0; i < trial->count; i++) {
        memset(&keys[i * bytes], 0, bytes);
        keys[i * bytes] = i == trial->count / 2 ? 63 : 64 + 4;
        keys[(i + 1) * bytes - 1] = i == 0 ? 127 : 96 + 1;
    }
    sort_trial_try(trial, keys);
    free(keys);
}

/* As on a GPU whose blocks hold all tiles of the longest such list. On a smaller one, like the
 * emulator's, tiles are asked for of which no block has begun. */
static void test_longest_short_lists(void **state)
{
    (void)state;
    struct device *device = (struct device *)device_describe(0);
    const int own = device->processors;
    device->processors = own > HOLDING_THEM ? own : HOLDING_THEM;
    for (uint64_t i = 0; i < TRIPLES; i++) {
        struct sort_trial trial = {.algorithm = "lsd",
                                   .keys = "crowded",
                                   .type = triples[i].type,
                                   .values = triples[i].values,
                                   .count = MOST_TRIPLED,
                                   .seed = 3600 + i};
        try_crowd(&trial);
        trial.count = 100003;
        trial.seed = 3600 + 5 * i;
        sort_trial_try_random(&trial);
    }
    device->processors = own;
}

/* Moving values by a sorted index is slower than moving them with the keys. */
static void test_planner_moves_values(void **state)
{
    (void)state;
    for (uint64_t bytes = 4; bytes <= 16; bytes *= 2) {
        consort_plan_info info;
        consort_descriptor descriptor;
        consort_options options;
        consort_plan *plan;
        consort_descriptor_init(&descriptor);
        consort_options_init(&options);
        consort_plan_info_init(&info);
        options.engine = CONSORT_ENGINE_CUDA;
        descriptor.operation = CONSORT_OPERATION_SORT;
        descriptor.type = bytes == 16 ? CONSORT_U32 : CONSORT_U64;
        descriptor.maximum_count = UINT64_C(1) << 28;
        descriptor.value_bytes = &bytes;
        descriptor.value_count = 1;
        descriptor.memory = CONSORT_MEMORY_DEVICE;
        descriptor.options = &options;
        assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_OK);
        assert_int_equal(consort_plan_get_info(plan, &info), CONSORT_OK);
        assert_string_equal(info.algorithm, "hybrid");
        consort_plan_destroy(plan);
    }
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    for (uint64_t seed = 4000; seed < 4000 + 2 * NUMBER_TYPES; seed++)
        sort_trial_try_random(&(struct sort_trial){.type = number_types[seed % NUMBER_TYPES],
                                                   .values = seed % 3 == 0   ? 4
                                                             : seed % 3 == 1 ? SORT_TRIAL_U64
                                                                             : 0,
                                                   .count = 3000017,
                                                   .in_place = seed % 3 != 1 && seed % 2,
                                                   .captured = seed % 5 == 0,
                                                   .seed = seed});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_and_orders),
        cmocka_unit_test(test_values_and_indices),
        cmocka_unit_test(test_one_pass_in_place),
        cmocka_unit_test(test_double_buffers),
        cmocka_unit_test(test_graph_capture),
        cmocka_unit_test(test_short_lists),
        cmocka_unit_test(test_longest_short_lists),
        cmocka_unit_test(test_planner_moves_values),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
