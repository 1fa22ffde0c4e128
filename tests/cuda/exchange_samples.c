/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tenants.h"
#include "trial_share.h"

enum {
    ROUNDS = 1, /* counters */
    SAMPLED = 9,
    LENT = 10
};

const consort_type exchange_types[EXCHANGE_TYPES] = {CONSORT_U8,  CONSORT_I16, CONSORT_U32,
                                                     CONSORT_F32, CONSORT_I64, CONSORT_U128,
                                                     CONSORT_F64, 0x20104};

struct spread_trial exchange_trial_of(enum spread_kind kind, uint32_t parts, uint64_t count)
{
    struct spread_trial trial = {.kind = kind,
                                 .type = CONSORT_U32,
                                 .distribution = distribution_find("uniform"),
                                 .parts = parts,
                                 .seed = count + 1,
                                 .ranges = 3,
                                 .stored = 2};
    for (uint32_t p = 0; p < parts; p++)
        trial.counts[p] = count;
    return trial;
}

/* Ranks between two codes of a sample: keys apart, many alike, all alike; and where the sample says
 * something else than the keys, which costs rounds. */
void exchange_test_samples(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    static const char *const names[] = {"uniform", "zipf", "few-unique", "equal", "sorted"};
    struct spread_trial trial = exchange_trial_of(SPREAD_KEYS, 2, 10007);
    trial.sample = 600;
    trial.ranges = 2;
    for (size_t i = 0; i < EXCHANGE_TYPES; i++) {
        trial.type = exchange_types[i];
        trial.kind = i % 2 ? SPREAD_PAIRS : SPREAD_KEYS;
        trial.distribution = distribution_find(names[i % 5]);
        spread_trial_try(&trial);
    }
    trial.type = CONSORT_U32;
    trial.distribution = distribution_find("uniform");
    spread_trial_try(&trial);
    uint64_t rounds = trial.outcome.counters[ROUNDS];
    trial.deceived = (uint64_t)trial.sample;
    spread_trial_try(&trial);
    assert_true(trial.outcome.counters[ROUNDS] >= rounds);
    trial.sample = 0;
    spread_trial_try(&trial);
    assert_true(trial.outcome.counters[ROUNDS] < rounds);
}

static struct spread_trial sampled_trial(enum spread_kind kind, const char *distribution)
{
    uint32_t parts = spread_usual_parts() < 7 ? spread_usual_parts() : 7;
    struct spread_trial trial = exchange_trial_of(kind, parts, 10007);
    trial.distribution = distribution_find(distribution);
    trial.sample = 600;
    trial.ranges = parts < 3 ? 2 : 1;
    trial.room = 700;
    return trial;
}

/* Ranges cut near their places: of every kind and type, in and out of place, put aside by everybody
 * where they are sorted or not, and with one part longer. */
void exchange_test_cut_by_a_sample(void **state)
{
    (void)state;
    static const enum spread_kind kinds[] = {SPREAD_KEYS, SPREAD_PAIRS, SPREAD_WIDE,
                                             SPREAD_ARGSORT};
    for (size_t i = 0; i < EXCHANGE_TYPES; i++) {
        struct spread_trial trial = sampled_trial(kinds[i % 4], "uniform");
        trial.type = exchange_types[i];
        trial.in_place = i / 4;
        trial.stored = (int64_t)i % 3;
        trial.counts[i % trial.parts] += 2000;
        if (trial_share_takes_next()) {
            spread_trial_try(&trial);
            assert_true(trial.outcome.counters[SAMPLED] == 1 || exchange_types[i] == CONSORT_U8);
        }
    }
}

/* The last part is twice as long as the others: they borrow ranges of it, which go back where
 * they belong. Parts of one GPU lend nothing. */
