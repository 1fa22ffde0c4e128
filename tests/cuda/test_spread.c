/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host arrays that fit the GPUs together (`exchange-host`), on every GPU there is: functions,
 * types, distributions, kinds of memory, GPUs of which others hold much, lists that do not fit
 * after all, cancelling, threads, the planner's choice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/device.h"
#include "multi_trial.h"
#include "stopper.h"
#include "support/random.h"
#include "tenants.h"
#include "trial_share.h"

enum {
    THREADS = 10,
    MIXED = 30,  /* trials of mixed kinds */
    DEVICES = 0, /* places of counters */
    CHUNKED = 5
};

static const consort_type types[] = {CONSORT_U8,  CONSORT_I16, CONSORT_U32,  CONSORT_F32,
                                     CONSORT_I64, CONSORT_F64, CONSORT_U128, 0x0505};

static struct multi_trial trial_of(enum multi_kind kind, uint64_t count)
{
    struct multi_trial trial = multi_trial_of(kind, count);
    trial.algorithm = "exchange-host";
    return trial;
}

static const struct distribution *distribution_for(consort_type type, uint64_t *random)
{
    size_t count;
    const struct distribution *all = distribution_list(&count);
    for (;;) {
        const struct distribution *drawn = &all[random_below(random, count)];
        if (distribution_supports(drawn, type))
            return drawn;
    }
}

static void test_mixed(void **state)
{
    (void)state;
    uint64_t random = 20261122;
    for (int i = 0; i < MIXED; i++) {
        struct multi_trial trial = trial_of((enum multi_kind)random_below(&random, MULTI_KINDS),
                                            random_below(&random, 4000));
        trial.seed = random_next(&random);
        trial.type = types[random_below(&random, sizeof types / sizeof *types)];
        trial.distribution = distribution_for(trial.type, &random);
        trial.direction = (int32_t)random_below(&random, 2);
        trial.float_order = (int32_t)random_below(&random, 4);
        trial.in_place = random_below(&random, 2);
        trial.apart = !trial.in_place && random_below(&random, 2);
        if (!trial_share_takes_next())
            continue;
        multi_trial_try(&trial);
        assert_int_equal(trial.outcome.counters[CHUNKED], 0);
        if (trial.count > 0)
            assert_int_equal(trial.outcome.counters[DEVICES], device_count());
    }
}

/* Fewer items than GPUs, too. */
static void test_sizes(void **state)
{
    (void)state;
    for (uint64_t count = 0; count < 70; count += 1 + count / 6) {
        struct multi_trial trial = trial_of(MULTI_ARGSORT, count);
        if (trial_share_takes_next())
            multi_trial_try(&trial);
    }
}

static void test_every_kind_of_memory(void **state)
{
    (void)state;
    for (int from = 0; from < PLACE_KINDS; from++)
        for (int to = 0; to < PLACE_KINDS; to++) {
            struct multi_trial trial = trial_of((enum multi_kind)((from + to) % 3), 2001);
            trial.from = (enum place_kind)from;
            trial.to = (enum place_kind)to;
            trial.in_place = from == to;
            if (trial_share_takes_next())
                multi_trial_try(&trial);
        }
}

/* Every mix of free memory: parts become uneven, and where all is too little there are chunks, or
 * an error that leaves the input whole. */
static void test_mixes_of_free_memory(void **state)
{
    (void)state;
    uint64_t memory = device_describe(0)->memory, random = 7, spread = 0, chunked = 0, tried = 0;
    if (memory > (uint64_t)32 << 20)
        skip();
    for (int i = 0; i < 12; i++) {
        struct tenants tenants;
        struct multi_trial trial = trial_of((enum multi_kind)((i + i / 3) % 3), memory / 64);
        if (!trial_share_takes_next())
            continue;
        tried++;
        tenants_come(&tenants, i < 6 ? 12 : 15, &random);
        struct multi_arrays a = multi_arrays_of(&trial);
        consort_plan *plan = multi_trial_plan(&trial);
        assert_non_null(plan);
        consort_status status = multi_trial_run(&trial, plan, &a, NULL);
        if (status != CONSORT_OK) {
            assert_int_equal(status, CONSORT_ERROR_DEVICE_MEMORY);
            assert_int_equal(consort_last_error()->input_whole, 1);
        } else if (trial.outcome.counters[CHUNKED]) {
            chunked++;
        } else {
            spread++;
        }
        consort_plan_destroy(plan);
        multi_arrays_free(&a);
        tenants_go(&tenants);
    }
    print_message("%llu spread, %llu in chunks\n", (unsigned long long)spread,
                  (unsigned long long)chunked);
    assert_true(spread > 0 && 2 * (spread + chunked) > tried);
}

