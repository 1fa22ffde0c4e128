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
#include "device_array.h"
#include "distributions.h"
#include "sort_trial.h"
#include "support/random.h"

static const consort_type integers[] = {CONSORT_U32, CONSORT_I64, CONSORT_I32, CONSORT_U64};
static const consort_type floats[] = {CONSORT_F32, CONSORT_F64};

/* The highest 6 bits of a code say in which room it is, at least as long as lists are short. */
typedef uint64_t code_maker(uint64_t index, uint64_t count, uint64_t random);

static uint64_t with_top(uint64_t code, uint64_t top)
{
    return top << 58 | (code & ~(uint64_t)0 >> 6);
}

/* A room has twice its share: too small a part of all for the sample to see. */
static uint64_t one_too_full(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return index % 64 == 3 ? with_top(random, 33) : random;
}

/* As many as no sampled key is among. */
static uint64_t last_too_full(uint64_t index, uint64_t count, uint64_t random)
{
    return index > count - count / 50 ? with_top(random, 63) : random;
}

static uint64_t empty_rooms(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return random >> 58 == 20 ? with_top(random, random_mix(index + 3) % 19) : random;
}

/* Codes of a range that is no power of two, and of one far from zero. */
static uint64_t odd_range(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    return random / 3 * 2;
}

static uint64_t short_range(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    return 0x7400000000000000u | random >> 6;
}

/* One is far below or far above all others: in three lists of four no sampled key. */
static uint64_t low_outlier(uint64_t index, uint64_t count, uint64_t random)
{
    return index == count / 3 ? random >> 7 : short_range(index, count, random);
}

static uint64_t high_outlier(uint64_t index, uint64_t count, uint64_t random)
{
    return index == count / 3 ? ~(random >> 7) : short_range(index, count, random);
}

/* Some cells of each room hold one code, few, or such as one bin of a leaf takes. */
static uint64_t crowded_cells(uint64_t index, uint64_t count, uint64_t random)
{
    const uint64_t cell = random >> 46 & 0xfff;
    (void)index, (void)count;
    if (cell % 61 == 5)
        return random & ~(uint64_t)0 << 46;
    return cell % 61 == 7   ? random & ~(uint64_t)0 << 40
           : cell % 61 == 9 ? random >> 40 << 40
                            : random;
}

/* A twelfth of all keys are in cells of one room in eight too large for any leaf, or for small
 * ones. */
static uint64_t large_cells(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    if (random >> 58 & 7)
        return random;
    const uint64_t within = random >> 55 & 7;
    return within < 5 ? random & ~((uint64_t)0x7 << 55) & ~((uint64_t)0xff << 47) : random;
}

static const struct {
    const char *name;
    code_maker *make;
    unsigned trials;
} makers[] = {{"one room too full", one_too_full, 1},
              {"the last room too full", last_too_full, 1},
              {"empty rooms", empty_rooms, 1},
              {"an odd range", odd_range, 1},
              {"a short range", short_range, 1},
              {"a range and one below", low_outlier, 4},
              {"a range and one above", high_outlier, 4},
              {"crowded cells", crowded_cells, 1},
              {"large cells", large_cells, 1}};
enum {
    MAKER_COUNT = sizeof makers / sizeof makers[0]
};

static void try_codes(const struct sort_trial *trial, size_t maker)
{
    struct sort_trial named = *trial;
    const size_t bytes = consort_type_size(trial->type);
    const bool is_signed = trial->type == CONSORT_I32 || trial->type == CONSORT_I64;
    unsigned char *keys = sort_trial_array(trial->count * bytes);
    named.keys = makers[maker].name;
    for (uint64_t i = 0; i < trial->count; i++) {
        uint64_t code = makers[maker].make(i, trial->count, random_mix(trial->seed * 0x10001 + i)) ^
                        (uint64_t)is_signed << 63;
        const uint32_t high = (uint32_t)(code >> 32);
        memcpy(keys + i * bytes, bytes == 4 ? (const void *)&high : &code, bytes);
    }
    sort_trial_try(&named, keys);
    free(keys);
}

static void try_all(uint64_t count, int64_t leaf, int64_t longer)
{
    struct sort_trial trial = {.algorithm = "msd", .count = count};
    trial.parameters[0] = (consort_parameter){"leaf", leaf};
    trial.parameters[1] = (consort_parameter){"long", longer};
    for (size_t i = 0; i < MAKER_COUNT; i++)
        for (unsigned k = 0; k < makers[i].trials; k++) {
            trial.seed = 31 + 7 * i + k + (longer ? 100 : 0);
            trial.type = integers[longer ? (i + k) % 2 * 2 : (i + k) % 4];
            trial.direction = (int32_t)((i + k) / 2 % 2);
            trial.in_place = (i + k) % 3 == 1;
            trial.captured = (i + k) % 3 == 2;
            try_codes(&trial, i);
        }
}

static void test_codes(void **state)
{
    (void)state;
    try_all(70001, 64, 0);
    try_all(70001, 64, 1);
}

/* Numbers between two others; one is beyond them, infinite or none: in three lists of four no
 * sampled key. */
enum beyond {
    NONE_BEYOND,
    ONE_BEYOND,
    INFINITE,
    NO_NUMBERS,
    BEYOND_COUNT
};

static double number_of(enum beyond beyond, bool above, bool is_beyond, uint64_t random)
{
    const double within = (double)(random >> 11) * 0x1p-53;
    if (beyond == NONE_BEYOND || !is_beyond)
        return within - (beyond == INFINITE ? 0.25 : 0);
    if (beyond == ONE_BEYOND)
        return above ? 3 + within : -1e-3 - within;
    return copysign(beyond == INFINITE ? INFINITY : NAN, above ? 1 : -1);
}

static void try_numbers(uint64_t count, int64_t leaf, int64_t longer)
{
    for (unsigned i = 0; i < 8 * BEYOND_COUNT; i++) {
        struct sort_trial trial = {.algorithm = "msd",
                                   .type = floats[longer ? 0 : i % 2],
                                   .count = count,
                                   .seed = 61 + i,
                                   .keys = "numbers, one beyond all cells",
                                   .direction = (int32_t)(i / 2 % 2),
                                   .in_place = i % 3 == 1,
                                   .captured = i % 3 == 2};
        const size_t bytes = consort_type_size(trial.type);
        unsigned char *keys = sort_trial_array(count * bytes);
        trial.parameters[0] = (consort_parameter){"leaf", leaf};
        trial.parameters[1] = (consort_parameter){"long", longer};
        for (uint64_t k = 0; k < count; k++) {
            const double number = number_of((enum beyond)(i / 8), i & 4, k == count / 3,
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
    try_numbers(70001, 64, 0);
    try_numbers(70001, 64, 1);
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
        cmocka_unit_test(test_distributions), cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
