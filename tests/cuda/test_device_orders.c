/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders beyond plain keys in device memory: records of random fields, byte strings of any length,
 * NumPy's float order, other byte orders; against the CPU engine on the same bytes. Runs on the
 * emulator and on a GPU alike; CONSORT_TEST_LARGE=1 adds sizes that only a GPU sorts in reasonable
 * time.
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
    MAXIMUM_FIELDS = 8,
    MAXIMUM_COLUMNS = 2
};

struct trial {
    consort_type type; /* CONSORT_RECORD: by the fields */
    uint64_t item_bytes;
    consort_field fields[MAXIMUM_FIELDS];
    uint32_t field_count;
    int32_t direction, float_order; /* of a key type */
    consort_type index_type;        /* not 0: argsort */
    uint64_t value_bytes[MAXIMUM_COLUMNS];
    uint32_t value_count;
    uint64_t count;
    uint64_t shift; /* of items that need no alignment */
    int32_t form, memory;
    bool in_place, captured;
    uint64_t seed;
};

/* Array 0 holds the items (or, sorted, the indices of an argsort), the others the columns. */
struct arrays {
    unsigned char *given[1 + MAXIMUM_COLUMNS], *sorted[1 + MAXIMUM_COLUMNS];
    uint64_t given_bytes[1 + MAXIMUM_COLUMNS], sorted_bytes[1 + MAXIMUM_COLUMNS];
};

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64, S. Vigna */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t below(uint64_t *state, uint64_t bound)
{
    return next_random(state) % bound;
}

/* Zeros, infinities and NaNs of both signs, where a field is a float. */
static void make_special(unsigned char *item, const consort_field *field, uint64_t *seed)
{
    static const uint32_t tops[] = {0x0000, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7ff0, 0x7c00};
    uint32_t bytes = consort_type_size(field->type), top = tops[below(seed, 8)];
    if (bytes < 2 || bytes > 8)
        return;
    memset(item + field->offset, 0, bytes);
    item[field->offset + bytes - 1] = (unsigned char)(top >> 8);
    item[field->offset + bytes - 2] = (unsigned char)top;
}

/* Bytes of few values, and beginnings and wholes of earlier items: ties of every depth. */
static void fill_items(const struct trial *trial, unsigned char *items)
{
    static const unsigned char masks[] = {0xff, 0xff, 0x01, 0x81, 0x03, 0x00};
    uint64_t seed = trial->seed;
    uint64_t mask = masks[below(&seed, 6)], copies = below(&seed, 3);
    for (uint64_t i = 0; i < trial->count; i++) {
        unsigned char *item = items + i * trial->item_bytes;
        for (uint64_t j = 0; j < trial->item_bytes; j++)
            item[j] = (unsigned char)(next_random(&seed) & mask);
        if (trial->field_count > 0 && below(&seed, 4) == 0)
            make_special(item, &trial->fields[below(&seed, trial->field_count)], &seed);
        if (i > 0 && below(&seed, 3) < copies)
            memcpy(item, items + below(&seed, i) * trial->item_bytes,
                   below(&seed, 2) ? trial->item_bytes : below(&seed, trial->item_bytes + 1));
    }
}

static void describe(const struct trial *trial, consort_descriptor *descriptor,
                     consort_options *options)
{
    consort_descriptor_init(descriptor);
    consort_options_init(options);
    bool is_record = trial->type == CONSORT_RECORD;
    options->direction = trial->direction;
    options->float_order = trial->float_order;
    descriptor->operation = trial->index_type ? CONSORT_OPERATION_ARGSORT : CONSORT_OPERATION_SORT;
    descriptor->type = trial->type;
    descriptor->maximum_count = trial->count;
    descriptor->index_type = trial->index_type;
    descriptor->record_bytes = is_record ? trial->item_bytes : 0;
    descriptor->fields = is_record ? trial->fields : NULL;
    descriptor->field_count = is_record ? trial->field_count : 0;
    descriptor->value_bytes = trial->value_bytes;
    descriptor->value_count = trial->value_count;
    descriptor->options = options;
}

static void point(const struct trial *trial, consort_arguments *arguments, consort_column *columns,
                  unsigned char *const *in, unsigned char *const *out)
{
    consort_arguments_init(arguments);
    arguments->count = trial->count;
    arguments->in = in[0];
    arguments->out = trial->index_type ? NULL : out[0];
    arguments->indices = trial->index_type ? out[0] : NULL;
    arguments->values = columns;
    for (uint32_t i = 0; i < trial->value_count; i++)
        columns[i] = (consort_column){
            .in = in[1 + i], .out = out[1 + i], .element_bytes = trial->value_bytes[i]};
}

