/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists in the memory of several GPUs, of however many there are: functions, types, orders,
 * distributions, parts of every mix of lengths, more parts than GPUs, little memory, progress,
 * cancelling, threads, and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/device.h"
#include "exchange_samples.h"
#include "spread_repeat.h"
#include "support/random.h"
#include "trial_share.h"

enum {
    THREADS = 10,
    MIXED = 60 /* trials of mixed kinds */
};

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

/* Parts of equal length, of any, mostly empty, or one a hundred times as long as the others. */
static void draw_counts(struct spread_trial *trial, uint64_t *random)
{
    uint64_t mix = random_below(random, 4), even = 1 + random_below(random, 3000);
    for (uint32_t p = 0; p < trial->parts; p++)
        trial->counts[p] = mix == 0   ? even
                           : mix == 1 ? random_below(random, 3000)
                           : mix == 2 ? random_below(random, 3) / 2 * even
                                      : 1 + even / 50;
    if (mix == 3)
        trial->counts[random_below(random, trial->parts)] *= 100;
}

static void test_mixed(void **state)
{
    (void)state;
    uint64_t random = 20261122;
    for (int i = 0; i < MIXED; i++) {
        struct spread_trial trial =
            exchange_trial_of((enum spread_kind)random_below(&random, SPREAD_KINDS),
                              1 + (uint32_t)random_below(&random, spread_most_parts()), 0);
        draw_counts(&trial, &random);
        trial.seed = random_next(&random);
        trial.type = exchange_types[random_below(&random, EXCHANGE_TYPES)];
        trial.distribution = distribution_for(trial.type, &random);
        trial.direction = (int32_t)random_below(&random, 2);
        trial.float_order = (int32_t)random_below(&random, 4);
        trial.index_type = random_below(&random, 2) ? CONSORT_U32 : CONSORT_U64;
        trial.ranges = (int64_t)random_below(&random, 6);
        trial.sample = (int64_t)random_below(&random, 128);
        trial.in_place = random_below(&random, 2);
        trial.stored = (int64_t)random_below(&random, 4);
        trial.room = (int64_t)random_below(&random, 3) * 1000;
        if (trial_share_takes_next())
            spread_trial_try(&trial);
    }
}

/* Of a record that is nothing but its key nobody sees whether equal ones keep their order. */
static void test_records_of_a_byte(void **state)
{
    (void)state;
    static const consort_field field = {.type = CONSORT_U8, .direction = CONSORT_DESCENDING};
    struct spread_trial trial = exchange_trial_of(SPREAD_KEYS, 2, 1000);
    trial.type = CONSORT_U8; /* of what is drawn */
    trial.fields = &field;
    trial.field_count = 1;
    trial.record_bytes = 1;
    spread_trial_try(&trial);
}

/* Ranges of repeated keys are cut by place, so that they stay stable and even. */
static void test_repeated_keys(void **state)
{
    (void)state;
    static const char *const names[] = {"equal", "few-unique", "zipf", "sorted", "reverse"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int kind = 0; kind < SPREAD_KINDS; kind++) {
            struct spread_trial trial =
                exchange_trial_of((enum spread_kind)kind, spread_usual_parts(), 2503);
            trial.distribution = distribution_find(names[i]);
            trial.in_place = kind % 2;
            if (trial_share_takes_next())
                spread_trial_try(&trial);
        }
}

/* Several tiles, in which classes go on where the tile before left them; all splitters there are;
 * values that are not aligned. */
static void test_many_tiles(void **state)
{
    (void)state;
    static const consort_type wide[] = {CONSORT_U8, CONSORT_U32, CONSORT_U64, CONSORT_U128};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        for (int kind = SPREAD_KEYS; kind <= SPREAD_WIDE; kind++) {
            struct spread_trial trial = exchange_trial_of((enum spread_kind)kind, 2, 40009);
            trial.type = wide[i];
            trial.ranges = i % 2 ? 64 : 5;
            trial.off = i % 2;
            trial.distribution = distribution_find(i % 2 ? "uniform" : "few-unique");
            if (trial_share_takes_next())
                spread_trial_try(&trial);
        }
}

