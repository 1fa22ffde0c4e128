/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `hybrid` with wide keys that leaves by cells are not for: passes sort by a prefix, and chunks of
 * whole groups are put in order after them. Keys are made in order, so that it is known where
 * groups lie among chunks, and then shuffled. A `prefix` of 1 lets short lists go this way, a large
 * `group` those that samples would tell not to. Runs on the emulator and on a GPU alike;
 * CONSORT_TEST_LARGE=1 adds sizes that only a GPU sorts in time.
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
#include "distributions.h"
#include "sort_trial.h"
#include "support/random.h"

static const consort_type types[] = {CONSORT_U64, CONSORT_I64, CONSORT_F64, CONSORT_U128};
static const int values[] = {8, 4, SORT_TRIAL_U32, SORT_TRIAL_U64, 16, 12};
enum {
    TYPES = sizeof types / sizeof types[0],
    VALUES = sizeof values / sizeof values[0],
    CHUNK = 3584, /* items from one beginning to the next, as the kernels have it */
    REACH = 1024  /* and how far behind it a group may end */
};

/* The upper word of the key that stands at a place of the sorted list, and the lower one. */
typedef uint64_t (*upper_at)(uint64_t place);
typedef uint64_t (*lower_of)(uint64_t upper, uint64_t random);

static uint64_t apart(uint64_t place)
{
    return place << 44;
}

static uint64_t hundreds(uint64_t place)
{
    return place / 100 << 44;
}

/* As long as a block holds, from one before a chunk's beginning on. */
static uint64_t longest(uint64_t place)
{
    return (place + 1) / (CHUNK + REACH) << 44;
}

/* One group: its second part begins within it, so that chunks of different keys are not in order
 * one after the other. A sample does not tell it from one that ends a little earlier. */
static uint64_t one_cut(uint64_t place)
{
    const uint64_t begin = 2 * CHUNK - 4, end = 2 * CHUNK + REACH + 4;
    return (place >= begin && place < end ? begin : place) << 44;
}

/* Cut twice and more, beside another. */
static uint64_t cut_often(uint64_t place)
{
    return place < 3 * CHUNK / 2 ? place << 44
                                 : (place < 3 * CHUNK + 100 ? 6000ull : 6001ull) << 44;
}

/* The same, with a list that fills its last chunk with one key, or ends at its beginning. */
static uint64_t last_cut(uint64_t place)
{
    return (place < 3 * CHUNK - 1 ? place : 3 * CHUNK - 1) << 44;
}

static uint64_t random_lower(uint64_t upper, uint64_t random)
{
    (void)upper;
    return random >> 21;
}

static uint64_t same_lower(uint64_t upper, uint64_t random)
{
    (void)random;
    return random_mix(upper) >> 21;
}

static uint64_t two_lowers(uint64_t upper, uint64_t random)
{
    return random_mix(upper + random % 2) >> 21;
}

static const struct maker {
    const char *name;
    upper_at upper;
    lower_of lower;
} makers[] = {
    {"apart", apart, random_lower},
    {"groups of a hundred", hundreds, random_lower},
    {"groups of two keys", hundreds, two_lowers},
    {"long groups", longest, random_lower},
    {"long groups of one key", longest, same_lower},
    {"one group cut", one_cut, random_lower},
    {"one group of one key cut", one_cut, same_lower},
    {"one group of two keys cut", one_cut, two_lowers},
    {"the last group cut", last_cut, same_lower},
    {"two groups cut often", cut_often, random_lower},
    {"two groups of two keys cut often", cut_often, two_lowers},
};
enum {
    MAKERS = sizeof makers / sizeof makers[0]
};

/* In a random order. Positive as numbers of every type, so that their order is that of bits. */
static unsigned char *make_keys(const struct maker *maker, const struct sort_trial *trial)
{
    const uint32_t bytes = consort_type_size(trial->type);
    unsigned char *keys = sort_trial_array(trial->count * bytes);
    uint64_t *words = (uint64_t *)keys, state = trial->seed;
    for (uint64_t i = 0; i < trial->count; i++) {
        const uint64_t upper = maker->upper(i), lower = maker->lower(upper, random_next(&state));
        const uint64_t other = random_below(&state, i + 1);
        if (bytes == 16) {
            memmove(words + 2 * i, words + 2 * other, 16);
            words[2 * other] = lower << 21 | 5;
            words[2 * other + 1] = upper >> 1 | 3;
        } else {
            words[i] = words[other];
            words[other] = (upper | lower) >> 1;
        }
    }
    return keys;
}

