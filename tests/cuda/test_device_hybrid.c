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

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "distributions.h"
#include "hybrid_keys.h"
#include "sort_trial.h"

static const consort_type types[] = {CONSORT_U32, CONSORT_I32, CONSORT_F32,  CONSORT_U64,
                                     CONSORT_I64, CONSORT_F64, CONSORT_U128, CONSORT_I128};
static const int values[] = {4, 8, 16, SORT_TRIAL_U32, SORT_TRIAL_U64, 12};
enum {
    TYPE_COUNT = sizeof types / sizeof types[0],
    VALUE_COUNT = sizeof values / sizeof values[0]
};

/* Of keys and values of 16 bytes there are no leaves. */
static void narrow_values(struct sort_trial *trial)
{
    if (trial->values == 16 && consort_type_size(trial->type) == 16)
        trial->values = 8;
}

static void try_distribution(struct sort_trial trial, const struct distribution *distribution)
{
    narrow_values(&trial);
    sort_trial_try_distribution(&trial, distribution);
}

static void try_hostile(struct sort_trial trial, unsigned maker)
{
    const uint64_t leaf = (uint64_t)trial.parameters[0].value;
    const uint32_t bytes = consort_type_size(trial.type);
    narrow_values(&trial);
    unsigned char *keys = sort_trial_array(trial.count * bytes);
    trial.keys = hybrid_makers[maker].name;
    hybrid_make_keys(&hybrid_makers[maker], keys, trial.count, bytes, leaf ? leaf : 4608,
                     trial.seed);
    sort_trial_try(&trial, keys);
    free(keys);
}

/* What belongs to a seed besides the keys. */
static struct sort_trial varied(uint64_t seed)
{
    struct sort_trial trial = {.algorithm = "hybrid",
                               .parameters = {{"leaf", 0},
                                              {"apart", (int64_t)(seed / 6 % 2)},
                                              {"digits", (int64_t)(seed / 2 % 2)}},
                               .direction = (int32_t)(seed / 3 % 2),
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
            struct sort_trial trial = varied(seed);
            trial.type = types[t];
            trial.count = seed % 3 ? 5003 : 20011;
            trial.parameters[0].value = seed % 4 == 3 ? 0 : 64 + (int64_t)(seed % 2) * 100;
            try_distribution(trial, &list[d]);
        }
}

static void test_hostile_keys(void **state)
{
    (void)state;
    uint64_t seed = 500;
    for (unsigned maker = 0; maker < HYBRID_MAKERS; maker++)
        for (int t = 0; t < TYPE_COUNT; t++, seed++) {
            struct sort_trial trial = varied(seed);
            trial.type = types[t];
            trial.count = seed % 3 ? 6001 : 15013;
            trial.parameters[0].value = seed % 5 == 4 ? 0 : 64 + (int64_t)(seed % 7) * 50;
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
            struct sort_trial trial = varied(100 + i * 7 + (uint64_t)t);
            trial.type = types[(t + (int)i) % TYPE_COUNT];
            trial.count = counts[i];
            trial.parameters[0].value = i % 3 ? 0 : 64;
            try_distribution(trial, uniform);
        }
}

/* Leaves of thousands: filled to the last place, as they usually are and beyond. */
static void test_whole_leaves(void **state)
{
    (void)state;
    const struct distribution *uniform = distribution_find("uniform");
    for (uint64_t seed = 300; seed < 312; seed++) {
        struct sort_trial trial = varied(seed);
        trial.type = types[seed % TYPE_COUNT];
        trial.count = 9216 + seed % 3;
        try_hostile(trial, (unsigned)(seed % 3));
        trial.count = 256 * 150 + seed;
        trial.parameters[0].value = 200;
        try_distribution(trial, uniform);
    }
}

/* By two digits, with values that come to shared memory before their places are known. */
static void test_wide_values(void **state)
{
    (void)state;
    size_t count;
    const struct distribution *list = distribution_list(&count);
    uint64_t seed = 700;
    for (unsigned keys = 0; keys < count + HYBRID_MAKERS; keys++, seed++) {
        struct sort_trial trial = varied(seed);
        trial.type = types[seed % 3];
        trial.values = 16;
        trial.count = 20011 + seed % 7 * 1000;
        trial.parameters[0].value = 64;
        if (keys < count)
            try_distribution(trial, &list[keys]);
        else
            try_hostile(trial, (unsigned)(keys - count));
    }
}

