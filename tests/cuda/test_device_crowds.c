/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long lists of `msd` whose keys crowd, so that passes over all digits sort them, lists that splits
 * by digits peel, and lists with few different keys, compared with the CPU engine. The parameters
 * let few keys be a long list. Runs on the emulator and on a GPU alike; CONSORT_TEST_LARGE=1 adds
 * lists of many tiles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "sort_trial.h"
#include "support/random.h"

static const consort_type types[] = {CONSORT_U32, CONSORT_I32, CONSORT_F32,  CONSORT_U64,
                                     CONSORT_I64, CONSORT_F64, CONSORT_U128, CONSORT_I128};
enum {
    TYPE_COUNT = sizeof types / sizeof types[0]
};

/* Bits that are seldom set, but for bytes that are the same in all keys, of which passes take no
 * notice. Key `stray`, if that is not 0, has the most frequent upper bytes and a lowest of its own.
 */
static void try_crowd(const struct sort_trial *trial, uint32_t same, uint64_t stray)
{
    const size_t bytes = consort_type_size(trial->type);
    unsigned char *keys = sort_trial_array(trial->count * bytes);
    for (uint64_t i = 0; i < trial->count * bytes; i++) {
        const uint64_t random = random_mix(trial->seed * 0x10001 + i);
        const unsigned char rare = (unsigned char)(random & random >> 8 & random >> 16);
        keys[i] = same >> i % bytes & 1 ? 0x5a : rare;
    }
    for (size_t i = 0; stray > 0 && i < bytes; i++)
        keys[stray * bytes + i] = i == 0 ? 0x18 : same >> i & 1 ? 0x5a : 0;
    sort_trial_try(trial, keys);
    free(keys);
}

/* Keys that crowd, in long lists: an odd and an even number of passes, the lowest digit or another
 * first; several tiles. */
static void test_crowds(void **state)
{
    (void)state;
    static const uint32_t same[] = {0, 1, 2, 3, 5, 0xf0f0};
    uint64_t seed = 900;
    for (size_t s = 0; s < sizeof same / sizeof same[0]; s++)
        for (int t = 0; t < TYPE_COUNT; t++, seed++)
            try_crowd(&(struct sort_trial){.algorithm = "msd",
                                           .keys = "crowd",
                                           .type = types[t],
                                           .direction = (int32_t)(seed / 3 % 2),
                                           .form = seed % 5 == 0 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                 : CONSORT_FORM_COPY,
                                           .count = seed % 4 ? 17011 : 40009,
                                           .parameters = {{"leaf", 64}, {"long", seed % 3 / 2}},
                                           .in_place = seed % 5 && seed % 2,
                                           .seed = seed},
                      same[s], 0);
}

/* Keys that crowd, of lists so long that digits are counted ahead, while a sample is judged, and
 * behind that; one by a plan that replays, in memory that the run before has left full. */
static void test_long_crowds(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 4; i++)
        try_crowd(&(struct sort_trial){.algorithm = "msd",
                                       .keys = "long crowd",
                                       .type = types[i % 2 * 2],
                                       .direction = (int32_t)(i / 2),
                                       .count = i % 2 ? 250007 : 262144,
                                       .parameters = {{"leaf", 1000}},
                                       .in_place = i == 3,
                                       .captured = i == 1 || i == 2,
                                       .seed = i},
                  i % 3, 0);
}

/* Keys of middling lists, which blocks hold, that crowd: in one round of small tiles, or by more
 * and larger ones; bytes that are the same in all keys, of which the first pass is to be by the
 * lowest other; but for the last key, which no sample of a number that is no multiple of its own
 * sees, in the lowest. */
static void test_middling_crowds(void **state)
{
    (void)state;
    static const uint64_t counts[] = {15424, 30719, 49153, 62463};
    static const uint32_t same[] = {0, 1, 3, 4, 8};
    static const consort_type narrow[] = {CONSORT_U32, CONSORT_I32, CONSORT_F32};
    uint64_t seed = 4000;
    for (size_t s = 0; s < sizeof same / sizeof same[0]; s++)
        for (size_t i = 0; i < 2 * sizeof counts / sizeof counts[0]; i++, seed++) {
            const struct sort_trial trial = {.algorithm = "msd",
                                             .keys = "middling crowd",
                                             .type = narrow[seed % 3],
                                             .direction = (int32_t)(seed / 2 % 2),
                                             .form = seed % 5 == 0 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                   : CONSORT_FORM_COPY,
                                             .count = counts[i / 2],
                                             .parameters = {{"leaf", 64}},
                                             .in_place = seed % 5 && seed % 3 == 1,
                                             .captured = seed % 7 == 0,
                                             .seed = seed};
            try_crowd(&trial, same[s], i % 2 ? trial.count - 1 : 0);
        }
}

