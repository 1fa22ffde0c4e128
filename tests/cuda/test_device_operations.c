/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merge, segmented sort, top-k and is-sorted of items in every order: records of random fields,
 * byte strings of any length, NumPy's float order, other byte orders; in device and host memory,
 * against the independent reference. And that a GPU refuses nothing but comparison functions. Runs
 * on the emulator and on a GPU alike; CONSORT_TEST_LARGE=1 adds sizes that only a GPU does in
 * reasonable time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cuda/driver/driver.h"
#include "device_array.h"
#include "device_run.h"
#include "operation_trial.h"
#include "support/number_types.h"
#include "support/random.h"

static void choose_values(struct operation_trial *trial, uint64_t *random)
{
    static const uint64_t widths[] = {1, 3, 4, 8, 12, 16, 100};
    trial->value_count = (uint32_t)random_below(random, OPERATION_COLUMNS + 1);
    for (uint32_t i = 0; i < trial->value_count; i++)
        trial->value_bytes[i] = widths[random_below(random, 7)];
}

static void choose_merge(struct operation_trial *trial, uint64_t *random)
{
    uint64_t all = trial->count;
    trial->count = random_below(random, 6) ? random_below(random, all + 1) : all;
    trial->count_b = all - trial->count;
    choose_values(trial, random);
}

static void choose_segments(struct operation_trial *trial, uint64_t *random)
{
    static const uint64_t lengths[] = {1, 3, 30, 600, 20000};
    trial->segments = trial->count / lengths[random_below(random, 5)] + random_below(random, 3);
    trial->offset_type = random_below(random, 2) ? CONSORT_U32 : CONSORT_U64;
    if (trial->memory == CONSORT_MEMORY_DEVICE && random_below(random, 4) == 0)
        trial->form = CONSORT_FORM_DOUBLE_BUFFER;
    else
        trial->in_place = random_below(random, 2);
    choose_values(trial, random);
}

static void choose_rows(struct operation_trial *trial, uint64_t *random)
{
    static const consort_type index_types[] = {0, CONSORT_U32, CONSORT_U64};
    trial->rows = random_below(random, 2) ? 1 : 1 + random_below(random, trial->count / 3 + 1);
    uint64_t length = trial->count / trial->rows;
    trial->count = length * trial->rows;
    trial->k = random_below(random, 4) ? random_below(random, length / 2 + 2) : length + 1;
    trial->index_type = index_types[random_below(random, 3)];
    trial->no_keys = trial->index_type && random_below(random, 4) == 0;
}

/* How a trial runs, from its seed. */
static struct operation_trial choose(int32_t operation, const struct random_order *order,
                                     uint64_t count, uint64_t *random)
{
    struct operation_trial trial = {.operation = operation, .order = *order, .count = count};
    trial.memory = random_below(random, 5) ? CONSORT_MEMORY_DEVICE : CONSORT_MEMORY_HOST;
    trial.captured = random_below(random, 4) == 0;
    trial.room = random_below(random, 3) ? 0 : random_below(random, 3000);
    trial.shift = random_below(random, 17);
    trial.seed = random_next(random);
    if (operation == CONSORT_OPERATION_MERGE)
        choose_merge(&trial, random);
    else if (operation == CONSORT_OPERATION_SEGMENTED_SORT)
        choose_segments(&trial, random);
    else if (operation == CONSORT_OPERATION_TOP_K)
        choose_rows(&trial, random);
    else
        trial.disorders = (int)random_below(random, 4) - 1;
    return trial;
}

static uint64_t choose_count(uint64_t *random, uint64_t most)
{
    return random_below(random, 8) ? random_below(random, most) : random_below(random, 4);
}

static void try_operations(const struct random_order *order, uint64_t most, uint64_t *random)
{
    static const int32_t operations[] = {CONSORT_OPERATION_MERGE, CONSORT_OPERATION_SEGMENTED_SORT,
                                         CONSORT_OPERATION_TOP_K, CONSORT_OPERATION_IS_SORTED};
    for (int i = 0; i < 4; i++) {
        struct operation_trial trial =
            choose(operations[i], order, choose_count(random, most), random);
        operation_trial_try(&trial);
    }
}

static void test_records(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        uint64_t random = seed;
        struct random_order order = random_order_of_records(&random);
        try_operations(&order, seed % 10 ? 900 : 6000, &random);
    }
}

