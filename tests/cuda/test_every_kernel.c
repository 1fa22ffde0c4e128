/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every kernel runs, on the emulator, and what it makes is right: each algorithm by force with
 * every width of keys, values and indices and every value of its small parameters, other operations
 * in the orders that have kernels of their own. A sort whose plan has no kernel that has not run is
 * left out. A kernel that nothing here launches fails the test: then a line is missing in a table
 * below.
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
#include "hybrid_keys.h"
#include "kernel_uses.h"
#include "merge_trial.h"
#include "operation_trial.h"
#include "segmented_trial.h"
#include "sort_trial.h"
#include "spread_trial.h"

enum {
    WIDTHS = 5,
    TYPES = WIDTHS + 5,
    MOST_STEPS = 24, /* values of a parameter that are all tried */
    MOST_QUADRATIC = 1200
};

/* One of each width; and floats, and strings that are longer than a code. */
static const consort_type types[TYPES] = {CONSORT_U8,   CONSORT_U16, CONSORT_U32, CONSORT_U64,
                                          CONSORT_U128, CONSORT_F16, CONSORT_F32, CONSORT_F64,
                                          0x0514,       0x053c};
static const int values[] = {0, 1, 2, 4, 8, 16, 40, SORT_TRIAL_U32, SORT_TRIAL_U64};

/* For tiles and what moves between them, and for one block. */
static const uint64_t counts[] = {2500, 300, 1200, 9001};

static bool brings_kernels(const struct sort_trial *trial)
{
    consort_descriptor descriptor;
    consort_options options;
    uint64_t bytes = (uint64_t)abs(trial->values);
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.algorithm = trial->algorithm;
    options.direction = trial->direction;
    options.parameters = trial->parameters;
    options.parameter_count = trial->parameters[0].name != NULL;
    descriptor.operation = trial->values < 0 ? CONSORT_OPERATION_ARGSORT : CONSORT_OPERATION_SORT;
    descriptor.type = trial->type;
    descriptor.maximum_count = trial->count + device_run_room(trial->count);
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.options = &options;
    descriptor.value_bytes = &bytes;
    descriptor.value_count = trial->values > 0;
    if (trial->values < 0)
        descriptor.index_type = trial->values == SORT_TRIAL_U32 ? CONSORT_U32 : CONSORT_U64;
    return kernel_uses_new(&descriptor);
}

static void try_count(const consort_algorithm_info *info, struct sort_trial trial, uint64_t count)
{
    trial.count = info->quadratic && count > MOST_QUADRATIC ? MOST_QUADRATIC : count;
    if (brings_kernels(&trial))
        sort_trial_try_distribution(&trial, distribution_find("uniform"));
}

/* One parameter at a time: all its values if they are few, else the least and the greatest. */
static void try_parameters(const consort_algorithm_info *info, struct sort_trial trial,
                           uint64_t count)
{
    for (uint32_t p = 0; p < info->parameter_count; p++) {
        const consort_parameter_info *parameter = &info->parameters[p];
        int64_t steps = parameter->maximum - parameter->minimum;
        bool few = steps <= MOST_STEPS;
        for (int64_t i = 0; i <= (few ? steps : 1); i++) {
            int64_t value = few || i == 0 ? parameter->minimum + i : parameter->maximum;
            trial.parameters[0] = (consort_parameter){parameter->name, value};
            try_count(info, trial, count);
        }
    }
}

static void try_algorithm(const consort_algorithm_info *info)
{
    bool argsort = info->operation == CONSORT_OPERATION_ARGSORT;
    for (int t = 0; t < TYPES; t++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            struct sort_trial trial = {.algorithm = info->name,
                                       .type = types[t],
                                       .values = values[v],
                                       .direction = 1,
                                       .zeros = true};
            if (argsort != (values[v] < 0))
                continue;
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                try_count(info, trial, counts[i]);
            if (t < WIDTHS)
                try_parameters(info, trial, counts[0]);
        }
}

static void test_sorts(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < consort_algorithm_count(); i++) {
        consort_algorithm_info info;
        if (device_run_sorts(i, &info))
            try_algorithm(&info);
    }
}

