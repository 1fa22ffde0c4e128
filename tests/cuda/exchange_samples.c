/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/random.h"
#include "tenants.h"
#include "trial_share.h"

static const uint64_t MOST_MEMORY = (uint64_t)16 << 20; /* of a GPU that a test may fill */

enum {
    MIXES = 12, /* of free memory */
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

static struct spread_trial lending_trial(enum spread_kind kind, uint32_t parts)
{
    struct spread_trial trial = sampled_trial(kind, "uniform");
    trial.parts = parts;
    for (uint32_t p = 0; p < parts; p++)
        trial.counts[p] = p + 1 < parts ? 20011 : 40009;
    trial.sample = 2500;
    trial.room = 300;
    trial.ranges = 3;
    return trial;
}

/* The last part is twice as long as the others: they borrow ranges of it, which go back where
 * they belong. Parts of one GPU lend nothing. */
void exchange_test_lends(void **state)
{
    (void)state;
    static const enum spread_kind kinds[] = {SPREAD_KEYS, SPREAD_PAIRS, SPREAD_ARGSORT};
    for (size_t i = 0; i < 4 * sizeof kinds / sizeof *kinds; i++) {
        uint32_t parts = i % 2 && spread_usual_parts() > 2 ? 3 : 2;
        struct spread_trial trial = lending_trial(kinds[i / 4], parts);
        trial.type = i % 3 ? CONSORT_U32 : CONSORT_F64;
        trial.in_place = i / 2 % 2;
        trial.stored = (int64_t)i % 2;
        if (!trial_share_takes_next())
            continue;
        spread_trial_try(&trial);
        assert_int_equal(trial.outcome.counters[SAMPLED], 1);
        assert_int_equal(trial.outcome.counters[LENT] > 0, device_count() > 1);
    }
}

/* A list on its GPUs, and what sorts it again and again. */
struct ready {
    struct spread_trial trial;
    struct spread_data data;
    struct spread_parts parts;
    consort_plan *plan;
};

static void ready_make(struct ready *ready, const struct spread_trial *trial)
{
    ready->trial = *trial;
    ready->data = spread_data_of(trial);
    spread_parts_make(&ready->parts, trial, &ready->data);
    ready->plan = spread_trial_plan(trial);
    assert_non_null(ready->plan);
}

static void ready_free(struct ready *ready)
{
    consort_plan_destroy(ready->plan);
    spread_parts_free(&ready->parts, &ready->trial);
    spread_data_free(&ready->data);
}

/* How ranges were cut, by how much memory that takes. */
enum way {
    WAY_REFUSED,
    WAY_EXACT,
    WAY_SAMPLED,
    WAY_LENT, /* sampled, and some were sorted by others */
    WAYS
};

static enum way ready_run(struct ready *ready)
{
    struct spread_trial *trial = &ready->trial;
    consort_status status = spread_trial_run(trial, ready->plan, &ready->parts, NULL);
    bool sorted = status == CONSORT_OK;
    spread_trial_check(trial, &ready->data, &ready->parts, sorted, !sorted || !trial->in_place);
    if (sorted)
        return trial->outcome.counters[SAMPLED] == 0 ? WAY_EXACT
               : trial->outcome.counters[LENT] == 0  ? WAY_SAMPLED
                                                     : WAY_LENT;
    assert_int_equal(status, CONSORT_ERROR_DEVICE_MEMORY);
    return WAY_REFUSED;
}

static enum way ready_run_beside(struct ready *ready, uint64_t held)
{
    CUdeviceptr tenant = tenant_comes(0, held);
    enum way way = ready_run(ready);
    tenant_goes(0, tenant);
    return way;
}

/* The first of two GPUs borrows a range if there is room for it, and that is what its memory may
 * lack: between what a run that lends takes and an exact one there is one that a sample cuts and
 * that lends nothing. It has no place for a range of the other, and must not use any. */
void exchange_test_lends_without_room(void **state)
{
    (void)state;
    uint64_t memory = device_describe(0)->memory, enough = 0, much = memory / 16 * 15;
    if (device_count() < 2 || memory > MOST_MEMORY)
        skip();
    if (!trial_share_takes_test())
        return;
    struct spread_trial trial = lending_trial(SPREAD_KEYS, 2);
    for (uint32_t p = 0; p < trial.parts; p++)
        trial.counts[p] *= 4; /* so many that ranges take more than what sorts them */
    trial.stored = 0;
    trial.room = 162; /* what is lent fits if an eighth is kept for it, and only then */
    struct ready ready;
    ready_make(&ready, &trial);
    enum way way = ready_run_beside(&ready, enough);
    assert_int_equal(way, WAY_LENT);
    while (way != WAY_SAMPLED && much - enough > 1) {
        uint64_t held = enough + (much - enough) / 2;
        way = ready_run_beside(&ready, held);
        *(way == WAY_LENT ? &enough : &much) = held;
    }
    assert_int_equal(way, WAY_SAMPLED);
    ready_free(&ready);
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

/* A part on each GPU. The more there are the longer the seams between them, by the root: of more
 * than seven they would be half as long as ranges, but for a longer sample. */
static struct spread_trial part_on_each(void)
{
    struct spread_trial trial = sampled_trial(SPREAD_KEYS, "uniform");
    trial.in_place = true;
    if (spread_usual_parts() > trial.parts)
        trial.sample = 1300;
    trial.parts = spread_usual_parts();
    for (uint32_t p = 0; p < trial.parts; p++)
        trial.counts[p] = device_describe(0)->memory / 250;
    return trial;
}

/* Every mix of free memory: ranges are cut by a sample where all GPUs have room for it, else
 * exactly; or there is an error that leaves the input whole. How full the fullest may be is drawn,
 * too: of sixteen one is almost surely as full as may be, and a sample needs room on all. Every
 * other time that is nearly all, which two seldom are. */
void exchange_test_mixes_of_free_memory(void **state)
{
    (void)state;
    uint64_t random = 3, ways[WAYS] = {0};
    if (device_describe(0)->memory > MOST_MEMORY)
        skip();
    struct spread_trial trial = part_on_each();
    for (int i = 0; i < MIXES; i++) {
        struct tenants tenants;
        struct ready ready;
        ready_make(&ready, &trial);
        tenants_come(&tenants, i % 2 ? 15 : 1 + random_below(&random, 12), &random);
        ways[ready_run(&ready)]++;
        tenants_go(&tenants);
        ready_free(&ready);
    }
    print_message("%llu exact, %llu sampled, %llu refused\n", (unsigned long long)ways[WAY_EXACT],
                  (unsigned long long)ways[WAY_SAMPLED], (unsigned long long)ways[WAY_REFUSED]);
    assert_true(ways[WAY_EXACT] > 0 && ways[WAY_SAMPLED] > 0);
}
