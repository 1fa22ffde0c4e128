/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `msd` on lists whose buckets get rooms, memory for somewhat more keys than chance brings there:
 * keys that fill them evenly, whatever cells they are in then, and such as seem to, until a room is
 * too small. A small `leaf` makes short lists such. Runs on the emulator and on a GPU alike;
 * CONSORT_TEST_LARGE=1 adds sizes that only a GPU sorts in time.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/driver.h"
#include "cuda/sorts/msd/msd_layout.h"
#include "device_array.h"
#include "device_run.h"
#include "distributions.h"
#include "room_keys.h"
#include "sort_trial.h"
#include "support/random.h"

static const consort_type integers[] = {CONSORT_U32, CONSORT_I64, CONSORT_I32, CONSORT_U64};
static const consort_type floats[] = {CONSORT_F32, CONSORT_F64};

static void try_codes(const struct sort_trial *trial, const struct room_maker *maker)
{
    struct sort_trial named = *trial;
    unsigned char *keys = sort_trial_array(trial->count * consort_type_size(trial->type));
    room_make_keys(maker, keys, trial->count, trial->type, trial->seed);
    named.keys = maker->name;
    sort_trial_try(&named, keys);
    free(keys);
}

static void try_all(uint64_t count, int64_t leaf, int64_t longer)
{
    struct sort_trial trial = {.algorithm = "msd", .count = count};
    trial.parameters[0] = (consort_parameter){"leaf", leaf};
    trial.parameters[1] = (consort_parameter){"long", longer};
    for (size_t i = 0; i < ROOM_MAKERS; i++)
        for (unsigned k = 0; k < room_makers[i].trials; k++) {
            trial.seed = 31 + 7 * i + k + (longer ? 100 : 0);
            trial.type = integers[longer ? (i + k) % 2 * 2 : (i + k) % 4];
            trial.direction = (int32_t)((i + k) / 2 % 2);
            trial.in_place = (i + k) % 3 == 1;
            trial.captured = (i + k) % 3 == 2;
            try_codes(&trial, &room_makers[i]);
        }
}

static void test_codes(void **state)
{
    (void)state;
    try_all(70001, 64, 0);
    try_all(70001, 64, 1);
}

/* Numbers between two others; one is beyond them, infinite or none: in every other list no sampled
 * key. */
enum beyond {
    NONE_BEYOND,
    ONE_BEYOND,
    INFINITE,
    NO_NUMBERS,
    BEYOND_COUNT
};

/* `crowds`: of 64 rooms the fourth, which gets what a 64th of all would be, too. */
static double number_of(enum beyond beyond, bool above, bool is_beyond, bool crowds,
                        uint64_t random)
{
    const double even = (double)(random >> 11) * 0x1p-53;
    const double within = crowds ? (3 + even) / 64 : even;
    if (beyond == NONE_BEYOND || !is_beyond)
        return within - (beyond == INFINITE ? 0.25 : 0);
    if (beyond == ONE_BEYOND)
        return above ? 3 + within : -1e-3 - within;
    return copysign(beyond == INFINITE ? INFINITY : NAN, above ? 1 : -1);
}

static void try_numbers(uint64_t count, int64_t leaf, int64_t longer)
{
    for (unsigned i = 0; i < 12 * BEYOND_COUNT; i += longer ? 2 : 1) {
        const bool full = i >= 8 * BEYOND_COUNT;
        const enum beyond beyond = (enum beyond)(full ? i / 2 % BEYOND_COUNT : i / 8);
        const bool above = full ? (i / 8 + i) % 2 : i / 4 % 2;
        struct sort_trial trial = {.algorithm = "msd",
                                   .type = floats[longer ? 0 : i % 2],
                                   .count = count,
                                   .seed = 61 + i,
                                   .keys = full ? "numbers, a room too full"
                                                : "numbers, one beyond all cells",
                                   .direction = (int32_t)((full ? i / 8 : i / 2) % 2),
                                   .float_order = i % 5 == 4 ? CONSORT_NAN_FIRST : 0,
                                   .in_place = i % 3 == 1,
                                   .captured = i % 3 == 2};
        const size_t bytes = consort_type_size(trial.type);
        unsigned char *keys = sort_trial_array(count * bytes);
        trial.parameters[0] = (consort_parameter){"leaf", leaf};
        trial.parameters[1] = (consort_parameter){"long", longer};
        for (uint64_t k = 0; k < count; k++) {
            const double number = number_of(beyond, above, k == count / 3, full && k % 64 == 3,
                                            random_mix(trial.seed * 0x10001 + k));
            const float narrow = (float)number;
            memcpy(keys + k * bytes, bytes == 4 ? (const void *)&narrow : &number, bytes);
        }
        sort_trial_try(&trial, keys);
        free(keys);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    try_numbers(34001, 64, 0);
    try_numbers(34001, 64, 1);
}

/* Buckets of several tiles, which wait for each other. */
static void test_groups(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U32, CONSORT_F32, CONSORT_U64};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        sort_trial_try_distribution(&(struct sort_trial){.algorithm = "msd",
                                                         .type = types[i],
                                                         .count = 640000 + 7 * i,
                                                         .seed = 5 + i,
                                                         .parameters = {{"leaf", 1100}}},
                                    distribution_find("uniform"));
}

