/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every sort and argsort the GPU's registry has, by force, on every distribution: keys alone, with
 * values, indices, in place and apart, with the edges of every parameter; against the CPU engine on
 * the same bytes. Runs on the emulator and on a GPU alike; CONSORT_TEST_LARGE=1 adds sizes that
 * only a GPU sorts in reasonable time, CONSORT_TEST_ALGORITHM=NAME takes one algorithm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
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

enum {
    MOST_PARAMETERS = 8,
    TRIALS = 14, /* of an algorithm, on the emulator */
    LARGE_TRIALS = 24,
    MOST_TRIED = 60 /* for one that an algorithm takes */
};

struct trial {
    const consort_algorithm_info *algorithm;
    consort_parameter parameters[MOST_PARAMETERS];
    const struct distribution *distribution;
    consort_type type, index_type; /* index_type not 0: argsort */
    int32_t direction, float_order;
    uint64_t value_bytes; /* 0: none */
    uint64_t count, seed;
    uint64_t shift; /* of byte strings, which need no alignment */
    bool in_place, captured;
};

struct arrays {
    unsigned char *keys, *values, *sorted_keys, *sorted_values;
    uint64_t key_bytes, value_bytes, out_bytes;
};

static const consort_type types[] = {
    CONSORT_U8,        CONSORT_I8,  CONSORT_U16,  CONSORT_I16,  CONSORT_F16,
    CONSORT_BF16,      CONSORT_U32, CONSORT_I32,  CONSORT_F32,  CONSORT_U64,
    CONSORT_I64,       CONSORT_F64, CONSORT_U128, CONSORT_I128, 0x0503 /* strings of 3 bytes */,
    0x0504 /* of 4 */, 0x0510 /* and of 16 */};

static void describe(const struct trial *trial, int32_t engine, consort_descriptor *descriptor,
                     consort_options *options)
{
    consort_descriptor_init(descriptor);
    consort_options_init(options);
    options->direction = trial->direction;
    options->float_order = trial->float_order;
    options->engine = engine;
    if (engine == CONSORT_ENGINE_CUDA) {
        options->algorithm = trial->algorithm->name;
        options->parameters = trial->parameters;
        options->parameter_count = trial->algorithm->parameter_count;
        descriptor->memory = CONSORT_MEMORY_DEVICE;
    }
    descriptor->operation = trial->algorithm->operation;
    descriptor->type = trial->type;
    descriptor->maximum_count = trial->count + device_run_room(trial->count);
    descriptor->index_type = trial->index_type;
    descriptor->value_bytes = &trial->value_bytes;
    descriptor->value_count = trial->value_bytes > 0;
    descriptor->options = options;
}

static const char *name_of(const struct trial *trial)
{
    static char text[320];
    char type[16];
    consort_type_name(trial->type, type, sizeof type);
    int used = snprintf(text, sizeof text,
                        "%s %s: %s %s, direction %d, float order %d, values %llu, index 0x%x, "
                        "count %llu, in place %d, captured %d, seed %llu",
                        consort_operation_name(trial->algorithm->operation), trial->algorithm->name,
                        type, trial->distribution->name, trial->direction, trial->float_order,
                        (unsigned long long)trial->value_bytes, (unsigned)trial->index_type,
                        (unsigned long long)trial->count, trial->in_place, trial->captured,
                        (unsigned long long)trial->seed);
    for (uint32_t i = 0; i < trial->algorithm->parameter_count && used < (int)sizeof text; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, ", %s %lld",
                         trial->parameters[i].name, (long long)trial->parameters[i].value);
    return text;
}

static void point(const struct trial *trial, consort_arguments *arguments, consort_column *column,
                  void *keys, void *out, void *values, void *values_out)
{
    consort_arguments_init(arguments);
    *column =
        (consort_column){.in = values, .out = values_out, .element_bytes = trial->value_bytes};
    arguments->count = trial->count;
    arguments->in = keys;
    arguments->out = trial->index_type ? NULL : out;
    arguments->indices = trial->index_type ? out : NULL;
    arguments->values = column;
}

static void expect(const struct trial *trial, const struct arrays *a)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_arguments arguments;
    consort_column column;
    describe(trial, CONSORT_ENGINE_CPU, &descriptor, &options);
    consort_plan *plan = device_run_plan(&descriptor);
    point(trial, &arguments, &column, a->keys, a->sorted_keys, a->values, a->sorted_values);
    if (consort_plan_run(plan, &arguments, NULL, 0, NULL) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    consort_plan_destroy(plan);
}

static void compare(const struct trial *trial, const void *device, const void *expected,
                    uint64_t bytes, const char *what)
{
    unsigned char *found = malloc(bytes + 1);
    device_array_read(found, device, bytes);
    if (memcmp(found, expected, bytes) != 0)
        fail_msg("%s differ: %s", what, name_of(trial));
    free(found);
}

