/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `bucket` by force on keys made against slices that are linear in the value: exponentially spaced,
 * with heavy repeats, infinities and NaNs; as plain keys, with values, as a field of a structure
 * and for an argsort; and what its counters tell. Compared with the CPU engine. Runs on the
 * emulator and on a GPU alike.
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
#include "support/random.h"
#include "trial_share.h"

/* The first counters, by their place. */
enum {
    ABOVE,
    BUCKETS,
    LEVELS,
    BY_CODE,
    NEARLY_SORTED,
    DISORDER
};

enum {
    PLAIN,
    VALUES,
    RECORDS, /* of three words, the key in the middle: 32-bit types only */
    ARGSORT,
    FORMS,
    PARAMETERS = 4
};

typedef uint64_t key_maker(uint64_t random, uint64_t index);

struct trial {
    const char *name;
    key_maker *make; /* NULL: the distribution of that name */
    consort_type type;
    int32_t direction, float_order;
    int form;
    uint64_t count;
    int64_t bucket, hint, slice;
    bool wide; /* places and indices of 64 bits, as lists of more than 2^32 items have */
};

struct request_parts {
    consort_descriptor descriptor;
    consort_options options;
    consort_field field;
    consort_parameter parameters[PARAMETERS];
    uint64_t value_bytes;
};

static uint64_t index_bytes(const struct trial *t)
{
    return t->wide ? 8 : 4;
}

static uint64_t item_bytes(const struct trial *t)
{
    return t->form == RECORDS ? 12 : consort_type_size(t->type);
}

static consort_plan *plan_of(const struct trial *t, int32_t engine)
{
    struct request_parts r;
    consort_descriptor_init(&r.descriptor);
    consort_options_init(&r.options);
    r.parameters[0] = (consort_parameter){"bucket", t->bucket};
    r.parameters[1] = (consort_parameter){"hint", t->hint};
    r.parameters[2] = (consort_parameter){"slice", t->slice ? t->slice : 80};
    r.parameters[3] = (consort_parameter){"offset", t->wide ? 64 : 32};
    r.field = (consort_field){4, t->type, t->direction, t->float_order, 0};
    r.value_bytes = 8;
    r.options.engine = engine;
    r.options.direction = t->form == RECORDS ? CONSORT_ASCENDING : t->direction;
    r.options.float_order = t->form == RECORDS ? CONSORT_NAN_LAST : t->float_order;
    if (engine == CONSORT_ENGINE_CUDA) {
        r.options.algorithm = "bucket";
        r.options.parameters = r.parameters;
        r.options.parameter_count = PARAMETERS;
        r.descriptor.memory = CONSORT_MEMORY_DEVICE;
    }
    bool argsort = t->form == ARGSORT;
    r.descriptor.operation = argsort ? CONSORT_OPERATION_ARGSORT : CONSORT_OPERATION_SORT;
    r.descriptor.index_type = !argsort ? 0 : t->wide ? CONSORT_U64 : CONSORT_U32;
    r.descriptor.type = t->form == RECORDS ? CONSORT_RECORD : t->type;
    r.descriptor.record_bytes = t->form == RECORDS ? 12 : 0;
    r.descriptor.fields = t->form == RECORDS ? &r.field : NULL;
    r.descriptor.field_count = t->form == RECORDS;
    r.descriptor.maximum_count = t->count + device_run_room(t->count);
    r.descriptor.value_bytes = &r.value_bytes;
    r.descriptor.value_count = t->form == VALUES;
    r.descriptor.options = &r.options;
    return device_run_plan(&r.descriptor);
}

static void point(const struct trial *t, consort_arguments *arguments, consort_column *column,
                  const void *in, void *out, const void *values, void *values_out)
{
    consort_arguments_init(arguments);
    *column = (consort_column){.in = values, .out = values_out, .element_bytes = 8};
    arguments->count = t->count;
    arguments->in = in;
    arguments->out = t->form == ARGSORT ? NULL : out;
    arguments->indices = t->form == ARGSORT ? out : NULL;
    arguments->values = column;
}

static void expect(const struct trial *t, const void *device, const void *expected, uint64_t bytes)
{
    unsigned char *found = malloc(bytes + 1);
    assert_non_null(found);
    device_array_read(found, device, bytes);
    if (memcmp(found, expected, bytes) != 0)
        fail_msg("%s: type 0x%x, direction %d, float order %d, form %d, count %llu, bucket %lld, "
                 "hint %lld, slice %lld, wide %d",
                 t->name, (unsigned)t->type, t->direction, t->float_order, t->form,
                 (unsigned long long)t->count, (long long)t->bucket, (long long)t->hint,
                 (long long)t->slice, t->wide);
    free(found);
}

