/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short lists that take one launch: `fused` with values and as an argsort, `msd` of keys alone.
 * Keys whose highest digits are even move once; of others passes go by every byte in which keys
 * differ, or by the highest of these, so that any number of steps must end in the result. A small
 * `leaf` makes shorter lists uneven. Runs on the emulator and on a GPU alike; CONSORT_TEST_LARGE=1
 * adds the longest there are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "device_run.h"
#include "distributions.h"
#include "one_block.h"
#include "sort_trial.h"
#include "support/random.h"

/* What is sorted, and what moves along. */
struct subject {
    const char *algorithm;
    consort_type type;
    size_t bytes; /* of a key */
    int values;
};

static const struct subject subjects[] = {
    {"fused", CONSORT_U32, 4, 4}, {"fused", CONSORT_I32, 4, SORT_TRIAL_U32},
    {"fused", CONSORT_F32, 4, 4}, {"fused", CONSORT_U32, 4, 3},
    {"msd", CONSORT_U32, 4, 0},   {"msd", CONSORT_U64, 8, 0},
    {"msd", CONSORT_F32, 4, 0},   {"msd", CONSORT_F64, 8, 0},
    {"msd", CONSORT_U128, 16, 0}, {"msd", CONSORT_I128, 16, 0},
    {"lsd", CONSORT_I16, 2, 0},   {"lsd", CONSORT_F16, 2, 0},
};

enum {
    SUBJECTS = sizeof subjects / sizeof subjects[0],
    MOST_BYTES = 16, /* of a key */
    MOST = 1048831   /* items that are sorted in one launch */
};

/* Bits that may differ of 4 bytes, which wider keys repeat, and of which narrow ones have two in
 * turns. */
static const uint32_t masks[] = {0,          0x000000ff, 0x00007f00, 0x0000ffff, 0x00ffffff,
                                 0xff00ff00, 0x00ff00ff, 0x80000000, 0xff000000, 0xffffffff,
                                 0xf0ffffff, 0x00000001, 0x0f000000};

/* Few fewer, if plans for so many would have room for a list that is not short. */
static uint64_t planned_short(uint64_t count)
{
    while (count + device_run_room(count) > MOST)
        count--;
    return count;
}

static struct sort_trial trial_of(const struct subject *subject, uint64_t count, int64_t leaf,
                                  uint64_t seed)
{
    const bool has_leaf = strcmp(subject->algorithm, "lsd") != 0;
    return (struct sort_trial){.algorithm = subject->algorithm,
                               .type = subject->type,
                               .values = subject->values,
                               .direction = (int32_t)(seed / 2 % 2),
                               .captured = seed % 5 == 4,
                               .in_place = seed % 3 == 1 && subject->values >= 0,
                               .shift = seed % 7 == 3 && subject->values > 0,
                               .count = planned_short(count),
                               .seed = seed,
                               .parameters = {{"leaf", has_leaf ? leaf : 0}}};
}

/* Random in the bits of a mask; elsewhere those of `fixed`. */
static void make_keys(unsigned char *keys, const struct sort_trial *trial, size_t bytes,
                      uint32_t mask, uint32_t fixed)
{
    for (uint64_t i = 0; 4 * i < trial->count * bytes; i++) {
        const uint32_t random = (uint32_t)random_mix(trial->seed * 0x100001 + i);
        const uint32_t word = (random & mask) | (fixed & ~mask);
        memcpy(keys + 4 * i, &word, 4);
    }
}

static void try_masks(uint64_t count, int64_t leaf)
{
    for (size_t s = 0; s < SUBJECTS; s++)
        for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
            struct sort_trial trial = trial_of(&subjects[s], count, leaf, 31 * s + m);
            unsigned char *keys = sort_trial_array(count * MOST_BYTES + 4);
            trial.keys = "bits of a mask";
            make_keys(keys, &trial, subjects[s].bytes, masks[m], m % 2 ? 0x5a3c96e1 : 0);
            sort_trial_try(&trial, keys);
            free(keys);
        }
}

static void test_masks(void **state)
{
    (void)state;
    try_masks(9001, 0);
    try_masks(4353, 0); /* in place by words: a block for each leaf */
    try_masks(2048, 64);
}

/* Whole tiles, a key less, a key more; more than blocks hold where there are few. */
static void test_counts(void **state)
{
    (void)state;
    static const uint64_t counts[] = {65, 511, 4096, 4097, 8191, 8192, 12289, 32768, 32769, 49152};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (size_t s = 0; s < SUBJECTS; s++) {
            struct sort_trial trial = trial_of(&subjects[s], counts[i], i < 2 ? 64 : 0, i + s);
            unsigned char *keys = sort_trial_array(counts[i] * MOST_BYTES + 4);
            trial.keys = "half of the bits";
            make_keys(keys, &trial, subjects[s].bytes, 0x00ffff0f, 0);
            sort_trial_try(&trial, keys);
            free(keys);
        }
}

static void try_distributions(uint64_t count, int64_t leaf)
{
    size_t distributions;
    const struct distribution *list = distribution_list(&distributions);
    for (size_t s = 0; s < SUBJECTS; s++)
        for (size_t d = 0; d < distributions; d++) {
            const struct sort_trial trial = trial_of(&subjects[s], count - 13 * d, leaf, s + d);
            sort_trial_try_distribution(&trial, &list[d]);
        }
}

static void test_distributions(void **state)
{
    (void)state;
    try_distributions(5000, 0);
    try_distributions(4000, 64);
}

static uint64_t low_entropy(uint64_t seed)
{
    return random_mix(seed) & random_mix(seed ^ 1u << 30) & random_mix(seed ^ 1u << 31);
}

