/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fused`, argsorts of words made of keys and places: keys that fill rooms evenly, whatever cells
 * they are in then, equal ones among them, and such as seem to, or do not, which `hybrid` sorts. A
 * small `leaf` makes short lists go by words. Runs on the emulator and on a GPU alike;
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
#include "room_keys.h"
#include "sort_trial.h"
#include "support/random.h"

static struct sort_trial trial_of(uint64_t count, int64_t leaf, int64_t longer, uint64_t seed)
{
    return (struct sort_trial){.algorithm = "fused",
                               .type = seed % 2 ? CONSORT_I32 : CONSORT_U32,
                               .values = SORT_TRIAL_U32,
                               .direction = (int32_t)(seed / 2 % 2),
                               .captured = seed % 3 == 2,
                               .count = count,
                               .seed = seed,
                               .parameters = {{"leaf", leaf}, {"long", longer}}};
}

static void try_rooms(uint64_t count, int64_t leaf, int64_t longer)
{
    for (size_t i = 0; i < ROOM_MAKERS; i++)
        for (unsigned k = 0; k < room_makers[i].trials; k++) {
            struct sort_trial trial = trial_of(count, leaf, longer, 17 + 5 * i + k);
            unsigned char *keys = sort_trial_array(count * 4);
            trial.keys = room_makers[i].name;
            room_make_keys(&room_makers[i], keys, count, trial.type, trial.seed);
            sort_trial_try(&trial, keys);
            free(keys);
        }
}

static void test_rooms(void **state)
{
    (void)state;
    try_rooms(70001, 64, 0);
    try_rooms(40011, 64, 1);
}

/* Equal keys, whose places alone are in order: neighbours, so that words of a leaf agree in all
 * bits that bins and rounds look at, and keys far apart. */
static uint32_t alike_neighbours(uint64_t index, uint64_t random)
{
    (void)random;
    return (uint32_t)random_mix(index / 9);
}

static uint32_t few_bits(uint64_t index, uint64_t random)
{
    (void)index;
    return (uint32_t)random & 0xfffff000;
}

static const struct {
    const char *name;
    uint32_t (*make)(uint64_t index, uint64_t random);
} makers[] = {{"neighbours that are alike", alike_neighbours}, {"20 bits", few_bits}};

static void try_equal(uint64_t count, int64_t leaf)
{
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        for (unsigned k = 0; k < 2; k++) {
            struct sort_trial trial = trial_of(count, leaf, k, 3 + 7 * i + k);
            uint32_t *keys = (uint32_t *)sort_trial_array(count * 4);
            trial.keys = makers[i].name;
            for (uint64_t at = 0; at < count; at++)
                keys[at] = makers[i].make(at, random_mix(trial.seed * 0x10001 + at));
            sort_trial_try(&trial, (unsigned char *)keys);
            free(keys);
        }
}

static void test_equal(void **state)
{
    (void)state;
    try_equal(70001, 64);
    try_equal(330013, 700); /* buckets of several tiles */
}

/* Too short for words, or for no whole tile; places of as many bits as there are. */
static void test_counts(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 4000, 15423, 15424, 16384, 32768, 65536, 65537};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const struct sort_trial trial = trial_of(counts[i], 64, i % 2, i);
        sort_trial_try_distribution(&trial, distribution_find("uniform"));
    }
}

static void try_distributions(uint64_t count, int64_t leaf)
{
    size_t distributions;
    const struct distribution *list = distribution_list(&distributions);
    for (size_t d = 0; d < distributions; d++) {
        const struct sort_trial trial = trial_of(count - d * 101, leaf, 0, d);
        sort_trial_try_distribution(&trial, &list[d]);
    }
}

static void test_distributions(void **state)
{
    (void)state;
    try_distributions(40001, 64);
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    static const uint64_t counts[] = {1100000, 5000011, 1 << 24, 1 << 26};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        try_rooms(counts[i], 0, 0);
        try_equal(counts[i], 0);
    }
    try_distributions(1 << 24, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rooms),  cmocka_unit_test(test_equal),
        cmocka_unit_test(test_counts), cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