/* On the CPU, or on the GPU with host arrays. */
static void run_on_host(const struct trial *trial, int32_t engine, const struct arrays *a,
                        unsigned char *const *out)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_arguments arguments;
    consort_column columns[MAXIMUM_COLUMNS];
    describe(trial, &descriptor, &options);
    options.engine = engine;
    options.algorithm = engine == CONSORT_ENGINE_CUDA ? "normalised" : NULL;
    consort_plan *plan = device_run_plan(&descriptor);
    point(trial, &arguments, columns, a->given, out);
    if (consort_plan_run(plan, &arguments, NULL, 0, NULL) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    consort_plan_destroy(plan);
}

static void compare(const struct trial *trial, const void *found, const void *expected,
                    uint64_t bytes, const char *what)
{
    if (memcmp(found, expected, bytes) != 0)
        fail_msg("%s differ: seed %llu (type 0x%x, item %llu, count %llu)", what,
                 (unsigned long long)trial->seed, (unsigned)trial->type,
                 (unsigned long long)trial->item_bytes, (unsigned long long)trial->count);
}

static void compare_device(const struct trial *trial, const void *device, const void *expected,
                           uint64_t bytes, const char *what)
{
    unsigned char *found = malloc(bytes + 1);
    device_array_read(found, device, bytes);
    compare(trial, found, expected, bytes, what);
    free(found);
}

static void run_on_device(const struct trial *trial, const struct arrays *a)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_arguments arguments;
    consort_column columns[MAXIMUM_COLUMNS];
    unsigned char *in[1 + MAXIMUM_COLUMNS], *out[1 + MAXIMUM_COLUMNS];
    uint32_t arrays = 1 + trial->value_count;
    describe(trial, &descriptor, &options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.algorithm = "normalised";
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.form = trial->form;
    consort_plan *plan = device_run_plan(&descriptor);
    for (uint32_t i = 0; i < arrays; i++) {
        bool same = trial->in_place && !(i == 0 && trial->index_type);
        uint64_t shift = i == 0 && trial->index_type ? 0 : trial->shift;
        in[i] = device_array_new(a->given[i], a->given_bytes[i], trial->shift);
        out[i] = same ? in[i] : device_array_new(NULL, a->sorted_bytes[i], shift);
    }
    void *outcome = device_array_new(NULL, sizeof(consort_outcome), 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    point(trial, &arguments, columns, in, out);
    arguments.outcome = outcome;
    device_run(plan, &arguments, workspace, trial->captured);
    consort_outcome told;
    device_array_read(&told, outcome, sizeof told);
    bool in_first = trial->form == CONSORT_FORM_DOUBLE_BUFFER && told.buffer == 0;
    for (uint32_t i = 0; i < arrays; i++) {
        compare_device(trial, in_first ? in[i] : out[i], a->sorted[i], a->sorted_bytes[i],
                       i == 0 ? "results" : "values");
        if (in[i] != out[i]) {
            if (trial->form == CONSORT_FORM_COPY)
                compare_device(trial, in[i], a->given[i], a->given_bytes[i], "inputs");
            device_array_free(out[i], i == 0 && trial->index_type ? 0 : trial->shift);
        }
        device_array_free(in[i], trial->shift);
    }
    device_array_free(workspace, 0);
    device_array_free(outcome, 0);
    consort_plan_destroy(plan);
}

static unsigned char *new_bytes(uint64_t bytes)
{
    unsigned char *memory = aligned_alloc(64, (bytes + 64) / 64 * 64);
    assert_non_null(memory);
    return memory;
}

static void try_one(const struct trial *trial)
{
    if (!trial_share_takes_next())
        return;
    struct arrays a;
    unsigned char *found[1 + MAXIMUM_COLUMNS];
    uint64_t seed = trial->seed;
    uint32_t arrays = 1 + trial->value_count;
    for (uint32_t i = 0; i < arrays; i++) {
        uint64_t bytes = trial->count * (i == 0 ? trial->item_bytes : trial->value_bytes[i - 1]);
        a.given_bytes[i] = bytes;
        a.sorted_bytes[i] = i == 0 && trial->index_type
                                ? trial->count * consort_type_size(trial->index_type)
                                : bytes;
        a.given[i] = new_bytes(bytes);
        a.sorted[i] = new_bytes(a.sorted_bytes[i]);
        found[i] = new_bytes(a.sorted_bytes[i]);
        for (uint64_t j = 0; i > 0 && j < bytes; j++)
            a.given[i][j] = (unsigned char)next_random(&seed);
    }
    fill_items(trial, a.given[0]);
    run_on_host(trial, CONSORT_ENGINE_CPU, &a, a.sorted);
    if (trial->memory == CONSORT_MEMORY_DEVICE)
        run_on_device(trial, &a);
    else
        run_on_host(trial, CONSORT_ENGINE_CUDA, &a, found);
    for (uint32_t i = 0; i < arrays; i++) {
        if (trial->memory == CONSORT_MEMORY_HOST)
            compare(trial, found[i], a.sorted[i], a.sorted_bytes[i], "host results");
        free(a.given[i]);
        free(a.sorted[i]);
        free(found[i]);
    }
}

static const consort_type types[] = {
    CONSORT_U8,  CONSORT_I8,  CONSORT_U16, CONSORT_I16, CONSORT_F16, CONSORT_BF16, CONSORT_U32,
    CONSORT_I32, CONSORT_F32, CONSORT_U64, CONSORT_I64, CONSORT_F64, CONSORT_U128, CONSORT_I128};

static consort_type random_type(uint64_t *seed, uint64_t room)
{
    consort_type type = types[below(seed, sizeof types / sizeof types[0])];
    if (below(seed, 3) == 0 || consort_type_size(type) > room)
        return consort_type_bytes(1 + (uint32_t)below(seed, room < 40 ? room : 40));
    return consort_type_with_byte_order(type, (int32_t)below(seed, 3));
}

/* How a trial runs, from its seed. */
static void choose_run(struct trial *trial, uint64_t *seed)
{
    static const uint64_t widths[] = {1, 2, 3, 4, 8, 12, 16, 24, 100};
    trial->memory = below(seed, 5) ? CONSORT_MEMORY_DEVICE : CONSORT_MEMORY_HOST;
    if (below(seed, 3) == 0)
        trial->index_type = below(seed, 2) ? CONSORT_U32 : CONSORT_U64;
    else
        trial->value_count = (uint32_t)below(seed, MAXIMUM_COLUMNS + 1);
    for (uint32_t i = 0; i < trial->value_count; i++)
        trial->value_bytes[i] = widths[below(seed, 9)];
    if (!trial->index_type && trial->memory == CONSORT_MEMORY_DEVICE && below(seed, 4) == 0)
        trial->form = CONSORT_FORM_DOUBLE_BUFFER;
    else
        trial->in_place = !trial->index_type && below(seed, 2);
    trial->captured = below(seed, 4) == 0;
}

static struct trial random_record(uint64_t number, uint64_t most)
{
    uint64_t seed = number;
    struct trial trial = {.type = CONSORT_RECORD, .seed = number};
    trial.item_bytes = 1 + below(&seed, below(&seed, 2) ? 300 : 40);
    trial.field_count = 1 + (uint32_t)below(&seed, MAXIMUM_FIELDS);
    for (uint32_t i = 0; i < trial.field_count; i++) {
        consort_field *field = &trial.fields[i];
        field->offset = below(&seed, trial.item_bytes);
        field->type = random_type(&seed, trial.item_bytes - field->offset);
        field->direction = (int32_t)below(&seed, 2);
        field->float_order = (int32_t)below(&seed, 4);
    }
    trial.count = below(&seed, 8) ? below(&seed, most) : below(&seed, 3);
    trial.shift = below(&seed, 17);
    choose_run(&trial, &seed);
    return trial;
}

static void test_records(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        struct trial trial = random_record(seed, seed % 10 ? 700 : 9000);
        try_one(&trial);
    }
}