/* What runs only in long lists, or of some lengths. */
static const struct sort_trial of_lengths[] = {
    {.algorithm = "counting", .type = CONSORT_U8, .count = 40000, .keys = "uniform"},
    {.algorithm = "fused",
     .type = CONSORT_U32,
     .values = SORT_TRIAL_U32,
     .count = 17011,
     .keys = "uniform",
     .parameters = {{"leaf", 64}}},
    {.algorithm = "fused",
     .type = CONSORT_U32,
     .values = SORT_TRIAL_U32,
     .count = 17011,
     .keys = "uniform",
     .parameters = {{"leaf", 64}, {"long", 1}}},
    {.algorithm = "hybrid",
     .type = CONSORT_U32,
     .values = 4,
     .count = 10001,
     .keys = "sorted", /* in 1024 buckets */
     .parameters = {{"leaf", 16}}},
    {.algorithm = "hybrid",
     .type = CONSORT_U32,
     .values = 4,
     .count = 270000,
     .keys = "low-entropy"},
    {.algorithm = "merge", .type = CONSORT_U64, .count = 2048, .keys = "uniform"},
    {.algorithm = "merge", .type = CONSORT_U32, .values = 4, .count = 2048, .keys = "uniform"},
    {.algorithm = "msd",
     .type = CONSORT_U32,
     .count = 40000,
     .keys = "uniform",
     .parameters = {{"leaf", 64}}},
    {.algorithm = "msd",
     .type = CONSORT_U32,
     .count = 40000,
     .keys = "uniform",
     .parameters = {{"leaf", 64}, {"middling", 1}}},
    {.algorithm = "msd",
     .type = CONSORT_U64,
     .count = 40000,
     .keys = "uniform",
     .parameters = {{"leaf", 64}}},
    {.algorithm = "msd",
     .type = CONSORT_U128,
     .count = 40000,
     .keys = "uniform",
     .parameters = {{"leaf", 64}}},
    {.algorithm = "msd",
     .type = CONSORT_U32,
     .count = 17011,
     .keys = "uniform",
     .parameters = {{"leaf", 64}, {"long", 1}}},
    {.algorithm = "msd",
     .type = CONSORT_F32,
     .count = 17011,
     .keys = "gaussian",
     .parameters = {{"leaf", 64}, {"long", 1}}},
    {.algorithm = "msd",
     .type = CONSORT_U64,
     .count = 17011,
     .keys = "low-entropy",
     .parameters = {{"leaf", 64}, {"long", 1}}},
};

/* Runs merged by four. */
static void try_fours(void)
{
    for (int type = 2; type < 4; type++)
        for (int bytes = 0; bytes <= 4; bytes += 4) {
            struct sort_trial trial = {
                .algorithm = "merge", .type = types[type], .values = bytes, .count = 40000};
            trial.parameters[0] = (consort_parameter){"four_from", 1};
            sort_trial_try_distribution(&trial, distribution_find("uniform"));
        }
}

/* By `lsd`: all passes in one launch, by tiles of short lists, of few rounds, and by the usual
 * ones. */
static const struct {
    consort_type type;
    int values;
    uint64_t count;
} of_passes[] = {{CONSORT_U16, 0, 140000}, {CONSORT_U32, 4, 250000}, {CONSORT_U32, 4, 270000},
                 {CONSORT_U32, 4, 360000}, {CONSORT_U32, 8, 140000}, {CONSORT_U64, 4, 140000},
                 {CONSORT_U64, 8, 140000}};

static void try_passes(void)
{
    for (size_t i = 0; i < sizeof of_passes / sizeof *of_passes; i++) {
        const struct sort_trial trial = {.algorithm = "lsd",
                                         .type = of_passes[i].type,
                                         .values = of_passes[i].values,
                                         .count = of_passes[i].count};
        sort_trial_try_distribution(&trial, distribution_find("half-constant"));
    }
}

/* As few leaves as there can be of halves of keys: they take as many buckets as there are. */
static void try_halves(void)
{
    const struct sort_trial trial = {.algorithm = "hybrid",
                                     .keys = "full halves",
                                     .type = CONSORT_U32,
                                     .values = SORT_TRIAL_U32,
                                     .count = 491521,
                                     .parameters = {{"leaf", 16}}};
    uint32_t *keys = (uint32_t *)sort_trial_array(trial.count * sizeof *keys);
    hybrid_make_full_halves(keys, trial.count, 15);
    sort_trial_try(&trial, (unsigned char *)keys);
    free(keys);
}

/* Lists for which `hybrid` has no leaves: by short tiles, wide keys also by a prefix. */
static void try_uneven(int type, int bytes)
{
    struct sort_trial trial = {
        .algorithm = "hybrid", .type = types[type], .values = bytes, .count = 140000};
    sort_trial_try_distribution(&trial, distribution_find("low-entropy"));
    trial.count = 9001;
    trial.parameters[0] = (consort_parameter){"leaf", 64};
    trial.parameters[1] = (consort_parameter){"prefix", 1};
    sort_trial_try_distribution(&trial, distribution_find("zipf"));
}

static void test_lengths(void **state)
{
    (void)state;
    try_halves();
    try_fours();
    try_passes();
    for (int type = 2; type < WIDTHS; type++)
        for (int bytes = 4; bytes <= (type == WIDTHS - 1 ? 8 : 16); bytes *= 2)
            try_uneven(type, bytes);
    for (size_t i = 0; i < sizeof of_lengths / sizeof *of_lengths; i++)
        sort_trial_try_distribution(&of_lengths[i], distribution_find(of_lengths[i].keys));
}