/* Sorts on both engines, compares, and gives back what the GPU's outcome tells. */
static consort_outcome sort_and_compare(const struct trial *t, const unsigned char *keys,
                                        const unsigned char *values)
{
    uint64_t bytes = t->count * item_bytes(t),
             out_bytes = t->form == ARGSORT ? index_bytes(t) * t->count : bytes;
    uint64_t value_bytes = t->form == VALUES ? 8 * t->count : 0;
    unsigned char *sorted = malloc(out_bytes + 1), *sorted_values = malloc(value_bytes + 1);
    assert_true(sorted && sorted_values);
    consort_arguments arguments;
    consort_column column;
    consort_plan *plan = plan_of(t, CONSORT_ENGINE_CPU);
    point(t, &arguments, &column, keys, sorted, values, sorted_values);
    assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, NULL), CONSORT_OK);
    consort_plan_destroy(plan);
    plan = plan_of(t, CONSORT_ENGINE_CUDA);
    void *in = device_array_new(keys, bytes, 0), *out = device_array_new(NULL, out_bytes, 0);
    void *values_in = device_array_new(values, value_bytes, 0);
    void *values_out = device_array_new(NULL, value_bytes, 0);
    void *outcome = device_array_new(&(consort_outcome){.status = -1}, sizeof(consort_outcome), 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    point(t, &arguments, &column, in, out, values_in, values_out);
    arguments.outcome = outcome;
    device_run(plan, &arguments, workspace, false);
    consort_outcome told;
    device_array_read(&told, outcome, sizeof told);
    expect(t, out, sorted, out_bytes);
    expect(t, values_out, sorted_values, value_bytes);
    void *arrays[] = {workspace, outcome, values_out, values_in, out, in};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        device_array_free(arrays[i], 0);
    consort_plan_destroy(plan);
    free(sorted_values);
    free(sorted);
    return told;
}

static void make_keys(const struct trial *t, unsigned char *keys)
{
    uint64_t size = consort_type_size(t->type), seed = t->count, stride = item_bytes(t);
    unsigned char *narrow = malloc(size * t->count + 1);
    assert_non_null(narrow);
    for (uint64_t i = 0; t->make && i < t->count; i++) {
        uint64_t word = t->make(random_next(&seed), i) >> (64 - 8 * size);
        memcpy(narrow + size * i, &word, size);
    }
    if (!t->make)
        assert_true(distribution_fill(distribution_find(t->name), t->type, narrow, 0, t->count,
                                      t->count, seed));
    random_bytes(&seed, keys, stride * t->count);
    for (uint64_t i = 0; i < t->count; i++)
        memcpy(keys + stride * i + (t->form == RECORDS ? 4 : 0), narrow + size * i, size);
    free(narrow);
}

static consort_outcome try_one(const struct trial *t)
{
    unsigned char *keys = aligned_alloc(64, (t->count * item_bytes(t) + 127) / 64 * 64);
    uint64_t *values = malloc(8 * t->count + 8);
    assert_true(keys && values);
    make_keys(t, keys);
    for (uint64_t i = 0; i < t->count; i++)
        values[i] = i;
    consort_outcome told = sort_and_compare(t, keys, (unsigned char *)values);
    free(values);
    free(keys);
    return told;
}

/* The bits of floats, all exponents alike: infinities and NaNs among them. */
static uint64_t exponents(uint64_t random, uint64_t index)
{
    (void)index;
    return random;
}

/* The same, with a thirtieth of the keys alike. */
static uint64_t repeats(uint64_t random, uint64_t index)
{
    return random_mix(index % 30 + 1) & (random % 3 ? UINT64_MAX : random);
}

/* Integers of every magnitude. */
static uint64_t magnitudes(uint64_t random, uint64_t index)
{
    (void)index;
    return random_mix(random) >> random % 64;
}

/* One value in each part of a part: every division leaves nearly all in one slice. */
static uint64_t peeled(uint64_t random, uint64_t index)
{
    return index % 64 < 60 ? random & 0xff : UINT64_MAX >> index % 61;
}

/* What even division by value is hopeless for, and its very best case. */
static void test_hostile_keys(void **state)
{
    (void)state;
    static key_maker *const makers[] = {exponents, repeats, magnitudes, peeled};
    static const char *const names[] = {"exponents", "repeats", "magnitudes", "peeled"};
    static const consort_type types[] = {CONSORT_F32, CONSORT_F64, CONSORT_U32,
                                         CONSORT_I64, CONSORT_F16, CONSORT_BF16};
    uint64_t number = 0;
    for (int maker = 0; maker < 4; maker++)
        for (int type = 0; type < 6; type++, number++) {
            struct trial t = {.name = names[maker], .make = makers[maker], .type = types[type]};
            t.direction = number / 2 % 2;
            t.float_order = number % 4;
            t.form = number % FORMS;
            if (t.form == RECORDS && consort_type_size(t.type) != 4)
                t.form = PLAIN;
            /* Parts of several tiles of items, and of slices, need every barrier between stages. */
            t.count = (number % 3 == 1 ? 11000 : 3000) + 500 * (number % 5);
            t.slice = number % 2 ? 2 : 80;
            t.bucket = 64;
            t.wide = number % 3 == 0;
            if (trial_share_takes_next())
                try_one(&t);
        }
}