/* Most keys are close to a center, and others are at distances of all scales. */
static void try_peel(const struct sort_trial *trial)
{
    const size_t bytes = consort_type_size(trial->type);
    unsigned char *keys = sort_trial_array(trial->count * bytes);
    unsigned __int128 center = 0;
    if (trial->seed % 3)
        center = ~(unsigned __int128)0 / 7 * (trial->seed % 7) + trial->seed;
    for (uint64_t i = 0; i < trial->count; i++) {
        const uint64_t random = random_mix(trial->seed * 0x10001 + i);
        unsigned __int128 distance = (unsigned __int128)random_mix(random) << 64 | random;
        distance >>= random % 16 ? 120 : 128 - 8 * bytes + random / 16 % (8 * bytes);
        const unsigned __int128 key = random >> 63 ? center - distance : center + distance;
        memcpy(keys + i * bytes, &key, bytes);
    }
    sort_trial_try(trial, keys);
    free(keys);
}

/* Splits by the highest bits would peel a few keys off at a time: of short and of long lists. */
static void test_peels(void **state)
{
    (void)state;
    uint64_t seed = 300;
    for (int i = 0; i < 4 * TYPE_COUNT; i++, seed++)
        try_peel(&(struct sort_trial){.algorithm = "msd",
                                      .keys = "peel",
                                      .type = types[i % TYPE_COUNT],
                                      .direction = (int32_t)(seed / 3 % 2),
                                      .count = i / TYPE_COUNT % 2 ? 40009 : 9001,
                                      .parameters = {{"leaf", 64}},
                                      .in_place = seed % 2,
                                      .seed = seed});
}

/* `different` keys, of which the first has `heavy` of 100 places or more, and at the end as many
 * others as stray: no sample sees these. */
static void try_few(const struct sort_trial *trial, uint64_t different, uint64_t heavy,
                    uint64_t strays)
{
    const size_t bytes = consort_type_size(trial->type);
    unsigned char *keys = sort_trial_array(trial->count * bytes);
    for (uint64_t i = 0; i < trial->count; i++) {
        const uint64_t left = trial->count - i, random = random_mix(trial->seed + i);
        const uint64_t which = left <= strays         ? different + left
                               : random % 100 < heavy ? 0
                                                      : (random >> 8) % different;
        const unsigned __int128 key =
            (unsigned __int128)random_mix(trial->seed * 77 + which) << 64 | random_mix(which);
        memcpy(keys + i * bytes, (const char *)&key + sizeof key - bytes, bytes);
    }
    sort_trial_try(trial, keys);
    free(keys);
}

/* Of lists that blocks hold, short and middling ones: as many as are few, and one more. */
static void test_few(void **state)
{
    (void)state;
    static const uint64_t different[] = {1, 5, 32, 33};
    uint64_t seed = 70;
    for (size_t d = 0; d < sizeof different / sizeof different[0]; d++)
        for (int i = 0; i < 2 * TYPE_COUNT; i++, seed++)
            try_few(&(struct sort_trial){.algorithm = "msd",
                                         .keys = "few",
                                         .type = types[i % TYPE_COUNT],
                                         .direction = (int32_t)(seed / 3 % 2),
                                         .form = seed % 5 == 0 ? CONSORT_FORM_DOUBLE_BUFFER
                                                               : CONSORT_FORM_COPY,
                                         .count = i / TYPE_COUNT ? 20011 : 9001,
                                         .parameters = {{"leaf", 64}},
                                         .in_place = seed % 5 && seed % 2,
                                         .captured = seed % 7 == 0,
                                         .seed = seed},
                    different[d], 0, seed % 3 == 0 ? 1 : 0);
}

/* Of middling lists whose sample would rather have passes: three fifths are one key. */
static void test_few_that_crowd(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++)
        try_few(
            &(struct sort_trial){.algorithm = "msd",
                                 .keys = "few that crowd",
                                 .type = types[i % 3],
                                 .direction = i / 6,
                                 .form = i / 3 % 2 ? CONSORT_FORM_DOUBLE_BUFFER : CONSORT_FORM_COPY,
                                 .count = 20011,
                                 .parameters = {{"leaf", 64}},
                                 .seed = (uint64_t)i},
            32, 60, 0);
}