static void test_strings(void **state)
{
    (void)state;
    for (uint32_t length = 1; length <= 255; length += length < 20 ? 1 : 47) {
        uint64_t random = 1000 + length;
        struct random_order order =
            random_order_of_type(consort_type_bytes(length), (int32_t)random_below(&random, 2), 0);
        try_operations(&order, length % 8 ? 900 : 6000, &random);
    }
}

/* Each type in each byte order, with NumPy's order for floats. */
static void test_key_types(void **state)
{
    (void)state;
    uint64_t random = 2000;
    for (int t = 0; t < NUMBER_TYPES; t++)
        for (int32_t byte_order = 0; byte_order < 3; byte_order++) {
            consort_type type = consort_type_with_byte_order(number_types[t], byte_order);
            int32_t direction = (int32_t)random_below(&random, 2);
            struct random_order order = random_order_of_type(type, direction, CONSORT_NUMPY_ORDER);
            try_operations(&order, 2000, &random);
        }
}

/* More pieces of a key than one launch carries, and items that agree in nearly all of them. */
static void test_long_keys(void **state)
{
    (void)state;
    const consort_type string = consort_type_bytes(255);
    for (uint64_t seed = 3000; seed < 3008; seed++) {
        uint64_t random = seed;
        struct random_order order = {.type = CONSORT_RECORD,
                                     .item_bytes = 600,
                                     .fields = {{.offset = 3, .type = string},
                                                {.offset = 258, .type = string, .direction = 1},
                                                {.offset = 598, .type = CONSORT_I16}},
                                     .field_count = 3};
        try_operations(&order, 300, &random);
    }
}

/* More items than the grid has threads. */
static void test_long_lists(void **state)
{
    (void)state;
    for (uint64_t seed = 3500; seed < 3504; seed++) {
        uint64_t random = seed;
        struct random_order order =
            random_order_of_type(consort_type_bytes(18), (int32_t)(seed % 2), 0);
        struct operation_trial trial = choose(CONSORT_OPERATION_MERGE, &order, 40000, &random);
        operation_trial_try(&trial);
        trial = choose(CONSORT_OPERATION_IS_SORTED, &order, 30000, &random);
        operation_trial_try(&trial);
    }
}

static void test_unsorted_lists(void **state)
{
    (void)state;
    for (uint64_t seed = 4000; seed < 4016; seed++) {
        uint64_t random = seed;
        struct random_order order = seed % 2 ? random_order_of_records(&random)
                                             : random_order_of_type(consort_type_bytes(40), 0, 0);
        struct operation_trial trial =
            choose(CONSORT_OPERATION_MERGE, &order, 1 + random_below(&random, 7000), &random);
        trial.unsorted = true;
        trial.value_count = 1;
        trial.value_bytes[0] = seed % 4 < 2 ? 8 : 24;
        operation_trial_try(&trial);
    }
}

static void test_bad_offsets(void **state)
{
    (void)state;
    if (!device_array_is_filled())
        skip();
    for (uint64_t seed = 5000; seed < 5012; seed++) {
        uint64_t random = seed;
        struct random_order order =
            seed % 3 ? random_order_of_records(&random) : random_order_of_type(CONSORT_F32, 0, 3);
        struct operation_trial trial =
            choose(CONSORT_OPERATION_SEGMENTED_SORT, &order, 500, &random);
        trial.memory = CONSORT_MEMORY_DEVICE;
        trial.form = CONSORT_FORM_COPY;
        trial.segments = 20;
        trial.bad_segment = 1 + random_below(&random, 19);
        operation_trial_try(&trial);
    }
}

/* By force on the GPU, of every kind of key. */
static consort_status plan_status(const struct random_order *order, int32_t operation,
                                  int32_t memory, int32_t form, uint32_t columns)
{
    static const uint64_t value_bytes[] = {4, 3};
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    random_order_describe(order, &descriptor, &options);
    options.engine = CONSORT_ENGINE_CUDA;
    descriptor.operation = operation;
    descriptor.maximum_count = 1000;
    descriptor.value_bytes = value_bytes;
    descriptor.value_count = columns;
    descriptor.index_type = CONSORT_U32;
    descriptor.offset_type = CONSORT_U64;
    descriptor.maximum_segments = 10;
    descriptor.maximum_k = 5;
    descriptor.memory = memory;
    descriptor.form = form;
    descriptor.options = &options;
    consort_plan *plan;
    consort_status status = consort_plan_create(&descriptor, &plan);
    consort_plan_destroy(plan);
    return status;
}