static struct sort_trial varied(uint64_t seed)
{
    struct sort_trial trial = {.algorithm = "hybrid",
                               .parameters = {{"leaf", 64},
                                              {"prefix", 1},
                                              {"apart", (int64_t)(seed / 10 % 2)},
                                              {"group", 0},
                                              {"digits", (int64_t)(seed / 3 % 2)}},
                               .type = types[seed % TYPES],
                               .direction = (int32_t)(seed / 5 % 2),
                               .values = values[seed / 2 % VALUES],
                               .captured = seed % 13 == 0,
                               .seed = seed};
    const bool columns = trial.values > 0;
    if (trial.values == 16 && consort_type_size(trial.type) == 16)
        trial.values = 8;
    trial.shift = columns && seed % 7 == 0 ? 1 + seed % 5 : 0;
    trial.in_place = columns && seed % 3 == 0;
    if (columns && trial.values != 12 && seed % 3 == 1)
        trial.form = CONSORT_FORM_DOUBLE_BUFFER;
    return trial;
}

static void try_maker(const struct maker *maker, struct sort_trial trial)
{
    trial.keys = maker->name;
    unsigned char *keys = make_keys(maker, &trial);
    sort_trial_try(&trial, keys);
    free(keys);
}

static void test_groups(void **state)
{
    (void)state;
    static const uint64_t counts[] = {4 * CHUNK - 1, 4 * CHUNK,         4 * CHUNK + 1,
                                      3 * CHUNK + 1, 4 * CHUNK + REACH, 4 * CHUNK + REACH + 1};
    uint64_t seed = 1;
    for (int m = 0; m < MAKERS; m++)
        for (int i = 0; i < 2 * VALUES; i++, seed++) {
            struct sort_trial trial = varied(seed);
            trial.count = counts[seed % (sizeof counts / sizeof counts[0])];
            trial.parameters[3] = (consort_parameter){"group", i % 3 ? 65536 : 0};
            try_maker(&makers[m], trial);
        }
}

static void test_distributions(void **state)
{
    (void)state;
    size_t count;
    const struct distribution *list = distribution_list(&count);
    uint64_t seed = 300;
    for (size_t d = 0; d < count; d++)
        for (int i = 0; i < 3; i++, seed++) {
            struct sort_trial trial = varied(seed);
            trial.count = 9001 + seed % 5 * 2000;
            sort_trial_try_distribution(&trial, &list[d]);
        }
}

/* Several blocks count digits, while others ask about prefixes; and a block asks alone, behind the
 * count of cells, about those that spare passes enough. */
static void test_blocks(void **state)
{
    (void)state;
    static const char *const names[] = {"zipf", "low-entropy", "one-outlier"};
    uint64_t seed = 5000;
    for (int n = 0; n < 3; n++)
        for (int t = 0; t < TYPES; t += 3, seed++) {
            struct sort_trial trial = varied(seed);
            trial.type = types[t];
            trial.values = 8;
            trial.count = 100003 + seed % 3 * 1234;
            trial.parameters[1].value = 1 + (int64_t)(seed / 2 % 2) * 90000;
            trial.parameters[4].value = 1;
            sort_trial_try_distribution(&trial, distribution_find(names[n]));
        }
}

/* By the standard parameters. */
static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    static const char *const names[] = {"zipf", "gaussian", "one-outlier", "low-entropy",
                                        "uniform"};
    uint64_t seed = 9000;
    for (int n = 0; n < 5; n++)
        for (int i = 0; i < 6; i++, seed++) {
            struct sort_trial trial = varied(seed);
            memset(trial.parameters, 0, sizeof trial.parameters);
            trial.count = i % 2 ? 3000017 : 16777216;
            sort_trial_try_distribution(&trial, distribution_find(names[n]));
        }
    for (int m = 0; m < MAKERS; m++, seed++) {
        struct sort_trial trial = varied(seed);
        memset(trial.parameters, 0, sizeof trial.parameters);
        trial.count = 1048577;
        try_maker(&makers[m], trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
