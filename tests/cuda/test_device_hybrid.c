/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `hybrid` by force: every distribution, and keys made against its cells, leaves, bins and tags,
 * with values and as argsorts, compared with the CPU engine. A small `leaf` lets few items fill
 * many buckets. Runs on the emulator and on a GPU alike; CONSORT_TEST_LARGE=1 adds sizes that only
 * a GPU sorts in time.
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
#include "distributions.h"
#include "hybrid_keys.h"

enum {
    INDEX_U32 = -4,
    INDEX_U64 = -8
};

struct trial {
    const char *keys; /* what they are, for messages */
    consort_type type;
    int32_t direction;
    int32_t form;
    int values; /* bytes of a value, or an index type, as above */
    uint64_t count;
    int64_t leaf;
    bool in_place;
    bool captured;
    uint64_t shift; /* of values: they need no alignment */
    uint64_t seed;
};

struct arrays {
    unsigned char *keys, *values, *sorted_keys, *sorted_values;
    uint64_t key_bytes, value_bytes;
};

static const consort_type types[] = {CONSORT_U32, CONSORT_I32, CONSORT_F32,  CONSORT_U64,
                                     CONSORT_I64, CONSORT_F64, CONSORT_U128, CONSORT_I128};
static const int values[] = {4, 8, 16, INDEX_U32, INDEX_U64, 12};
enum {
    TYPE_COUNT = sizeof types / sizeof types[0],
    VALUE_COUNT = sizeof values / sizeof values[0]
};

static bool is_argsort(const struct trial *trial)
{
    return trial->values < 0;
}

static consort_type index_type(const struct trial *trial)
{
    return trial->values == INDEX_U32 ? CONSORT_U32 : CONSORT_U64;
}

/* Of keys and values of 16 bytes there are no leaves. */
static void narrow_values(struct trial *trial)
{
    if (trial->values == 16 && consort_type_size(trial->type) == 16)
        trial->values = 8;
}

static consort_plan *plan_of(const struct trial *trial)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    consort_parameter leaf = {"leaf", trial->leaf};
    uint64_t bytes = (uint64_t)abs(trial->values);
    options.engine = CONSORT_ENGINE_CUDA;
    options.algorithm = "hybrid";
    options.direction = trial->direction;
    options.parameters = &leaf;
    options.parameter_count = trial->leaf != 0;
    descriptor.operation = is_argsort(trial) ? CONSORT_OPERATION_ARGSORT : CONSORT_OPERATION_SORT;
    descriptor.type = trial->type;
    descriptor.maximum_count = trial->count;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.form = trial->form;
    descriptor.options = &options;
    if (is_argsort(trial))
        descriptor.index_type = index_type(trial);
    else
        descriptor.value_count = 1;
    descriptor.value_bytes = &bytes;
    return device_run_plan(&descriptor);
}

static void expect(const struct trial *trial, struct arrays *a)
{
    consort_options options;
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CPU;
    options.direction = trial->direction;
    consort_column column = {
        .in = a->values, .out = a->sorted_values, .element_bytes = (uint64_t)abs(trial->values)};
    if (is_argsort(trial))
        assert_int_equal(consort_argsort(a->keys, a->sorted_values, index_type(trial), trial->count,
                                         trial->type, &options),
                         CONSORT_OK);
    else
        assert_int_equal(consort_sort_pairs(a->keys, a->sorted_keys, &column, 1, trial->count,
                                            trial->type, &options),
                         CONSORT_OK);
}

static void compare(const struct trial *trial, const void *device, const void *expected,
                    uint64_t bytes, const char *what)
{
    unsigned char *found = malloc(bytes + 1);
    assert_non_null(found);
    device_array_read(found, device, bytes);
    if (memcmp(found, expected, bytes) != 0)
        fail_msg("%s differ: %s, type 0x%x, direction %d, form %d, values %d, count %llu, leaf "
                 "%lld, in place %d, seed %llu",
                 what, trial->keys, (unsigned)trial->type, trial->direction, trial->form,
                 trial->values, (unsigned long long)trial->count, (long long)trial->leaf,
                 trial->in_place, (unsigned long long)trial->seed);
    free(found);
}