static void test_merges(void **state)
{
    (void)state;
    static const uint64_t widths[] = {0, 4};
    for (int t = 0; t < WIDTHS; t++)
        for (int v = 0; v < 2; v++) {
            struct merge_trial trial = {.operation = CONSORT_OPERATION_MERGE,
                                        .type = types[t],
                                        .value_bytes = widths[v],
                                        .count = 5000,
                                        .count_b = 4001,
                                        .seed = 1};
            merge_trial_try(&trial);
        }
}

static void test_rows(void **state)
{
    (void)state;
    for (int t = 0; t < WIDTHS; t++)
        for (int far = 0; far < 2; far++)
            for (uint64_t rows = 1; rows <= 300; rows += 299) {
                struct operation_trial trial = {.operation = CONSORT_OPERATION_TOP_K,
                                                .order = random_order_of_type(types[t], 0, 0),
                                                .count = 9000,
                                                .rows = rows,
                                                .k = 7,
                                                .index_type = CONSORT_U64,
                                                .room = far && rows == 1 ? (uint64_t)1 << 32 : 0,
                                                .memory = CONSORT_MEMORY_DEVICE,
                                                .seed = 1};
                operation_trial_try(&trial);
            }
}

/* Orders that need codes, of every length of code. */
static void test_orders(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {1, 2, 3, 7, 13, 18, 40};
    static const int32_t operations[] = {CONSORT_OPERATION_MERGE, CONSORT_OPERATION_SEGMENTED_SORT,
                                         CONSORT_OPERATION_TOP_K, CONSORT_OPERATION_IS_SORTED};
    for (int i = 0; i < 4; i++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            struct operation_trial trial = {
                .operation = operations[i],
                .order = random_order_of_type(consort_type_bytes(lengths[l]), 0, 0),
                .count = 900,
                .rows = 1,
                .k = 50,
                .segments = operations[i] == CONSORT_OPERATION_SEGMENTED_SORT ? 9 : 0,
                .offset_type = CONSORT_U32,
                .index_type = operations[i] == CONSORT_OPERATION_TOP_K ? CONSORT_U32 : 0,
                .memory = CONSORT_MEMORY_DEVICE,
                .seed = 1};
            if (operations[i] == CONSORT_OPERATION_MERGE)
                trial.count_b = 700;
            operation_trial_try(&trial);
        }
    for (int t = 0; t < WIDTHS; t++) {
        struct operation_trial trial = {.operation = CONSORT_OPERATION_IS_SORTED,
                                        .order = random_order_of_type(types[t], 0, 0),
                                        .count = 900,
                                        .memory = CONSORT_MEMORY_DEVICE,
                                        .seed = 1};
        operation_trial_try(&trial);
    }
}

static void test_parts(void **state)
{
    (void)state;
    for (int t = 0; t < WIDTHS + 3; t++)
        for (int kind = 0; kind < SPREAD_KINDS; kind++) {
            struct spread_trial trial = {.kind = (enum spread_kind)kind,
                                         .type = types[t],
                                         .index_type = CONSORT_U32,
                                         .float_order = t < WIDTHS ? 0 : CONSORT_NUMPY_ORDER,
                                         .distribution = distribution_find("uniform"),
                                         .parts = 2,
                                         .counts = {700, 900},
                                         .seed = 1,
                                         .ranges = 3};
            spread_trial_try(&trial);
            trial.index_type = CONSORT_U64;
            if (kind == SPREAD_ARGSORT)
                spread_trial_try(&trial);
            trial.counts[0] = trial.counts[1] = 10007;
            trial.sample = 600;
            trial.ranges = 2;
            if (kind == SPREAD_KEYS && t < WIDTHS)
                spread_trial_try(&trial);
        }
}

static void test_segments(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {3, 30, 300, 3000, 20000};
    for (int t = 0; t < WIDTHS; t++)
        for (uint64_t bytes = 0; bytes <= 4; bytes += 4)
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                struct trial trial = {.type = types[t],
                                      .offset_type = CONSORT_U32,
                                      .shape = SHAPE_EQUAL,
                                      .length = lengths[l],
                                      .count = 20000,
                                      .value_bytes = {bytes},
                                      .mask = UINT64_MAX,
                                      .seed = 1};
                segmented_trial(&trial);
            }
}

/* The benchmark's kernel is in no plan: bench.gpu_bench runs it. */
static bool is_wanted(const char *name)
{
    return strcmp(name, "bench_compare") != 0;
}

static void test_all_have_run(void **state)
{
    (void)state;
    assert_int_equal(kernel_uses_unlike(is_wanted), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorts),    cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_merges),   cmocka_unit_test(test_rows),
        cmocka_unit_test(test_orders),   cmocka_unit_test(test_parts),
        cmocka_unit_test(test_segments), cmocka_unit_test(test_all_have_run),
    };
    if (!device_array_begin() || !kernel_uses_find()) {
        print_message("skipped: not the emulator\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