static void run_and_compare(const struct trial *trial, consort_plan *plan, const struct arrays *a)
{
    consort_arguments arguments;
    consort_column column;
    bool same = trial->in_place && !trial->index_type;
    uint64_t out_shift = trial->index_type ? 0 : trial->shift;
    void *keys = device_array_new(a->keys, a->key_bytes, trial->shift);
    void *values = device_array_new(a->values, a->value_bytes, 0);
    void *out = same ? keys : device_array_new(NULL, a->out_bytes, out_shift);
    void *values_out = same ? values : device_array_new(NULL, a->value_bytes, 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_outcome told;
    memset(&told, 0xee, sizeof told);
    void *outcome = device_array_new(&told, sizeof told, 0);
    point(trial, &arguments, &column, keys, out, values, values_out);
    arguments.outcome = outcome;
    device_run(plan, &arguments, workspace, trial->captured);
    compare(trial, out, a->sorted_keys, a->out_bytes, "results");
    compare(trial, values_out, a->sorted_values, trial->index_type ? 0 : a->value_bytes, "values");
    if (!same)
        compare(trial, keys, a->keys, a->key_bytes, "inputs");
    device_array_read(&told, outcome, sizeof told);
    if (told.status != CONSORT_OK || told.buffer != 1)
        fail_msg("status %d, buffer %d: %s", told.status, told.buffer, name_of(trial));
    device_array_free(outcome, 0);
    device_array_free(workspace, 0);
    if (!same) {
        device_array_free(values_out, 0);
        device_array_free(out, out_shift);
    }
    device_array_free(values, 0);
    device_array_free(keys, trial->shift);
}

static void try_plan(const struct trial *trial, consort_plan *plan)
{
    uint64_t item = consort_type_size(trial->type);
    struct arrays a = {.key_bytes = trial->count * item,
                       .value_bytes = trial->count * trial->value_bytes};
    a.out_bytes =
        trial->index_type ? trial->count * consort_type_size(trial->index_type) : a.key_bytes;
    a.keys = aligned_alloc(64, (a.key_bytes + 64) / 64 * 64);
    a.values = aligned_alloc(64, (a.value_bytes + 64) / 64 * 64);
    a.sorted_keys = aligned_alloc(64, (a.out_bytes + 64) / 64 * 64);
    a.sorted_values = aligned_alloc(64, (a.value_bytes + 64) / 64 * 64);
    assert_true(distribution_fill(trial->distribution, trial->type, a.keys, 0, trial->count,
                                  trial->count, trial->seed));
    uint64_t random = trial->seed;
    for (uint64_t i = 0; i < a.value_bytes; i++)
        a.values[i] = (unsigned char)random_next(&random);
    expect(trial, &a);
    run_and_compare(trial, plan, &a);
    free(a.keys);
    free(a.values);
    free(a.sorted_keys);
    free(a.sorted_values);
}

/* False if the algorithm does not do such requests. */
static bool try_one(const struct trial *trial)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    describe(trial, CONSORT_ENGINE_CUDA, &descriptor, &options);
    consort_status status = consort_plan_create(&descriptor, &plan);
    if (status == CONSORT_ERROR_UNSUPPORTED)
        return false;
    if (status != CONSORT_OK)
        fail_msg("%s: %s", name_of(trial), consort_last_error()->message);
    if (trial_share_takes_next())
        try_plan(trial, plan);
    consort_plan_destroy(plan);
    return true;
}

static const struct distribution *choose_distribution(consort_type type, uint64_t *random)
{
    size_t count;
    const struct distribution *list = distribution_list(&count);
    for (;;) {
        const struct distribution *chosen = &list[random_below(random, count)];
        if (distribution_supports(chosen, type))
            return chosen;
    }
}

/* The least, the greatest, or what is taken when nothing is said. */
static void choose_parameters(struct trial *trial, uint64_t *random)
{
    const consort_algorithm_info *info = trial->algorithm;
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const consort_parameter_info *parameter = &info->parameters[i];
        int64_t values[] = {parameter->minimum, parameter->maximum, parameter->standard,
                            parameter->standard};
        trial->parameters[i] =
            (consort_parameter){parameter->name, values[random_below(random, 4)]};
    }
}

static struct trial choose(const consort_algorithm_info *algorithm, uint64_t seed, uint64_t count)
{
    static const uint64_t values[] = {0, 0, 4, 8, 16, 1, 12, 40};
    uint64_t random = random_mix(seed);
    struct trial trial = {.algorithm = algorithm, .seed = seed, .count = count};
    trial.type = types[random_below(&random, sizeof types / sizeof types[0])];
    trial.distribution = choose_distribution(trial.type, &random);
    if (trial.type >> 8 == CONSORT_KIND_BYTES)
        trial.shift = random_below(&random, 5);
    trial.direction = (int32_t)random_below(&random, 2);
    trial.float_order = (int32_t)random_below(&random, 4);
    trial.in_place = random_below(&random, 2);
    trial.captured = random_below(&random, 4) == 0;
    if (algorithm->operation == CONSORT_OPERATION_ARGSORT)
        trial.index_type = random_below(&random, 4) ? CONSORT_U32 : CONSORT_U64;
    else
        trial.value_bytes = values[random_below(&random, 8)];
    choose_parameters(&trial, &random);
    return trial;
}