/* Chunks, too, take no more than that. */
static void expect_too_little(struct multi_trial trial, uint64_t memory)
{
    trial.memory = (int64_t)memory;
    struct multi_arrays a = multi_arrays_of(&trial);
    consort_plan *plan = multi_trial_plan(&trial);
    assert_non_null(plan);
    assert_int_equal(multi_trial_run(&trial, plan, &a, NULL), CONSORT_ERROR_DEVICE_MEMORY);
    assert_non_null(strstr(consort_last_error()->message, "it has 1000 bytes to give"));
    assert_int_equal(consort_last_error()->input_whole, 1);
    consort_plan_destroy(plan);
    multi_arrays_free(&a);
}

/* With less memory than the list needs it goes in chunks. */
static void test_little_memory(void **state)
{
    (void)state;
    struct multi_trial trial = trial_of(MULTI_PAIRS, 20000);
    trial.memory = 20000;
    trial.in_place = true;
    multi_trial_try(&trial);
    assert_int_equal(trial.outcome.counters[CHUNKED], 1);
    trial.memory = 0;
    multi_trial_try(&trial);
    assert_int_equal(trial.outcome.counters[CHUNKED], 0);
    expect_too_little(trial, 1000);
}

static void test_progress_and_cancel(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct multi_trial trial = trial_of(MULTI_PAIRS, 3001);
    trial.in_place = true;
    struct progress_stops stops = multi_trial_stops(&trial);
    assert_true(stops.runs > 2 && stops.whole);
}

/* Another thread says stop at any moment. */
static void test_cancel_at_any_moment(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct multi_trial trial = trial_of(MULTI_PAIRS, 3001);
    trial.in_place = true;
    struct multi_arrays a = multi_arrays_of(&trial);
    consort_plan *plan = multi_trial_plan(&trial);
    consort_status status = CONSORT_ERROR_CANCELLED;
    for (long wait = 0; status != CONSORT_OK; wait += 50 + wait / 3) {
        struct stopper stopper;
        consort_arguments with;
        consort_arguments_init(&with);
        stopper_start(&stopper, wait, &with);
        status = multi_trial_run(&trial, plan, &a, &with);
        stopper_end(&stopper);
        if (status != CONSORT_OK)
            assert_int_equal(status, CONSORT_ERROR_CANCELLED);
        assert_true(wait > 0 || status != CONSORT_OK);
    }
    consort_plan_destroy(plan);
    multi_arrays_free(&a);
}

static void test_ten_threads(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct multi_trial trials[THREADS];
    for (uint64_t t = 0; t < THREADS; t++) {
        trials[t] = trial_of((enum multi_kind)(t % MULTI_KINDS), 1000 + 100 * t);
    }
    multi_trials_together(trials, THREADS);
}

static const char *chosen(uint64_t count)
{
    static char name[64];
    consort_plan_info info;
    consort_plan_info_init(&info);
    struct multi_trial trial = multi_trial_of(MULTI_KEYS, count);
    trial.auto_chosen = true;
    consort_plan *plan = multi_trial_plan(&trial);
    assert_non_null(plan);
    assert_int_equal(consort_plan_get_info(plan, &info), CONSORT_OK);
    snprintf(name, sizeof name, "%s", info.algorithm);
    consort_plan_destroy(plan);
    return name;
}

/* What fits the GPUs together but not one goes there; what is longer, in chunks. */
static void test_planner(void **state)
{
    (void)state;
    uint64_t memory = device_describe(0)->memory, gpus = (uint64_t)device_count();
    assert_string_equal(chosen(memory / 4 * gpus), "merge-chunks");
    if (gpus > 3)
        assert_string_equal(chosen(memory / 4 + 1), "exchange-host");
    struct multi_trial trial = trial_of(MULTI_KEYS, memory / 4 * gpus);
    assert_null(multi_trial_plan(&trial));
    assert_int_equal(consort_last_error()->status, CONSORT_ERROR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planner),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_every_kind_of_memory),
        cmocka_unit_test(test_mixes_of_free_memory),
        cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_progress_and_cancel),
        cmocka_unit_test(test_cancel_at_any_moment),
        cmocka_unit_test(test_ten_threads),
    };
    if (device_count() < 2) {
        print_message("skipped: needs several GPUs\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