static void test_sizes(void **state)
{
    (void)state;
    for (uint64_t count = 0; count < 70; count += 1 + count / 8) {
        struct spread_trial trial = exchange_trial_of(SPREAD_ARGSORT, spread_usual_parts(), count);
        trial.ranges = 1 + (int64_t)count % 3;
        trial.counts[0] = count / 2;
        if (trial_share_takes_next())
            spread_trial_try(&trial);
    }
}

static void test_most_parts_and_ranges(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct spread_trial most = exchange_trial_of(SPREAD_PAIRS, SPREAD_PARTS, 97);
    most.ranges = 128;
    spread_trial_try(&most);
    assert_int_equal(most.outcome.counters[0], 128);
}

/* The memory of the devices fills up with what others hold there: first there are more ranges, then
 * a clear error that leaves the input whole. */
static void test_little_memory(void **state)
{
    (void)state;
    uint64_t memory = device_describe(0)->memory;
    if (memory > (uint64_t)16 << 20)
        skip();
    consort_status status = CONSORT_OK;
    uint64_t ranges = 0;
    for (uint64_t share = 5; status == CONSORT_OK; share--) {
        assert_true(share > 1);
        struct spread_trial trial =
            exchange_trial_of(SPREAD_PAIRS, spread_usual_parts(), memory / share / 8);
        trial.ranges = 1;
        trial.in_place = true;
        struct spread_data data = spread_data_of(&trial);
        struct spread_parts parts;
        spread_parts_make(&parts, &trial, &data);
        consort_plan *plan = spread_trial_plan(&trial);
        assert_non_null(plan);
        status = spread_trial_run(&trial, plan, &parts, NULL);
        spread_trial_check(&trial, &data, &parts, status == CONSORT_OK, status != CONSORT_OK);
        if (status == CONSORT_OK && trial.outcome.counters[0] > ranges)
            ranges = trial.outcome.counters[0];
        consort_plan_destroy(plan);
        spread_parts_free(&parts, &trial);
        spread_data_free(&data);
    }
    assert_int_equal(status, CONSORT_ERROR_DEVICE_MEMORY);
    assert_int_equal(consort_last_error()->input_whole, 1);
    assert_non_null(strstr(consort_last_error()->message, "GPU "));
    assert_true(ranges > spread_usual_parts());
}

static void test_progress_and_cancel(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct spread_trial trial = exchange_trial_of(SPREAD_PAIRS, spread_usual_parts(), 3001);
    trial.in_place = true;
    struct spread_data data = spread_data_of(&trial);
    consort_plan *plan = spread_trial_plan(&trial);
    struct progress_stops stops = spread_trial_stops(&trial, plan, &data, 20);
    assert_true(stops.whole);
    spread_trial_cancelled(&trial, plan, &data);
    consort_plan_destroy(plan);
    spread_data_free(&data);
}

static void test_ten_threads(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct spread_trial trials[THREADS];
    for (uint32_t t = 0; t < THREADS; t++) {
        trials[t] = exchange_trial_of((enum spread_kind)(t % SPREAD_KINDS), spread_usual_parts(),
                                      300 + 20 * t);
    }
    spread_trials_together(trials, THREADS);
}

