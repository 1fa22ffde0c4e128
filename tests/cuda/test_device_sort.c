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
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "device_run.h"
#include "trial_share.h"

enum {
    VALUES_NONE = 0,
    INDEX_U32 = -4,
    INDEX_U64 = -8
};

struct trial {
    const char *algorithm; /* NULL: the planner's choice */
    consort_type type;
    int32_t direction;
    int32_t form;
    int values; /* bytes of a value, or an index type, as above */
    uint64_t count;
    bool in_place;
    bool captured;
    uint64_t shift; /* of values: they need no alignment */
    uint64_t mask;  /* and-ed to each 8 bytes of keys: digits that agree */
    uint64_t seed;
};

struct arrays {
    unsigned char *keys, *values, *sorted_keys, *sorted_values;
    uint64_t key_bytes, value_bytes;
};

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64, S. Vigna */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void fill(unsigned char *bytes, uint64_t count, uint64_t seed, uint64_t mask)
{
    for (uint64_t i = 0; i < count; i += 8) {
        uint64_t word = next_random(&seed) & mask;
        memcpy(bytes + i, &word, count - i < 8 ? count - i : 8);
    }
}

static bool is_argsort(const struct trial *trial)
{
    return trial->values < 0;
}

static uint64_t value_size(const struct trial *trial)
{
    return (uint64_t)abs(trial->values);
}

static void expect(const struct trial *trial, struct arrays *a)
{
    consort_options options;
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CPU;
    options.direction = trial->direction;
    consort_column column = {
        .in = a->values, .out = a->sorted_values, .element_bytes = value_size(trial)};
    if (is_argsort(trial))
        assert_int_equal(consort_argsort(a->keys, a->sorted_values,
                                         trial->values == INDEX_U32 ? CONSORT_U32 : CONSORT_U64,
                                         trial->count, trial->type, &options),
                         CONSORT_OK);
    else
        assert_int_equal(consort_sort_pairs(a->keys, a->sorted_keys, &column, trial->values != 0,
                                            trial->count, trial->type, &options),
                         CONSORT_OK);
}

static consort_plan *make_plan(const struct trial *trial)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    uint64_t bytes = value_size(trial);
    options.engine = CONSORT_ENGINE_CUDA;
    options.algorithm = trial->algorithm;
    options.direction = trial->direction;
    descriptor.operation = is_argsort(trial) ? CONSORT_OPERATION_ARGSORT : CONSORT_OPERATION_SORT;
    descriptor.type = trial->type;
    descriptor.maximum_count = trial->count;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.form = trial->form;
    descriptor.options = &options;
    if (is_argsort(trial))
        descriptor.index_type = trial->values == INDEX_U32 ? CONSORT_U32 : CONSORT_U64;
    else
        descriptor.value_count = trial->values != 0;
    descriptor.value_bytes = &bytes;
    return device_run_plan(&descriptor);
}

static void compare(const struct trial *trial, const void *device, const void *expected,
                    uint64_t bytes, const char *what)
{
    unsigned char *found = malloc(bytes + 1);
    device_array_read(found, device, bytes);
    if (memcmp(found, expected, bytes) != 0)
        fail_msg("%s differ: type 0x%x, direction %d, form %d, values %d, count %llu, in place %d, "
                 "mask 0x%llx, seed %llu",
                 what, (unsigned)trial->type, trial->direction, trial->form, trial->values,
                 (unsigned long long)trial->count, trial->in_place, (unsigned long long)trial->mask,
                 (unsigned long long)trial->seed);
    free(found);
}