/* What the header allows, the GPU does. */
static void expect_everything(const struct random_order *order)
{
    for (int32_t operation = CONSORT_OPERATION_SORT; operation <= CONSORT_OPERATION_IS_SORTED;
         operation++) {
        bool sorts =
            operation == CONSORT_OPERATION_SORT || operation == CONSORT_OPERATION_SEGMENTED_SORT;
        bool moves = sorts || operation == CONSORT_OPERATION_MERGE;
        for (int32_t memory = 0; memory < 2; memory++)
            for (int32_t form = 0; form < (sorts ? 2 : 1); form++)
                for (uint32_t columns = 0; columns < (moves ? 3 : 1); columns++)
                    if (plan_status(order, operation, memory, form, columns) != CONSORT_OK)
                        fail_msg("%s of type 0x%x: %s", consort_operation_name(operation),
                                 (unsigned)order->type, consort_last_error()->message);
    }
}

static void test_nothing_is_refused(void **state)
{
    (void)state;
    uint64_t random = 6000;
    for (uint32_t length = 1; length <= 255; length++) {
        struct random_order order =
            random_order_of_type(consort_type_bytes(length), (int32_t)(length % 2), 0);
        expect_everything(&order);
    }
    for (int t = 0; t < NUMBER_TYPES; t++)
        for (int32_t byte_order = 0; byte_order < 3; byte_order++)
            for (int32_t float_order = 0; float_order < 4; float_order++) {
                struct random_order order =
                    random_order_of_type(consort_type_with_byte_order(number_types[t], byte_order),
                                         float_order % 2, float_order);
                expect_everything(&order);
            }
    for (int i = 0; i < 100; i++) {
        struct random_order order = random_order_of_records(&random);
        expect_everything(&order);
    }
}

static int32_t compare_nothing(void *context, const void *a, const void *b)
{
    (void)context, (void)a, (void)b;
    return 0;
}

static void test_callbacks_are_refused(void **state)
{
    (void)state;
    for (int32_t operation = CONSORT_OPERATION_SORT; operation <= CONSORT_OPERATION_IS_SORTED;
         operation++) {
        consort_descriptor descriptor;
        consort_options options;
        consort_plan *plan;
        consort_descriptor_init(&descriptor);
        consort_options_init(&options);
        options.engine = CONSORT_ENGINE_CUDA;
        descriptor.operation = operation;
        descriptor.type = CONSORT_CALLBACK;
        descriptor.record_bytes = 4;
        descriptor.compare = compare_nothing;
        descriptor.maximum_count = 10;
        descriptor.index_type = CONSORT_U32;
        descriptor.offset_type = CONSORT_U32;
        descriptor.maximum_k = 1;
        descriptor.options = &options;
        assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_ERROR_UNSUPPORTED);
    }
}

/* No items, no arrays: nothing to do but to tell so. */
static void test_no_items(void **state)
{
    (void)state;
    static const uint64_t value_bytes[] = {8};
    for (int coded = 0; coded < 2; coded++) {
        uint64_t offsets[2] = {0, 0};
        consort_descriptor descriptor;
        consort_options options;
        consort_arguments arguments;
        consort_descriptor_init(&descriptor);
        consort_options_init(&options);
        consort_arguments_init(&arguments);
        options.engine = CONSORT_ENGINE_CUDA;
        descriptor.operation = CONSORT_OPERATION_SEGMENTED_SORT;
        descriptor.type = coded ? consort_type_bytes(30) : CONSORT_U32;
        descriptor.offset_type = CONSORT_U64;
        descriptor.maximum_segments = 1;
        descriptor.maximum_count = 10;
        descriptor.value_bytes = value_bytes;
        descriptor.value_count = 1;
        descriptor.options = &options;
        consort_plan *plan = device_run_plan(&descriptor);
        arguments.offsets = offsets;
        arguments.segment_count = 1;
        assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, NULL), CONSORT_OK);
        consort_plan_destroy(plan);
    }
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    for (uint64_t seed = 7000; seed < 7016; seed++) {
        uint64_t random = seed;
        struct random_order order =
            seed % 4 ? random_order_of_records(&random)
                     : random_order_of_type(consort_type_bytes(1 + (uint32_t)seed % 60), 0, 0);
        try_operations(&order, 400000, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_key_types),
        cmocka_unit_test(test_long_keys),
        cmocka_unit_test(test_long_lists),
        cmocka_unit_test(test_unsorted_lists),
        cmocka_unit_test(test_bad_offsets),
        cmocka_unit_test(test_nothing_is_refused),
        cmocka_unit_test(test_callbacks_are_refused),
        cmocka_unit_test(test_no_items),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