static void test_one_call(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct spread_trial trial = exchange_trial_of(SPREAD_COLUMNS, spread_usual_parts(), 1000);
    struct spread_data data = spread_data_of(&trial);
    struct spread_parts parts;
    spread_parts_make(&parts, &trial, &data);
    assert_int_equal(consort_sort_spread(parts.parts, trial.parts, 2, CONSORT_U32, NULL),
                     CONSORT_OK);
    spread_trial_check(&trial, &data, &parts, true, true);
    spread_parts_free(&parts, &trial);
    spread_data_free(&data);
    trial = exchange_trial_of(SPREAD_ARGSORT, spread_usual_parts(), 1000);
    data = spread_data_of(&trial);
    spread_parts_make(&parts, &trial, &data);
    assert_int_equal(
        consort_argsort_spread(parts.parts, trial.parts, CONSORT_U32, CONSORT_U32, NULL),
        CONSORT_OK);
    spread_trial_check(&trial, &data, &parts, true, true);
    spread_parts_free(&parts, &trial);
    spread_data_free(&data);
    const consort_part nothing[2] = {{.device = 0}, {.device = 0}};
    assert_int_equal(consort_sort_spread(nothing, 2, 0, CONSORT_U32, NULL), CONSORT_OK);
}

static consort_status sort(const consort_part *parts, uint32_t count, consort_type type)
{
    return consort_sort_spread(parts, count, 0, type, NULL);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    struct spread_trial trial = exchange_trial_of(SPREAD_KEYS, 2, 64);
    struct spread_data data = spread_data_of(&trial);
    struct spread_parts all;
    spread_parts_make(&all, &trial, &data);
    consort_part *parts = all.parts;
    const consort_part good = parts[1];
    static uint32_t host[64];
    assert_int_equal(sort(parts, 0, CONSORT_U32), CONSORT_ERROR_ARGUMENT);
    assert_int_equal(sort(parts, 17, CONSORT_U32), CONSORT_ERROR_ARGUMENT);
    consort_options forced;
    consort_options_init(&forced);
    forced.algorithm = "exchange";
    assert_int_equal(consort_sort_spread(parts, 2, 0, consort_type_bytes(4), &forced),
                     CONSORT_ERROR_UNSUPPORTED);
    parts[1].device = 63;
    assert_int_equal(sort(parts, 2, CONSORT_U32), CONSORT_ERROR_NO_DEVICE);
    parts[1] = good;
    parts[1].in = host;
    assert_int_equal(sort(parts, 2, CONSORT_U32), CONSORT_ERROR_ARGUMENT);
    parts[1].in = NULL;
    assert_int_equal(sort(parts, 2, CONSORT_U32), CONSORT_ERROR_ARGUMENT);
    parts[1] = good;
    parts[1].out = parts[0].out;
    assert_int_equal(sort(parts, 2, CONSORT_U32), CONSORT_ERROR_OVERLAP);
    parts[1].out = (char *)good.out + 1;
    assert_int_equal(sort(parts, 2, CONSORT_U32), CONSORT_ERROR_ALIGNMENT);
    parts[1] = good;
    parts[1].reserved = 1;
    assert_int_equal(sort(parts, 2, CONSORT_U32), CONSORT_ERROR_ARGUMENT);
    parts[1] = good;
    spread_trial_check(&trial, &data, &all, false, true);
    consort_options options;
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CPU;
    assert_int_equal(consort_sort_spread(parts, 2, 0, CONSORT_U32, &options),
                     CONSORT_ERROR_ARGUMENT);
    options.engine = CONSORT_ENGINE_CUDA;
    options.device = 0;
    assert_int_equal(consort_sort_spread(parts, 2, 0, CONSORT_U32, &options),
                     CONSORT_ERROR_ARGUMENT);
    spread_parts_free(&all, &trial);
    spread_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_one_call),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(exchange_test_cut_by_a_sample),
        cmocka_unit_test(exchange_test_samples_that_deceive),
        cmocka_unit_test(exchange_test_samples_that_leave_no_room),
        cmocka_unit_test(exchange_test_mixes_of_free_memory),
        cmocka_unit_test(exchange_test_lends),
        cmocka_unit_test(exchange_test_lends_without_room),
        cmocka_unit_test(test_records_of_a_byte),
        cmocka_unit_test(test_repeated_keys),
        cmocka_unit_test(test_many_tiles),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_progress_and_cancel),
        cmocka_unit_test(test_ten_threads),
        cmocka_unit_test(exchange_test_samples),
        cmocka_unit_test(test_most_parts_and_ranges),
    };
    if (device_count() == 0) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