static void run_and_compare(const struct trial *trial, const struct arrays *a)
{
    consort_plan *plan = make_plan(trial);
    void *keys = device_array_new(a->keys, a->key_bytes, 0);
    void *values = device_array_new(a->values, a->value_bytes, trial->shift);
    void *keys_out = trial->in_place ? keys : device_array_new(NULL, a->key_bytes, 0);
    void *values_out =
        trial->in_place ? values : device_array_new(NULL, a->value_bytes, trial->shift);
    void *outcome = device_array_new(NULL, sizeof(consort_outcome), 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_column column = {.in = values, .out = values_out, .element_bytes = value_size(trial)};
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = trial->count;
    arguments.in = keys;
    arguments.out = is_argsort(trial) ? NULL : keys_out;
    arguments.values = &column;
    arguments.indices = values_out;
    arguments.outcome = outcome;
    device_run(plan, &arguments, workspace, trial->captured);
    consort_outcome told;
    device_array_read(&told, outcome, sizeof told);
    assert_true(trial->count == 0 || told.status == CONSORT_OK);
    bool in_first = trial->form == CONSORT_FORM_DOUBLE_BUFFER && told.buffer == 0;
    if (!is_argsort(trial))
        compare(trial, in_first ? keys : keys_out, a->sorted_keys, a->key_bytes, "keys");
    if (trial->values != 0)
        compare(trial, in_first ? values : values_out, a->sorted_values, a->value_bytes, "values");
    if (!trial->in_place && trial->form == CONSORT_FORM_COPY)
        compare(trial, keys, a->keys, a->key_bytes, "inputs");
    device_array_free(workspace, 0);
    device_array_free(outcome, 0);
    if (!trial->in_place) {
        device_array_free(values_out, trial->shift);
        device_array_free(keys_out, 0);
    }
    device_array_free(values, trial->shift);
    device_array_free(keys, 0);
    consort_plan_destroy(plan);
}

static void try_one(const struct trial *trial)
{
    if (!trial_share_takes_next())
        return;
    struct arrays a = {.key_bytes = trial->count * consort_type_size(trial->type),
                       .value_bytes = trial->count * value_size(trial)};
    a.keys = aligned_alloc(64, (a.key_bytes + 64) / 64 * 64);
    a.sorted_keys = aligned_alloc(64, (a.key_bytes + 64) / 64 * 64);
    a.values = aligned_alloc(64, (a.value_bytes + 64) / 64 * 64);
    a.sorted_values = aligned_alloc(64, (a.value_bytes + 64) / 64 * 64);
    fill(a.keys, a.key_bytes, trial->seed, trial->mask);
    fill(a.values, a.value_bytes, trial->seed + 1, UINT64_MAX);
    expect(trial, &a);
    run_and_compare(trial, &a);
    free(a.keys);
    free(a.values);
    free(a.sorted_keys);
    free(a.sorted_values);
}

static const consort_type types[] = {
    CONSORT_U8,  CONSORT_I8,  CONSORT_U16, CONSORT_I16, CONSORT_F16, CONSORT_BF16, CONSORT_U32,
    CONSORT_I32, CONSORT_F32, CONSORT_U64, CONSORT_I64, CONSORT_F64, CONSORT_U128, CONSORT_I128};
enum {
    TYPE_COUNT = sizeof types / sizeof types[0]
};

static const uint64_t masks[] = {UINT64_MAX, 0, 0x00ff00ff00ff00ffu, 0xff000000ff000000u,
                                 0x0101010101010101u};

static void test_types_and_orders(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 31, 32, 33, 1000, 9728, 9729, 20011};
    uint64_t seed = 1;
    for (int t = 0; t < TYPE_COUNT; t++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++, seed++)
            try_one(&(struct trial){.algorithm = seed % 4 ? NULL : "lsd",
                                    .type = types[t],
                                    .direction = (int32_t)(seed % 2),
                                    .count = counts[c],
                                    .in_place = seed % 3 == 0,
                                    .mask = masks[seed % 5],
                                    .seed = seed});
}

static void test_values_and_indices(void **state)
{
    (void)state;
    static const int values[] = {4, 8, 16, INDEX_U32, INDEX_U64, 1, 6, 12, 32, 100};
    static const uint64_t counts[] = {1, 300, 5000, 17001};
    uint64_t seed = 1000;
    for (int t = 0; t < TYPE_COUNT; t++)
        for (int v = 0; v < 10; v++, seed++)
            try_one(&(struct trial){.type = types[t],
                                    .direction = (int32_t)(seed % 2),
                                    .values = values[v],
                                    .count = counts[seed % 4],
                                    .in_place = values[v] > 0 && seed % 2,
                                    .shift = values[v] > 0 ? seed % 3 : 0,
                                    .mask = masks[seed % 5],
                                    .seed = seed});
}

static void test_double_buffers(void **state)
{
    (void)state;
    for (uint64_t seed = 2000; seed < 2030; seed++)
        try_one(&(struct trial){.type = types[seed % TYPE_COUNT],
                                .form = CONSORT_FORM_DOUBLE_BUFFER,
                                .values = seed % 2 ? 4 : 0,
                                .count = 10 + seed * 977 % 40000,
                                .mask = masks[seed % 5],
                                .seed = seed});
}

static void test_graph_capture(void **state)
{
    (void)state;
    for (uint64_t seed = 3000; seed < 3010; seed++)
        try_one(&(struct trial){.type = types[seed % TYPE_COUNT],
                                .values = seed % 2 ? 8 : INDEX_U32,
                                .count = 12000,
                                .captured = true,
                                .mask = masks[seed % 5],
                                .seed = seed});
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
    for (uint64_t seed = 4000; seed < 4000 + 2 * TYPE_COUNT; seed++)
        try_one(&(struct trial){.type = types[seed % TYPE_COUNT],
                                .values = seed % 3 == 0   ? 4
                                          : seed % 3 == 1 ? INDEX_U64
                                                          : 0,
                                .count = 3000017,
                                .in_place = seed % 3 != 1 && seed % 2,
                                .mask = masks[seed % 5],
                                .seed = seed});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_and_orders),     cmocka_unit_test(test_values_and_indices),
        cmocka_unit_test(test_double_buffers),       cmocka_unit_test(test_graph_capture),
        cmocka_unit_test(test_planner_moves_values), cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