/* Every other key alike: tiles are crowded, and have more slices than a block counts alone. */
static uint64_t halves(uint64_t random, uint64_t index)
{
    return index % 2 ? (uint64_t)0x3f99999999999999 : random;
}

/* A few values, often next to each other. */
static uint64_t few(uint64_t random, uint64_t index)
{
    (void)index;
    return random % 5 * 0x1111111100000001u;
}

static void test_crowded_keys(void **state)
{
    (void)state;
    static key_maker *const makers[] = {halves, few};
    static const char *const names[] = {"halves", "few"};
    static const consort_type types[] = {CONSORT_U32, CONSORT_F32, CONSORT_U64};
    for (int number = 0; number < 12; number++) {
        struct trial t = {.name = names[number % 2], .make = makers[number % 2]};
        t.type = types[number % 3];
        t.form = number / 2 % FORMS;
        if (t.form == RECORDS && consort_type_size(t.type) != 4)
            t.form = ARGSORT;
        t.count = 6500 + 100 * (uint64_t)number;
        t.bucket = 512;
        t.slice = 2;
        t.hint = number % 3;
        t.wide = number / 2 % 2;
        if (trial_share_takes_next())
            try_one(&t);
    }
}

static void test_distributions(void **state)
{
    (void)state;
    static const char *const names[] = {"nans",        "infinities", "zeros",
                                        "one-outlier", "zipf",       "gaussian"};
    for (int32_t i = 0; i < 6; i++)
        for (int form = 0; form < FORMS; form++) {
            struct trial t = {.name = names[i], .type = CONSORT_F32, .form = form};
            t.direction = i % 2;
            t.float_order = (i + form) % 4;
            t.count = 4100;
            t.bucket = i % 2 ? 64 : 512;
            t.wide = (i + form) % 3 == 0;
            if (trial_share_takes_next())
                try_one(&t);
        }
}

/* Nothing is divided twice, or by code, on keys that the paper measures. */
static void test_uniform_keys(void **state)
{
    (void)state;
    if (!trial_share_takes_next())
        skip();
    static const consort_type types[] = {CONSORT_U32, CONSORT_F32, CONSORT_F64, CONSORT_I64};
    for (int i = 0; i < 4; i++) {
        struct trial t = {.name = i % 2 ? "gaussian" : "uniform", .type = types[i]};
        t.count = 20000;
        t.bucket = 512;
        consort_outcome told = try_one(&t);
        assert_int_equal(told.counters[ABOVE], 0);
        assert_int_equal(told.counters[BY_CODE], 0);
        assert_int_equal(told.counters[LEVELS], 1);
        assert_int_equal(told.counters[NEARLY_SORTED], 0);
        assert_in_range(told.counters[BUCKETS], 20000 / 512, 2 * 20000 / 512 + 2);
        assert_in_range(told.counters[DISORDER], 20000 / 10, 20000 / 2);
    }
}

static void test_nearly_sorted_keys(void **state)
{
    (void)state;
    if (!trial_share_takes_next())
        skip();
    struct trial t = {.name = "local-shuffle", .type = CONSORT_F32};
    t.count = 20000;
    t.bucket = 512;
    consort_outcome told = try_one(&t);
    assert_int_equal(told.counters[NEARLY_SORTED], 1);
    assert_in_range(told.counters[DISORDER], 1, 9);
    t.hint = 1;
    assert_int_equal(try_one(&t).counters[NEARLY_SORTED], 0);
    t.name = "uniform";
    t.hint = 2;
    assert_int_equal(try_one(&t).counters[NEARLY_SORTED], 1);
}

/* A flat list is done at once; floats of all magnitudes change from value to code. */
static void test_counters(void **state)
{
    (void)state;
    if (!trial_share_takes_next())
        skip();
    struct trial t = {.name = "equal", .type = CONSORT_F64};
    t.count = 20000;
    t.bucket = 512;
    consort_outcome told = try_one(&t);
    assert_int_equal(told.counters[BUCKETS], 0);
    assert_int_equal(told.counters[LEVELS], 1);
    t.name = "exponents";
    t.make = exponents;
    told = try_one(&t);
    assert_in_range(told.counters[ABOVE], 3, 20000 / 512 * 8);
    assert_in_range(told.counters[BY_CODE], 1, 20000 / 512);
    assert_in_range(told.counters[LEVELS], 4, 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_keys),       cmocka_unit_test(test_crowded_keys),
        cmocka_unit_test(test_distributions),      cmocka_unit_test(test_uniform_keys),
        cmocka_unit_test(test_nearly_sorted_keys), cmocka_unit_test(test_counters),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