/* Pairs of 4 + 4 bytes and argsorts in 512 and 1024 buckets: one pass, of several tiles. */
static void test_middling_lists(void **state)
{
    (void)state;
    static const char *const names[] = {"uniform", "sorted", "gaussian", "uniform", "zipf"};
    for (uint64_t seed = 850; seed < 890; seed++) {
        struct sort_trial trial = varied(seed);
        if (trial.values != 4 && trial.values != SORT_TRIAL_U32)
            continue;
        trial.type = types[seed % 3];
        trial.count = seed % 2 ? 60011 : 125011;
        trial.parameters[0].value = 200;
        try_distribution(trial, distribution_find(names[seed % 5]));
    }
}

/* Keys of 4 bytes in 4096 buckets: places count from the middle of each. */
static void test_halved_buckets(void **state)
{
    (void)state;
    static const char *const names[] = {"uniform", "sawtooth", "staggered", "sorted"};
    for (uint64_t seed = 800; seed < 808; seed++) {
        struct sort_trial trial = varied(seed);
        trial.type = types[seed % 3];
        trial.count = 120011 + seed % 5 * 20000;
        trial.parameters[0].value = 64;
        try_distribution(trial, distribution_find(names[seed % 4]));
    }
}

/* An argsort of keys of 4 bytes in as many buckets as there are upper halves, some of them crowded:
 * lower halves are equal. */
static void test_halves_of_keys(void **state)
{
    (void)state;
    const struct sort_trial trial = {.algorithm = "hybrid",
                                     .keys = "full halves",
                                     .parameters = {{"leaf", 40}},
                                     .type = CONSORT_I32,
                                     .count = 1180001,
                                     .values = SORT_TRIAL_U32,
                                     .seed = 900};
    uint32_t *keys = (uint32_t *)sort_trial_array(trial.count * sizeof *keys);
    hybrid_make_full_halves(keys, trial.count, 39);
    sort_trial_try(&trial, (unsigned char *)keys);
    free(keys);
}

/* The same of lists that leaves are not for: tiles are those of the passes that leave halves. */
static void test_no_halves_of_keys(void **state)
{
    (void)state;
    static const char *const keys[] = {"few-unique", "low-entropy"};
    for (int i = 0; i < 2; i++)
        try_distribution((struct sort_trial){.algorithm = "hybrid",
                                             .parameters = {{"leaf", 16}},
                                             .type = CONSORT_U32,
                                             .count = 524297,
                                             .values = SORT_TRIAL_U32,
                                             .seed = 910},
                         distribution_find(keys[i]));
}

/* Pairs and argsorts for which leaves are not: as many as tiles of short lists move, one more, as
 * many as smaller tiles move in two rounds on the emulator, and one more. */
static void test_rounds(void **state)
{
    (void)state;
    static const uint64_t counts[] = {262144, 262145, 344064, 344065};
    static const char *const keys[] = {"zipf", "few-unique", "low-entropy", "half-constant"};
    for (unsigned i = 0; i < 8; i++)
        try_distribution((struct sort_trial){.algorithm = "hybrid",
                                             .type = types[i % 3],
                                             .count = counts[i / 2],
                                             .values = i % 2 ? 4 : SORT_TRIAL_U32,
                                             .seed = 920 + i},
                         distribution_find(keys[i % 4]));
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
        struct sort_trial trial = varied(seed);
        trial.type = types[seed % TYPE_COUNT];
        trial.count = 12000003;
        try_distribution(trial, &list[d]);
    }
    for (unsigned maker = 0; maker < 2 * HYBRID_MAKERS; maker++, seed++) {
        struct sort_trial trial = varied(seed);
        trial.type = types[seed % TYPE_COUNT];
        trial.count = seed % 2 ? 1000003 : 5000017;
        try_hostile(trial, maker % HYBRID_MAKERS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_hostile_keys),
        cmocka_unit_test(test_whole_leaves),
        cmocka_unit_test(test_wide_values),
        cmocka_unit_test(test_middling_lists),
        cmocka_unit_test(test_halved_buckets),
        cmocka_unit_test(test_halves_of_keys),
        cmocka_unit_test(test_no_halves_of_keys),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