/* Where keys begin alike, the bytes of single ones do not tell. */
struct crowd {
    uint64_t alike; /* one of so many begins like few others, by so many bytes */
    size_t bytes;
    uint64_t group;  /* keys that stand together and differ in their two lowest bytes; 0: none */
    uint64_t sorted; /* of these, as they stand */
};

static const struct crowd crowds[] = {
    {0, 0, 0, 0},  {3, 14, 0, 0},  {3, 16, 0, 0},  {200, 15, 0, 0},  {0, 0, 63, 0},   {0, 0, 64, 0},
    {0, 0, 65, 0}, {0, 0, 66, 64}, {0, 0, 90, 90}, {0, 0, 180, 179}, {2000, 15, 0, 0}};

enum {
    CROWDS = sizeof crowds / sizeof crowds[0]
};

static void make_group(unsigned char *keys, const struct crowd *crowd, uint64_t seed)
{
    const uint64_t key[2] = {low_entropy(seed), low_entropy(seed + 1)};
    for (uint64_t i = 0; i < crowd->group; i++) {
        uint16_t low = (uint16_t)(random_mix(seed + 2 * i) % 200 + 200);
        if (i < crowd->sorted)
            low = (uint16_t)(400 + i);
        memcpy(keys + 16 * i, key, 16);
        memcpy(keys + 16 * i, &low, 2);
    }
}

/* Keys of 16 bytes that crowd. */
static void make_crowd(unsigned char *keys, const struct sort_trial *trial,
                       const struct crowd *crowd)
{
    for (uint64_t i = 0; i < trial->count; i++) {
        const uint64_t seed = trial->seed * 0x1000001 + 2 * i;
        uint64_t key[2] = {low_entropy(seed), low_entropy(seed + 1)};
        memcpy(keys + 16 * i, key, 16);
        if (crowd->alike == 0 || random_mix(seed ^ 1u << 29) % crowd->alike)
            continue;
        const uint64_t other = 1000 + random_mix(seed ^ 1u << 28) % 6;
        key[0] = low_entropy(2 * other);
        key[1] = low_entropy(2 * other + 1);
        const size_t first = 16 - crowd->bytes;
        memcpy(keys + 16 * i + first, (const char *)key + first, crowd->bytes);
    }
    for (uint64_t group = 0; group < 5; group++)
        make_group(keys + 16 * (100 + 700 * group), crowd, trial->seed * 999 + 1000 * group);
}

/* Passes by some of the bytes, of an odd or an even number, leave runs: short ones, or also long
 * ones, out of order or of equal keys. */
static void test_prefixes(void **state)
{
    (void)state;
    const uint64_t longest = getenv("CONSORT_TEST_LARGE") ? 1 << 20 : 20000;
    for (uint64_t i = 0; i < 8 * CROWDS; i++) {
        const bool is_long = i >= 6 * CROWDS;
        const uint64_t form = i % 3, order = i / 3 % 2;
        const struct crowd *crowd = &crowds[is_long ? i % CROWDS : i / 6];
        struct sort_trial trial = {.algorithm = "msd",
                                   .keys = "crowd of prefixes",
                                   .type = order ? CONSORT_I128 : CONSORT_U128,
                                   .direction = (int32_t)(i / 12 % 2),
                                   .form =
                                       form == 1 ? CONSORT_FORM_DOUBLE_BUFFER : CONSORT_FORM_COPY,
                                   .in_place = form == 2,
                                   .captured = i % 7 == 3,
                                   .count = planned_short(is_long ? longest : 9001),
                                   .parameters = {{"leaf", longest > 20000 && is_long ? 0 : 512}},
                                   .seed = i};
        unsigned char *keys = sort_trial_array(trial.count * MOST_BYTES);
        make_crowd(keys, &trial, crowd);
        sort_trial_try(&trial, keys);
        free(keys);
    }
}

enum {
    TILE = 4096,  /* keys that a block holds */
    LEAVES = 241, /* of which a list is not short */
    LONGEST_LEAF = 4352
};

/* So many items or a few more, of which a plan is for lists that are not short. */
static uint64_t planned_longer(uint64_t count, uint64_t short_keys)
{
    while (count + device_run_room(count) < short_keys)
        count++;
    return count;
}

/* As on a GPU that others use, too: a plan for longer lists has no tables for short ones that its
 * blocks were to hold, half of which they do not. */
static void test_fewer_blocks_than_believed(void **state)
{
    (void)state;
    const uint64_t held = (uint64_t)device_describe(0)->processors * TILE;
    const uint64_t most = 2 * held / LEAVES, leaf = most < LONGEST_LEAF ? most : LONGEST_LEAF;
    const uint64_t counts[] = {leaf / 2, leaf + 1, held - 999, held + 1, held + held / 4};
    size_t distributions;
    const struct distribution *list = distribution_list(&distributions);
    one_block_begin();
    for (size_t i = 0; i < SUBJECTS; i++)
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            if (strcmp(subjects[i].algorithm, "msd") != 0)
                continue;
            struct sort_trial trial = trial_of(&subjects[i], 1, (int64_t)leaf, i + k);
            trial.count = planned_longer(counts[k], leaf * LEAVES);
            for (size_t d = (i + k) % 3; d < distributions; d += 3)
                sort_trial_try_distribution(&trial, &list[d]);
        }
    one_block_end();
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    static const uint64_t counts[] = {65536, 300001, 1 << 20, MOST};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        try_masks(counts[i], 0);
        try_distributions(counts[i], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_fewer_blocks_than_believed),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