void exchange_test_lends(void **state)
{
    (void)state;
    static const enum spread_kind kinds[] = {SPREAD_KEYS, SPREAD_PAIRS, SPREAD_ARGSORT};
    for (size_t i = 0; i < 4 * sizeof kinds / sizeof *kinds; i++) {
        struct spread_trial trial = sampled_trial(kinds[i / 4], "uniform");
        trial.parts = i % 2 && trial.parts > 2 ? 3 : 2;
        trial.type = i % 3 ? CONSORT_U32 : CONSORT_F64;
        for (uint32_t p = 0; p < trial.parts; p++)
            trial.counts[p] = p + 1 < trial.parts ? 20011 : 40009;
        trial.sample = 2500;
        trial.room = 300;
        trial.ranges = 3;
        trial.in_place = i / 2 % 2;
        trial.stored = (int64_t)i % 2;
        if (!trial_share_takes_next())
            continue;
        spread_trial_try(&trial);
        assert_int_equal(trial.outcome.counters[SAMPLED], 1);
        assert_int_equal(trial.outcome.counters[LENT] > 0, device_count() > 1);
    }
}

/* What a sample tells is not enough: few different keys, pieces that have no room, pieces longer
 * than the room that there is, parts that begin elsewhere. Cuts are exact then. */
void exchange_test_samples_that_deceive(void **state)
{
    (void)state;
    static const char *const names[] = {"equal", "few-unique", "zipf", "reverse", "sorted"};
    if (!trial_share_takes_test())
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int kind = SPREAD_KEYS; kind <= SPREAD_PAIRS; kind++) {
            struct spread_trial trial = sampled_trial((enum spread_kind)kind, names[i]);
            spread_trial_try(&trial);
            assert_true(i > 0 || trial.outcome.counters[SAMPLED] == 0);
        }
    for (int deceit = SPREAD_ALL_LARGE; deceit <= SPREAD_LEANING; deceit++)
        for (int kind = SPREAD_KEYS; kind <= SPREAD_PAIRS; kind++) {
            struct spread_trial trial = sampled_trial((enum spread_kind)kind, "uniform");
            trial.deceived = (uint64_t)trial.sample;
            trial.deceit = (enum spread_deceit)deceit;
            spread_trial_try(&trial);
            assert_int_equal(trial.outcome.counters[SAMPLED], 0);
        }
}

/* A class that gets three times what its room was made for, where all that a GPU holds ends soon
 * behind it: what finds no room goes aside, or what is kept behind is written over. */
void exchange_test_samples_that_leave_no_room(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    for (int deceived = 0; deceived < 2; deceived++) {
        struct spread_trial trial = exchange_trial_of(SPREAD_KEYS, 2, 60013);
        trial.sample = 600;
        trial.ranges = 2;
        trial.stored = 0;
        trial.room = 150;
        trial.deceived = deceived ? (uint64_t)trial.sample : 0;
        trial.deceit = SPREAD_ALL_LARGEST;
        spread_trial_try(&trial);
        assert_int_equal(trial.outcome.counters[SAMPLED], !deceived);
    }
}

/* Every mix of free memory: ranges are cut by a sample where all GPUs have room for it, else
 * exactly; or there is an error that leaves the input whole. */
void exchange_test_mixes_of_free_memory(void **state)
{
    (void)state;
    uint64_t memory = device_describe(0)->memory, random = 3, ways[3] = {0};
    if (memory > (uint64_t)16 << 20)
        skip();
    for (int i = 0; i < 12; i++) {
        struct tenants tenants;
        struct spread_parts parts;
        struct spread_trial trial = sampled_trial(SPREAD_KEYS, "uniform");
        for (uint32_t p = 0; p < trial.parts; p++)
            trial.counts[p] = memory / 400;
        trial.in_place = true;
        struct spread_data data = spread_data_of(&trial);
        spread_parts_make(&parts, &trial, &data);
        tenants_come(&tenants, 15, &random);
        consort_plan *plan = spread_trial_plan(&trial);
        assert_non_null(plan);
        consort_status status = spread_trial_run(&trial, plan, &parts, NULL);
        spread_trial_check(&trial, &data, &parts, status == CONSORT_OK, status != CONSORT_OK);
        if (status != CONSORT_OK)
            assert_int_equal(status, CONSORT_ERROR_DEVICE_MEMORY);
        ways[status != CONSORT_OK ? 2 : trial.outcome.counters[SAMPLED]]++;
        consort_plan_destroy(plan);
        tenants_go(&tenants);
        spread_parts_free(&parts, &trial);
        spread_data_free(&data);
    }
    print_message("%llu exact, %llu sampled, %llu refused\n", (unsigned long long)ways[0],
                  (unsigned long long)ways[1], (unsigned long long)ways[2]);
    assert_true(ways[0] > 0 && ways[1] > 0);
}
