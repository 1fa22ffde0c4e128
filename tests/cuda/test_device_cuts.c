/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `msd` with 8-byte keys that crowd, by passes over a prefix: runs of keys that it does not tell
 * apart, of all lengths at which others sort them, in one piece of the list or everywhere. Keys are
 * made in order, so that it is known where runs begin, and then shuffled; a third of the list are
 * one key, without which nobody asks about prefixes. A large `alike` lets lists go this way that
 * samples would tell not to, by 16 bits then; a smaller one by 24. Runs on the emulator and on a
 * GPU alike; CONSORT_TEST_LARGE=1 adds sizes that only a GPU sorts in time.
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
#include "sort_trial.h"
#include "support/random.h"

static const consort_type types[] = {CONSORT_U64, CONSORT_I64, CONSORT_F64};
enum {
    TYPES = sizeof types / sizeof types[0],
    SHORT = 241 * 64 /* keys that go another way, where a leaf has 64 at most */
};

/* What keys of a run have below the prefix. */
typedef uint64_t (*lower_of)(uint64_t run, uint64_t random);

static uint64_t random_lower(uint64_t run, uint64_t random)
{
    (void)run;
    return random;
}

static uint64_t same_lower(uint64_t run, uint64_t random)
{
    (void)random;
    return random_mix(run);
}

static uint64_t two_lowers(uint64_t run, uint64_t random)
{
    return random_mix(run + random % 2);
}

/* Nearly all the same: the others are found late in the run. */
static uint64_t rare_lower(uint64_t run, uint64_t random)
{
    return random % 64 ? random_mix(run) : random;
}

static const struct maker {
    const char *name;
    uint64_t run; /* keys of one prefix; 0: of random length */
    lower_of lower;
    bool many_runs; /* 24 bits tell them apart, 16 only some thousands of keys */
} makers[] = {
    {"runs of a lane", 3, random_lower, false},
    {"runs of a lane, the longest", 8, random_lower, false},
    {"runs of a warp, the shortest", 9, random_lower, false},
    {"runs of a warp, the longest", 192, random_lower, false},
    {"runs too long for a warp", 193, random_lower, false},
    {"runs of two keys", 1000, two_lowers, false},
    {"runs of one key", 1000, same_lower, false},
    {"long runs with rare keys", 3000, rare_lower, false},
    {"runs of all lengths", 0, random_lower, false},
    {"short runs by 24 bits", 2, random_lower, true},
    {"runs of two keys by 24 bits", 4, two_lowers, true},
};
enum {
    MAKERS = sizeof makers / sizeof makers[0]
};

/* The run of the key at a place of the sorted list. */
static uint64_t run_of(const struct maker *maker, uint64_t place)
{
    if (maker->run)
        return place / maker->run;
    uint64_t first = place;
    while (first > 0 && random_mix(first) % (first % 7 ? 3 : 700) > 0)
        first--;
    return first;
}

/* Positive as numbers of every type, so that their order is that of bits; in a random order. With
 * `rare` the frequent key's prefix has others, too. */
static unsigned char *make_keys(const struct maker *maker, const struct sort_trial *trial,
                                bool rare)
{
    const unsigned shift = maker->many_runs ? 40 : 48, steps = maker->many_runs ? 2 : 1;
    unsigned char *keys = sort_trial_array(trial->count * 8);
    uint64_t *words = (uint64_t *)keys, state = trial->seed;
    for (uint64_t i = 0; i < trial->count; i++) {
        const uint64_t random = random_next(&state), other = random_below(&state, i + 1);
        const uint64_t run = run_of(maker, i) * steps;
        const uint64_t lower = maker->lower(run, random) & ((UINT64_C(1) << shift) - 1);
        uint64_t key = (run + 600) << shift | lower;
        if (i % 3 == 0)
            key = UINT64_C(300) << shift | (rare && i % 999 == 0 ? lower : 12345);
        words[i] = words[other];
        words[other] = key >> 1;
    }
    return keys;
}

static struct sort_trial varied(uint64_t seed)
{
    return (struct sort_trial){.algorithm = "msd",
                               .type = types[seed % TYPES],
                               .direction = (int32_t)(seed / 3 % 2),
                               .in_place = seed / 6 % 2,
                               .captured = seed % 13 == 0,
                               .seed = seed};
}

static void try_maker(const struct maker *maker, struct sort_trial trial)
{
    trial.keys = maker->name;
    unsigned char *keys = make_keys(maker, &trial, trial.seed / 2 % 2);
    sort_trial_try(&trial, keys);
    free(keys);
}

static void test_runs(void **state)
{
    (void)state;
    static const uint64_t counts[] = {SHORT + 33, SHORT + 4000, SHORT + 9999};
    uint64_t seed = 1;
    for (int m = 0; m < MAKERS; m++)
        for (int i = 0; i < 12; i++, seed++) {
            struct sort_trial trial = varied(seed);
            const bool larger = i % 4 == 3; /* leaves that hold runs too long for a warp */
            trial.count = larger ? 241 * 300 + 700 : counts[seed % 3];
            trial.parameters[0] = (consort_parameter){"leaf", larger ? 300 : 64};
            trial.parameters[1] = (consort_parameter){"alike", makers[m].many_runs ? 700 : 10000};
            try_maker(&makers[m], trial);
        }
}

/* By the standard `alike`, as lists that are not for prefixes, and without any. */
static void test_others(void **state)
{
    (void)state;
    size_t count;
    const struct distribution *list = distribution_list(&count);
    uint64_t seed = 500;
    for (size_t d = 0; d < count; d++)
        for (int i = 0; i < 3; i++, seed++) {
            struct sort_trial trial = varied(seed);
            trial.count = SHORT + 1 + seed % 5 * 2000;
            trial.parameters[0] = (consort_parameter){"leaf", 64};
            trial.parameters[1] = (consort_parameter){"prefixes", i ? UINT32_MAX : 1};
            sort_trial_try_distribution(&trial, &list[d]);
        }
    for (int m = 0; m < MAKERS; m++, seed++) {
        struct sort_trial trial = varied(seed);
        trial.count = SHORT + 3000;
        trial.in_place = false;
        trial.form = seed % 2 ? CONSORT_FORM_DOUBLE_BUFFER : CONSORT_FORM_COPY;
        trial.parameters[0] = (consort_parameter){"leaf", 64};
        try_maker(&makers[m], trial);
    }
}

/* By the standard parameters, but for the lists' length. */
static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    static const uint64_t counts[] = {1200000, 1 << 22, 5000011, 1 << 24};
    static const char *const names[] = {"zipf", "gaussian", "infinities", "low-entropy", "zeros"};
    uint64_t seed = 9000;
    for (int c = 0; c < 4; c++)
        for (int n = 0; n < 5; n++, seed++) {
            struct sort_trial trial = varied(seed);
            trial.count = counts[c];
            sort_trial_try_distribution(&trial, distribution_find(names[n]));
        }
    for (int m = 0; m < MAKERS; m++)
        for (int i = 0; i < 2; i++, seed++) {
            struct sort_trial trial = varied(seed);
            trial.count = makers[m].run == 3 || makers[m].run == 0 ? 1200000 : 3000000;
            trial.parameters[0] = (consort_parameter){"alike", makers[m].many_runs ? 700 : 10000};
            if (makers[m].run != 3 && makers[m].run != 0)
                try_maker(&makers[m], trial);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