/* Lists of whole tiles and with few keys in the last one, forms and orders, and more keys than may
 * have rooms; with both buffers there is no memory for any. */
static void test_counts(void **state)
{
    (void)state;
    static const uint64_t counts[] = {62464, 65536, 65537, 98304, 98305, 131072};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct sort_trial trial = {.algorithm = "msd",
                                   .type = integers[i % 4],
                                   .count = counts[i],
                                   .seed = i,
                                   .parameters = {{"leaf", 64}, {"rooms", 131072}}};
        if (i == 1)
            trial.parameters[1].value = 65535;
        trial.form = i == 4 ? CONSORT_FORM_DOUBLE_BUFFER : CONSORT_FORM_COPY;
        trial.in_place = i % 3 == 2;
        trial.captured = i % 3 == 0;
        trial.direction = (int32_t)(i / 3 % 2);
        sort_trial_try_distribution(&trial, distribution_find("uniform"));
    }
}

static void test_distributions(void **state)
{
    (void)state;
    size_t count;
    const struct distribution *list = distribution_list(&count);
    for (size_t d = 0; d < count; d++)
        sort_trial_try_distribution(&(struct sort_trial){.algorithm = "msd",
                                                         .type = integers[d % 4],
                                                         .count = 66001,
                                                         .seed = d,
                                                         .in_place = d % 3 == 1,
                                                         .parameters = {{"leaf", 64}}},
                                    &list[d]);
}

enum {
    RUNS = 16,
    RUN = 3 << 12,
    SEEDS = 32
};

/* Ascending runs of codes, or of numbers from 0 to 1, of which one in 500 is missing, at the end.
 */
static uint32_t *make_runs(consort_type type)
{
    uint32_t *keys = (uint32_t *)sort_trial_array((uint64_t)RUNS * RUN * sizeof *keys);
    for (uint32_t i = 0; i < RUNS * RUN; i++) {
        const float number = (float)(i % RUN) / RUN * 0.998f;
        if (type == CONSORT_F32)
            memcpy(&keys[i], &number, sizeof number);
        else
            keys[i] = (uint32_t)((double)number * UINT32_MAX);
    }
    return keys;
}

static void mix(uint32_t *keys)
{
    for (uint32_t i = RUNS * RUN - 1; i > 0; i--) {
        const uint32_t other = random_mix(i) % (i + 1), key = keys[i];
        keys[i] = keys[other];
        keys[other] = key;
    }
}

/* How many samples of the keys give them rooms. */
static unsigned count_roomy(const uint32_t *keys, consort_type type)
{
    const uint64_t count = (uint64_t)RUNS * RUN;
    consort_parameter parameters[] = {{"leaf", 64}, {"middling", 0}};
    consort_descriptor descriptor;
    consort_options options = device_run_options(CONSORT_ENGINE_CUDA, 0, 0);
    consort_descriptor_init(&descriptor);
    options.algorithm = "msd";
    options.parameters = parameters;
    options.parameter_count = 2;
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = type;
    descriptor.maximum_count = count;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.options = &options;
    consort_plan *plan = device_run_plan(&descriptor);
    void *in = device_array_new(keys, count * sizeof *keys, 0);
    void *out = device_array_new(NULL, count * sizeof *keys, 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = count;
    arguments.in = in;
    arguments.out = out;
    uint32_t *seed = &((struct driver *)driver_get())->seed, drawn = *seed;
    unsigned roomy = 0;
    for (uint32_t i = 0; i < SEEDS; i++) {
        struct msd_control control;
        *seed = random_mix(i);
        device_run(plan, &arguments, workspace, false);
        device_array_read(&control, workspace, sizeof control);
        roomy += control.roomy && !control.spilled;
    }
    *seed = drawn;
    device_array_free(workspace, 0);
    device_array_free(out, 0);
    device_array_free(in, 0);
    consort_plan_destroy(plan);
    return roomy;
}

/* Few places of such a list tell where its codes end, but those of a list without order do. */
static void test_runs_lack_more(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U32, CONSORT_F32};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        uint32_t *keys = make_runs(types[i]);
        assert_true(count_roomy(keys, types[i]) > SEEDS / 2);
        mix(keys);
        assert_int_equal(count_roomy(keys, types[i]), 0);
        free(keys);
    }
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    static const uint64_t counts[] = {4300000, 5000011, 1 << 24, 1 << 26};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        try_all(counts[i], 0, 0);
        try_numbers(counts[i], 0, 0);
    }
    size_t count;
    const struct distribution *list = distribution_list(&count);
    for (size_t d = 0; d < count; d++)
        sort_trial_try_distribution(
            &(struct sort_trial){.algorithm = "msd",
                                 .type = d % 3 ? integers[d % 4] : floats[d % 2],
                                 .count = (1 << 24) - d * 70001,
                                 .seed = d,
                                 .in_place = d % 3 == 1},
            &list[d]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes),         cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_groups),        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_distributions), cmocka_unit_test(test_runs_lack_more),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