/* Of long lists, whose keys are counted by their ranks: but for none, one, the most that may stray,
 * or more, whether passes would take such lists or not. */
static void test_few_of_long_lists(void **state)
{
    (void)state;
    static const uint64_t different[] = {2, 7, 32, 33}, strays[] = {0, 1, 16, 17, 300};
    uint64_t seed = 7000;
    for (size_t d = 0; d < sizeof different / sizeof different[0]; d++)
        for (size_t s = 0; s < sizeof strays / sizeof strays[0]; s++)
            for (int i = 0; i < 3; i++, seed++)
                try_few(&(struct sort_trial){.algorithm = "msd",
                                             .keys = "few of a long list",
                                             .type = types[seed % TYPE_COUNT],
                                             .direction = (int32_t)(seed / 3 % 2),
                                             .form = seed % 5 == 0 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                   : CONSORT_FORM_COPY,
                                             .count = 70001,
                                             .parameters = {{"leaf", 64}, {"long", 1}},
                                             .in_place = seed % 5 && seed % 2,
                                             .captured = seed % 7 == 0,
                                             .seed = seed},
                        different[d], i * 40, strays[s]);
}

/* Keys with the lowest bits of what fills a tile up, in tiles that are not full, by passes. */
static void test_like_padding(void **state)
{
    (void)state;
    static const char *const names[] = {"lsd", "msd"};
    for (int i = 0; i < 2 * TYPE_COUNT; i++) {
        const struct sort_trial trial = {.algorithm = names[i / TYPE_COUNT],
                                         .keys = "like padding",
                                         .type = types[i % TYPE_COUNT],
                                         .count = 5623,
                                         .in_place = i % 2,
                                         .seed = (uint64_t)i};
        const size_t bytes = consort_type_size(trial.type);
        unsigned char *keys = sort_trial_array(trial.count * bytes);
        for (uint64_t j = 0; j < trial.count * bytes; j++) {
            const uint64_t random = random_mix(trial.seed * 0x10001 + j);
            keys[j] = random % 8 ? (unsigned char)(random >> 8) : 0xff;
        }
        sort_trial_try(&trial, keys);
        free(keys);
    }
}

static void test_many_tiles(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    for (int t = 0; t < TYPE_COUNT; t++)
        try_crowd(&(struct sort_trial){.algorithm = "msd",
                                       .keys = "crowd, many tiles",
                                       .type = types[t],
                                       .count = t % 4 ? 5000011 : 9000011,
                                       .parameters = {{"long", t % 2 ? 1 << 20 : 0}},
                                       .in_place = t % 2,
                                       .captured = t % 3 == 1,
                                       .seed = (uint64_t)t},
                  t % 3 == 2 ? 2 : 0, 0);
    for (uint64_t i = 0; i < 8; i++)
        try_crowd(&(struct sort_trial){.algorithm = "msd",
                                       .keys = "middling crowd, many tiles",
                                       .type = types[i % 2],
                                       .direction = (int32_t)(i / 4),
                                       .count = i % 4 < 2 ? 1900003 : 3900001,
                                       .in_place = i % 3 == 0,
                                       .captured = i % 3 == 1,
                                       .seed = i},
                  i % 4, i % 2 ? 1900000 : 0);
    for (int t = 0; t < TYPE_COUNT; t++)
        try_few(&(struct sort_trial){.algorithm = "msd",
                                     .keys = "few, many tiles",
                                     .type = types[t],
                                     .count = t % 2 ? 1 << 20 : 3000017,
                                     .in_place = t % 3 == 0,
                                     .seed = (uint64_t)t},
                7, 0, t == 4 ? 1 : 0);
    for (uint64_t i = 0; i < 2 * TYPE_COUNT; i++)
        try_few(&(struct sort_trial){.algorithm = "msd",
                                     .keys = "few of a long list, many tiles",
                                     .type = types[i % TYPE_COUNT],
                                     .direction = (int32_t)(i / TYPE_COUNT),
                                     .count = 9000011,
                                     .in_place = i % 3 == 0,
                                     .captured = i % 3 == 1,
                                     .seed = i},
                i % 5 ? 31 : 3, i % 2 * 60, i % 4 * 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crowds),
        cmocka_unit_test(test_long_crowds),
        cmocka_unit_test(test_middling_crowds),
        cmocka_unit_test(test_peels),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_few_that_crowd),
        cmocka_unit_test(test_like_padding),
        cmocka_unit_test(test_few_of_long_lists),
        cmocka_unit_test(test_many_tiles),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