static void test_strings(void **state)
{
    (void)state;
    for (uint32_t length = 1; length <= 255; length += length < 40 ? 1 : 43) {
        uint64_t seed = 1000 + length;
        struct trial trial = {.type = consort_type_bytes(length),
                              .item_bytes = length,
                              .direction = (int32_t)below(&seed, 2),
                              .count = length % 8 ? 200 + below(&seed, 400) : 6000,
                              .shift = below(&seed, 17),
                              .seed = seed};
        choose_run(&trial, &seed);
        try_one(&trial);
    }
}

/* One trial of each type in each byte order, with NumPy's order for floats. */
static void test_key_types(void **state)
{
    (void)state;
    uint64_t seed = 2000;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (int32_t byte_order = 0; byte_order < 3; byte_order++) {
            consort_type type = consort_type_with_byte_order(types[t], byte_order);
            struct trial trial = {.type = type,
                                  .item_bytes = consort_type_size(type),
                                  .direction = (int32_t)below(&seed, 2),
                                  .float_order = CONSORT_NUMPY_ORDER,
                                  .fields = {{.type = type}},
                                  .field_count = 1,
                                  .count = below(&seed, 3000),
                                  .seed = seed};
            choose_run(&trial, &seed);
            try_one(&trial);
        }
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    for (uint64_t seed = 5000; seed < 5040; seed++) {
        struct trial trial = random_record(seed, 2000000);
        try_one(&trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_key_types),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
