/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists longer than a GPU's memory, on every GPU there is: functions, types, distributions, sizes
 * around those of chunks, little memory, every kind of memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/device.h"
#include "cuda/staging/staging_lane.h"
#include "multi/multi_cuts.h"
#include "multi_trial.h"
#include "support/random.h"
#include "tenants.h"
#include "trial_share.h"

enum {
    MIXED = 40 /* trials of mixed kinds */
};

static const consort_type types[] = {CONSORT_U8,  CONSORT_I16, CONSORT_U32,  CONSORT_F32,
                                     CONSORT_I64, CONSORT_F64, CONSORT_U128, 0x0505};

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
        struct multi_trial trial = multi_trial_of(
            (enum multi_kind)random_below(&random, MULTI_KINDS), random_below(&random, 6000));
        trial.seed = random_next(&random);
        trial.type = types[random_below(&random, sizeof types / sizeof *types)];
        trial.distribution = distribution_for(trial.type, &random);
        trial.direction = (int32_t)random_below(&random, 2);
        trial.float_order = (int32_t)random_below(&random, 4);
        trial.chunks = 1 + (int64_t)random_below(&random, 9);
        trial.in_place = random_below(&random, 2);
        trial.apart = !trial.in_place && random_below(&random, 2);
        if (!trial_share_takes_next())
            continue;
        multi_trial_try(&trial);
        if (trial.count > 0)
            assert_true(trial.outcome.counters[1] >= 1 && trial.outcome.counters[2] == 0);
    }
}

/* Parts of repeated keys are cut by place, so that they stay stable and even. Keys of 16 bits where
 * the type does not matter: each chunk of wider ones takes the emulator ten times as long. */
static void test_repeated_keys(void **state)
{
    (void)state;
    static const char *const names[] = {"equal", "few-unique", "zipf", "sorted", "reverse"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int kind = MULTI_KEYS; kind <= MULTI_ARGSORT; kind++) {
            struct multi_trial trial = multi_trial_of((enum multi_kind)kind, 5003);
            trial.type = CONSORT_U16;
            trial.distribution = distribution_find(names[i]);
            if (trial_share_takes_next())
                multi_trial_try(&trial);
        }
    struct multi_trial alone = multi_trial_of(MULTI_PAIRS, 4999);
    alone.type = CONSORT_U16;
    alone.distribution = NULL;
    multi_trial_try(&alone);
}

static void test_sizes(void **state)
{
    (void)state;
    for (uint64_t count = 0; count < 40; count++) {
        struct multi_trial trial = multi_trial_of(MULTI_ARGSORT, count);
        trial.chunks = 1 + (int64_t)count % 7;
        if (trial_share_takes_next())
            multi_trial_try(&trial);
    }
    for (uint64_t count = 1020; count < 1030; count++) {
        struct multi_trial trial = multi_trial_of(MULTI_PAIRS, count);
        trial.chunks = 256 / device_count();
        if (trial_share_takes_next())
            multi_trial_try(&trial);
    }
}

/* Less and less memory: more and more chunks, and at last an error that leaves the input whole. */
static void test_little_memory(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    consort_status status = CONSORT_OK;
    uint64_t chunks = 0;
    bool in_place = false;
    for (int64_t memory = 1 << 20; status == CONSORT_OK && memory > 0; memory /= 8) {
        struct multi_trial trial = multi_trial_of(MULTI_PAIRS, 20000);
        trial.memory = memory;
        trial.in_place = in_place = !in_place;
        struct multi_arrays a = multi_arrays_of(&trial);
        consort_plan *plan = multi_trial_plan(&trial);
        assert_non_null(plan);
        status = multi_trial_run(&trial, plan, &a, NULL);
        if (status == CONSORT_OK) {
            assert_true(trial.outcome.counters[0] >= chunks);
            chunks = trial.outcome.counters[0];
        } else {
            assert_int_equal(status, CONSORT_ERROR_DEVICE_MEMORY);
            assert_int_equal(consort_last_error()->input_whole, 1);
        }
        consort_plan_destroy(plan);
        multi_arrays_free(&a);
    }
    assert_int_not_equal(status, CONSORT_OK);
    assert_true(chunks > 12);
}

/* Others hold any share of any GPU's memory: chunks suit the fullest that can help. */
static void test_mixes_of_free_memory(void **state)
{
    (void)state;
    uint64_t memory = device_describe(0)->memory, random = 7, done = 0, tried = 0;
    if (memory > (uint64_t)32 << 20)
        skip();
    for (int i = 0; i < 10; i++) {
        struct tenants tenants;
        struct multi_trial trial = multi_trial_of((enum multi_kind)(i % MULTI_KINDS), memory / 400);
        if (!trial_share_takes_next())
            continue;
        tried++;
        tenants_come(&tenants, 14, &random);
        struct multi_arrays a = multi_arrays_of(&trial);
        consort_plan *plan = multi_trial_plan(&trial);
        consort_status status =
            plan ? multi_trial_run(&trial, plan, &a, NULL) : consort_last_error()->status;
        if (status != CONSORT_OK)
            assert_int_equal(status, CONSORT_ERROR_DEVICE_MEMORY);
        done += status == CONSORT_OK;
        consort_plan_destroy(plan);
        multi_arrays_free(&a);
        tenants_go(&tenants);
    }
    print_message("%llu of %llu found the memory\n", (unsigned long long)done,
                  (unsigned long long)tried);
    assert_true(2 * done > tried);
}

