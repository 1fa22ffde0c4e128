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
#include "random_order.h"
#include "support/number_types.h"
#include "support/random.h"
#include "trial_share.h"

enum {
    MAXIMUM_COLUMNS = 2
};

struct trial {
    struct random_order order;
    consort_type index_type; /* not 0: argsort */
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

static void describe(const struct trial *trial, consort_descriptor *descriptor,
                     consort_options *options)
{
    consort_descriptor_init(descriptor);
    consort_options_init(options);
    random_order_describe(&trial->order, descriptor, options);
    descriptor->operation = trial->index_type ? CONSORT_OPERATION_ARGSORT : CONSORT_OPERATION_SORT;
    descriptor->maximum_count = trial->count + device_run_room(trial->count);
    descriptor->index_type = trial->index_type;
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
                 (unsigned long long)trial->seed, (unsigned)trial->order.type,
                 (unsigned long long)trial->order.item_bytes, (unsigned long long)trial->count);
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
    void *outcome = device_array_new(&(consort_outcome){.status = -1}, sizeof(consort_outcome), 0);
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
        uint64_t bytes =
            trial->count * (i == 0 ? trial->order.item_bytes : trial->value_bytes[i - 1]);
        a.given_bytes[i] = bytes;
        a.sorted_bytes[i] = i == 0 && trial->index_type
                                ? trial->count * consort_type_size(trial->index_type)
                                : bytes;
        a.given[i] = new_bytes(bytes);
        a.sorted[i] = new_bytes(a.sorted_bytes[i]);
        found[i] = new_bytes(a.sorted_bytes[i]);
        for (uint64_t j = 0; i > 0 && j < bytes; j++)
            a.given[i][j] = (unsigned char)random_next(&seed);
    }
    random_order_fill(&trial->order, a.given[0], trial->count, trial->seed);
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

/* How a trial runs, from its seed. */
static void choose_run(struct trial *trial, uint64_t *seed)
{
    static const uint64_t widths[] = {1, 2, 3, 4, 8, 12, 16, 24, 100};
    trial->memory = random_below(seed, 5) ? CONSORT_MEMORY_DEVICE : CONSORT_MEMORY_HOST;
    if (random_below(seed, 3) == 0)
        trial->index_type = random_below(seed, 2) ? CONSORT_U32 : CONSORT_U64;
    else
        trial->value_count = (uint32_t)random_below(seed, MAXIMUM_COLUMNS + 1);
    for (uint32_t i = 0; i < trial->value_count; i++)
        trial->value_bytes[i] = widths[random_below(seed, 9)];
    if (!trial->index_type && trial->memory == CONSORT_MEMORY_DEVICE && random_below(seed, 4) == 0)
        trial->form = CONSORT_FORM_DOUBLE_BUFFER;
    else
        trial->in_place = !trial->index_type && random_below(seed, 2);
    trial->captured = random_below(seed, 4) == 0;
}

static struct trial random_record(uint64_t number, uint64_t most)
{
    uint64_t seed = number;
    struct trial trial = {.order = random_order_of_records(&seed), .seed = number};
    trial.count = random_below(&seed, 8) ? random_below(&seed, most) : random_below(&seed, 3);
    trial.shift = random_below(&seed, 17);
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
        struct trial trial = {.order = random_order_of_type(consort_type_bytes(length),
                                                            (int32_t)random_below(&seed, 2), 0),
                              .count = length % 8 ? 200 + random_below(&seed, 400) : 6000,
                              .shift = random_below(&seed, 17),
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
    for (int t = 0; t < NUMBER_TYPES; t++)
        for (int32_t byte_order = 0; byte_order < 3; byte_order++) {
            consort_type type = consort_type_with_byte_order(number_types[t], byte_order);
            int32_t direction = (int32_t)random_below(&seed, 2);
            struct trial trial = {.order =
                                      random_order_of_type(type, direction, CONSORT_NUMPY_ORDER),
                                  .count = random_below(&seed, 3000),
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