static void compare_all(const struct trial *trial, const struct arrays *a,
                        const consort_arguments *arguments)
{
    consort_outcome told;
    device_array_read(&told, arguments->outcome, sizeof told);
    assert_true(trial->count == 0 || told.status == CONSORT_OK);
    bool in_first = trial->form == CONSORT_FORM_DOUBLE_BUFFER && told.buffer == 0;
    const consort_column *column = &arguments->values[0];
    const void *sorted = is_argsort(trial) ? arguments->indices
                         : in_first        ? column->in
                                           : column->out;
    compare(trial, sorted, a->sorted_values, a->value_bytes, "values");
    if (!is_argsort(trial))
        compare(trial, in_first ? arguments->in : arguments->out, a->sorted_keys, a->key_bytes,
                "keys");
    if (!trial->in_place && trial->form == CONSORT_FORM_COPY)
        compare(trial, arguments->in, a->keys, a->key_bytes, "inputs");
}

static void sort_and_compare(const struct trial *trial, const struct arrays *a)
{
    consort_plan *plan = plan_of(trial);
    void *in = device_array_new(a->keys, a->key_bytes, 0);
    void *values_in = device_array_new(a->values, a->value_bytes, trial->shift);
    void *out = trial->in_place ? in : device_array_new(NULL, a->key_bytes, 0);
    void *values_out =
        trial->in_place ? values_in : device_array_new(NULL, a->value_bytes, trial->shift);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_column column = {
        .in = values_in, .out = values_out, .element_bytes = (uint64_t)abs(trial->values)};
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = trial->count;
    arguments.in = in;
    arguments.out = is_argsort(trial) ? NULL : out;
    arguments.values = &column;
    arguments.indices = values_out;
    arguments.outcome = device_array_new(NULL, sizeof(consort_outcome), 0);
    device_run(plan, &arguments, workspace, trial->captured);
    compare_all(trial, a, &arguments);
    device_array_free(arguments.outcome, 0);
    device_array_free(workspace, 0);
    if (!trial->in_place) {
        device_array_free(values_out, trial->shift);
        device_array_free(out, 0);
    }
    device_array_free(values_in, trial->shift);
    device_array_free(in, 0);
    consort_plan_destroy(plan);
}