/* Lengths around the tiles of algorithms, short ones often. */
static uint64_t choose_count(uint64_t number, uint64_t most)
{
    static const uint64_t counts[] = {0,   1,   2,    31,   33,   255,  257,
                                      513, 700, 1023, 2049, 3000, 4097, 9001};
    uint64_t random = random_mix(number ^ 0x5eed);
    uint64_t count = counts[number % (sizeof counts / sizeof counts[0])];
    return most > 10000 ? most / 2 + random_below(&random, most / 2) : count < most ? count : most;
}

/* Every other of long lists shorter: some algorithms take no longer ones. */
static uint64_t try_algorithm(const consort_algorithm_info *info, uint64_t trials, uint64_t most)
{
    uint64_t done = 0, seed = 100 * (uint64_t)info->operation;
    if (info->quadratic && most > 3000)
        most = 3000;
    for (uint64_t tried = 0; done < trials && tried < MOST_TRIED * trials; tried++, seed++) {
        const uint64_t shorter = tried % 2 && most > 10000 ? most / 3 : most;
        struct trial trial = choose(info, seed, choose_count(seed, shorter));
        done += try_one(&trial);
    }
    return done;
}

static void try_all(uint64_t trials, uint64_t most)
{
    const char *only = getenv("CONSORT_TEST_ALGORITHM");
    for (uint32_t i = 0; i < consort_algorithm_count(); i++) {
        consort_algorithm_info info;
        /* Those of arrays elsewhere: test_multi.c, test_arrivals.c */
        if (!device_run_sorts(i, &info) || (only && strcmp(only, info.name) != 0))
            continue;
        if (try_algorithm(&info, trials, most) < trials)
            fail_msg("%s %s refuses nearly everything", consort_operation_name(info.operation),
                     info.name);
    }
}

static void test_all(void **state)
{
    (void)state;
    try_all(TRIALS, 10000);
}

static consort_status plan_status(const char *algorithm, consort_type type, uint64_t most)
{
    consort_options options;
    consort_options_init(&options);
    options.algorithm = algorithm;
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = type;
    descriptor.maximum_count = most;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.options = &options;
    consort_plan *plan;
    consort_status status = consort_plan_create(&descriptor, &plan);
    if (status == CONSORT_OK)
        consort_plan_destroy(plan);
    return status;
}

/* Beyond these, sizes would wrap around: refused when the plan is made. */
static void test_most_items(void **state)
{
    const uint64_t most = (uint64_t)1 << 48;
    (void)state;
    assert_int_equal(plan_status("radix-multibit", CONSORT_U8, most), CONSORT_OK);
    assert_int_not_equal(plan_status("radix-multibit", CONSORT_U8, most + 1), CONSORT_OK);
    assert_int_not_equal(plan_status(NULL, CONSORT_U8, 558463396744281345), CONSORT_OK);
    assert_int_equal(plan_status("msd", CONSORT_U32, UINT32_MAX - 65535), CONSORT_OK);
    assert_int_not_equal(plan_status("msd", CONSORT_U32, UINT32_MAX), CONSORT_OK);
}

static consort_algorithm_info find_algorithm(int32_t operation, const char *name)
{
    for (uint32_t i = 0; i < consort_algorithm_count(); i++) {
        consort_algorithm_info info;
        consort_algorithm_info_init(&info);
        assert_int_equal(consort_algorithm_get_info(i, &info), CONSORT_OK);
        if (info.engine == CONSORT_ENGINE_CUDA && info.operation == operation &&
            strcmp(info.name, name) == 0)
            return info;
    }
    fail_msg("no %s", name);
    abort();
}

/* Two plans share kernels that need more shared memory than blocks get unasked: 96 and 60 KiB. */
static void test_plans_share_kernels(void **state)
{
    (void)state;
    const consort_algorithm_info info = find_algorithm(CONSORT_OPERATION_SORT, "radix-coarsened");
    size_t count;
    struct trial large = {.algorithm = &info,
                          .distribution = &distribution_list(&count)[0],
                          .type = CONSORT_U64,
                          .count = 8192,
                          .parameters = {{"block", 1024}, {"bits", 8}, {"coarsening", 8}}};
    struct trial small = large;
    small.parameters[0].value = 640;
    consort_descriptor descriptor;
    consort_options options;
    describe(&large, CONSORT_ENGINE_CUDA, &descriptor, &options);
    consort_plan *first = device_run_plan(&descriptor);
    describe(&small, CONSORT_ENGINE_CUDA, &descriptor, &options);
    consort_plan *second = device_run_plan(&descriptor);
    try_plan(&large, first);
    try_plan(&small, second);
    consort_plan_destroy(second);
    consort_plan_destroy(first);
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    try_all(LARGE_TRIALS, 3000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_most_items),
        cmocka_unit_test(test_plans_share_kernels),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