/* What does not fit a GPU goes through it in chunks; what fits does not. */
static void test_planner(void **state)
{
    (void)state;
    uint64_t memory = device_describe(0)->memory;
    consort_plan_info info;
    consort_plan_info_init(&info);
    struct multi_trial trial = multi_trial_of(MULTI_KEYS, memory / 4 + 1);
    trial.auto_chosen = true;
    consort_plan *plan = multi_trial_plan(&trial);
    assert_non_null(plan);
    assert_int_equal(consort_plan_get_info(plan, &info), CONSORT_OK);
    bool chunks = strcmp(info.algorithm, "merge-chunks") == 0;
    assert_true(chunks || (device_count() > 2 && strcmp(info.algorithm, "exchange-host") == 0));
    assert_int_equal(info.device, device_count() > 1 ? CONSORT_DEVICE_ALL : 0);
    assert_int_equal(info.workspace, chunks ? (trial.count * 4 + 63) / 64 * 64 : 0);
    consort_plan_destroy(plan);
    trial.count = 1000;
    plan = multi_trial_plan(&trial);
    assert_non_null(plan);
    assert_int_equal(consort_plan_get_info(plan, &info), CONSORT_OK);
    assert_string_not_equal(info.algorithm, "merge-chunks");
    consort_plan_destroy(plan);
}

/* The list is longer than all GPUs of the emulator together. */
static void test_longer_than_the_gpus(void **state)
{
    (void)state;
    uint64_t memory = device_describe(0)->memory * (uint64_t)device_count();
    if (memory > (uint64_t)8 << 20)
        skip();
    struct multi_trial trial = multi_trial_of(MULTI_KEYS, memory / 4 + 12345);
    trial.auto_chosen = true;
    trial.in_place = true;
    multi_trial_try(&trial);
    assert_true(trial.outcome.counters[0] > 2);
}

static void try_many_pieces(struct multi_trial *trial)
{
    if (!trial_share_takes_next())
        return;
    multi_trial_try(trial);
    uint64_t bytes = trial->count * consort_type_size(trial->type);
    assert_true(bytes / trial->outcome.counters[0] > STAGING_SLOT_BYTES);
}

/* Chunks of more than one pinned buffer, and places of every alignment. */
static void test_many_pieces(void **state)
{
    (void)state;
    if (device_describe(0)->memory < (uint64_t)32 << 20)
        skip();
    struct multi_trial trial = multi_trial_of(MULTI_KEYS, 10001 * (uint64_t)device_count());
    trial.type = consort_type_bytes(255);
    trial.chunks = 1;
    try_many_pieces(&trial);
    trial.count = 9600 * (uint64_t)device_count(); /* chunks of whole lines */
    trial.type = consort_type_bytes(240);
    trial.in_place = true;
    try_many_pieces(&trial);
}

static void test_every_kind_of_memory(void **state)
{
    (void)state;
    int kinds = device_count() > 1 ? PLACE_KINDS : PLACE_OTHER;
    for (int from = 0; from < kinds; from++)
        for (int to = 0; to < kinds; to++) {
            struct multi_trial trial = multi_trial_of((enum multi_kind)((from + to) % 3), 3001);
            trial.type = CONSORT_U16;
            trial.from = (enum place_kind)from;
            trial.to = (enum place_kind)to;
            trial.in_place = from == to;
            trial.workspace = to % 2 ? PLACE_PINNED : PLACE_PAGEABLE;
            if (trial_share_takes_next())
                multi_trial_try(&trial);
        }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = 10;
    descriptor.options = &options;
    options.engine = CONSORT_ENGINE_CUDA;
    options.algorithm = "merge-chunks";
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_ERROR_UNSUPPORTED);
    options.device = CONSORT_DEVICE_ALL;
    assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_ERROR_ARGUMENT);
    descriptor.memory = CONSORT_MEMORY_HOST;
    descriptor.form = CONSORT_FORM_DOUBLE_BUFFER;
    assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_ERROR_UNSUPPORTED);
    descriptor.form = CONSORT_FORM_COPY;
    options.workspace_limit = 39;
    assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_ERROR_WORKSPACE);
}

/* Every cut of a list in runs, against counting. */
static void test_cuts(void **state)
{
    (void)state;
    enum {
        ITEMS = 97,
        RUN = 13,
        RUNS = (ITEMS + RUN - 1) / RUN
    };
    struct order order;
    assert_true(order_of_type(&order, CONSORT_U8, CONSORT_ASCENDING, CONSORT_NAN_LAST));
    uint64_t random = 5;
    for (uint64_t values = 1; values < 300; values += 1 + values / 4) {
        uint8_t items[ITEMS];
        uint64_t cuts[RUNS], spare[3 * RUNS];
        for (uint64_t i = 0; i < ITEMS; i++)
            items[i] = (uint8_t)random_below(&random, values);
        for (uint64_t first = 0; first < ITEMS; first += RUN) {
            uint64_t count = ITEMS - first < RUN ? ITEMS - first : RUN;
            assert_int_equal(consort_sort(items + first, items + first, count, CONSORT_U8, NULL),
                             CONSORT_OK);
        }
        const struct multi_runs runs = {&order, (const char *)items, ITEMS, RUN, RUNS};
        for (uint64_t rank = 0; rank <= ITEMS; rank++) {
            multi_cuts_find(&runs, rank, cuts, spare);
            for (uint64_t i = 0; i < ITEMS; i++) {
                uint64_t before = 0;
                for (uint64_t j = 0; j < ITEMS; j++)
                    before += items[j] < items[i] || (items[j] == items[i] && j < i);
                assert_int_equal(before < rank, i % RUN < cuts[i / RUN]);
            }
        }
    }
    order_release(&order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_planner),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_repeated_keys),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_longer_than_the_gpus),
        cmocka_unit_test(test_mixes_of_free_memory),
        cmocka_unit_test(test_many_pieces),
        cmocka_unit_test(test_every_kind_of_memory),
    };
    if (device_count() == 0) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