static unsigned char *new_bytes(uint64_t bytes)
{
    unsigned char *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static void try_keys(const struct trial *trial, unsigned char *keys)
{
    struct arrays a = {.keys = keys,
                       .key_bytes = trial->count * consort_type_size(trial->type),
                       .value_bytes = trial->count * (uint64_t)abs(trial->values)};
    a.values = new_bytes(a.value_bytes);
    a.sorted_keys = new_bytes(a.key_bytes);
    a.sorted_values = new_bytes(a.value_bytes);
    for (uint64_t i = 0; i < a.value_bytes; i++)
        a.values[i] = (unsigned char)(hybrid_mix(trial->seed ^ i / 4) >> 8 * (i % 4));
    expect(trial, &a);
    sort_and_compare(trial, &a);
    free(a.values);
    free(a.sorted_keys);
    free(a.sorted_values);
}

static void try_distribution(struct trial trial, const struct distribution *distribution)
{
    if (!distribution_supports(distribution, trial.type))
        return;
    narrow_values(&trial);
    unsigned char *keys = new_bytes(trial.count * consort_type_size(trial.type));
    trial.keys = distribution->name;
    assert_true(
        distribution_fill(distribution, trial.type, keys, 0, trial.count, trial.count, trial.seed));
    try_keys(&trial, keys);
    free(keys);
}

static void try_hostile(struct trial trial, unsigned maker)
{
    narrow_values(&trial);
    unsigned char *keys = new_bytes(trial.count * consort_type_size(trial.type));
    trial.keys = hybrid_makers[maker].name;
    hybrid_make_keys(&hybrid_makers[maker], keys, trial.count, consort_type_size(trial.type),
                     trial.leaf ? (uint64_t)trial.leaf : 4608, trial.seed);
    try_keys(&trial, keys);
    free(keys);
}

/* What belongs to a seed besides the keys. */
static struct trial varied(uint64_t seed)
{
    struct trial trial = {.direction = (int32_t)(seed / 3 % 2),
                          .values = values[seed % VALUE_COUNT],
                          .captured = seed % 11 == 0,
                          .seed = seed};
    bool columns = trial.values > 0;
    trial.shift = columns && seed % 7 == 0 ? 1 + seed % 5 : 0;
    trial.in_place = columns && seed % 5 == 0;
    if (columns && trial.values != 12 && seed % 5 == 1)
        trial.form = CONSORT_FORM_DOUBLE_BUFFER;
    return trial;
}

static void test_distributions(void **state)
{
    (void)state;
    size_t count;
    const struct distribution *list = distribution_list(&count);
    uint64_t seed = 1;
    for (size_t d = 0; d < count; d++)
        for (int t = 0; t < TYPE_COUNT; t += 1 + (int)(seed % 3), seed++) {
            struct trial trial = varied(seed);
            trial.type = types[t];
            trial.count = seed % 3 ? 5003 : 20011;
            trial.leaf = seed % 4 == 3 ? 0 : 64 + (int64_t)(seed % 2) * 100;
            try_distribution(trial, &list[d]);
        }
}

static void test_hostile_keys(void **state)
{
    (void)state;
    uint64_t seed = 500;
    for (unsigned maker = 0; maker < HYBRID_MAKERS; maker++)
        for (int t = 0; t < TYPE_COUNT; t++, seed++) {
            struct trial trial = varied(seed);
            trial.type = types[t];
            trial.count = seed % 3 ? 6001 : 15013;
            trial.leaf = seed % 5 == 4 ? 0 : 64 + (int64_t)(seed % 7) * 50;
            try_hostile(trial, maker);
        }
}

static void test_counts(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0,   1,   2,    3,    31,   32,   33,   287,
                                      288, 289, 4607, 4608, 4609, 9217, 9728, 9729};
    const struct distribution *uniform = distribution_find("uniform");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (int t = 0; t < TYPE_COUNT; t += 3) {
            struct trial trial = varied(100 + i * 7 + (uint64_t)t);
            trial.type = types[(t + (int)i) % TYPE_COUNT];
            trial.count = counts[i];
            trial.leaf = i % 3 ? 0 : 64;
            try_distribution(trial, uniform);
        }
}

/* Leaves of thousands: filled to the last place, as they usually are and beyond. */
static void test_whole_leaves(void **state)
{
    (void)state;
    const struct distribution *uniform = distribution_find("uniform");
    for (uint64_t seed = 300; seed < 312; seed++) {
        struct trial trial = varied(seed);
        trial.type = types[seed % TYPE_COUNT];
        trial.count = 9216 + seed % 3;
        try_hostile(trial, (unsigned)(seed % 2));
        trial.count = 256 * 150 + seed;
        trial.leaf = 200;
        try_distribution(trial, uniform);
    }
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    size_t count;
    const struct distribution *list = distribution_list(&count);
    uint64_t seed = 9000;
    for (size_t d = 0; d < count; d++, seed++) {
        struct trial trial = varied(seed);
        trial.type = types[seed % TYPE_COUNT];
        trial.count = 12000003;
        try_distribution(trial, &list[d]);
    }
    for (unsigned maker = 0; maker < 2 * HYBRID_MAKERS; maker++, seed++) {
        struct trial trial = varied(seed);
        trial.type = types[seed % TYPE_COUNT];
        trial.count = seed % 2 ? 1000003 : 5000017;
        try_hostile(trial, maker % HYBRID_MAKERS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),       cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_hostile_keys), cmocka_unit_test(test_whole_leaves),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
