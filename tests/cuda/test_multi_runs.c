/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs over every GPU there is: what they and the library tell of the GPUs, what crosses the bus,
 * how they are stopped, ten at once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bus_meter.h"
#include "cuda/driver/device.h"
#include "memory_turns.h"
#include "multi_trial.h"
#include "stopper.h"
#include "test_threads.h"
#include "trial_share.h"

enum {
    THREADS = 10,
    FEW_THREADS = 4
};

/* What the library says of GPUs, without using one. */
static void test_device_info(void **state)
{
    (void)state;
    int32_t count = (int32_t)consort_device_count();
    consort_device_info info;
    consort_device_info_init(&info);
    assert_int_equal(count, device_count());
    for (int32_t d = 0; d < count; d++) {
        const struct device *device = device_describe(d);
        assert_int_equal(consort_device_get_info(d, &info), CONSORT_OK);
        assert_string_equal(info.name, device->name);
        assert_int_equal(info.memory, device->memory);
        assert_int_equal(info.capability, device->capability);
        assert_int_equal(info.processors, device->processors);
        assert_int_equal(info.in_all, d < 16);
        assert_int_equal(consort_device_reaches(d, d), 1);
        assert_int_equal(consort_device_reaches(d, count), 0);
        assert_int_equal(consort_device_reaches(-1, d), 0);
        for (int32_t peer = 0; peer < count; peer++)
            assert_int_equal(consort_device_reaches(d, peer), consort_device_reaches(peer, d));
    }
    assert_int_equal(consort_device_get_info(count, &info), CONSORT_ERROR_NO_DEVICE);
    assert_int_equal(consort_device_get_info(-1, &info), CONSORT_ERROR_NO_DEVICE);
    assert_int_equal(consort_device_get_info(0, NULL), CONSORT_ERROR_ARGUMENT);
    info.size = 0;
    assert_int_equal(consort_device_get_info(0, &info), CONSORT_ERROR_ARGUMENT);
}

/* Phases take time, and no GPU's copies or sorts of a phase take longer than the phase. */
static void test_times(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    enum {
        PHASES = 3, /* places of counters: open, chunks, cuts, parts; then three steps of two */
        STEPS = 7
    };
    struct multi_trial trial = multi_trial_of(MULTI_PAIRS, 5000);
    multi_trial_try(&trial);
    const uint64_t *counters = trial.outcome.counters;
    for (int phase = 0; phase < 4; phase++)
        assert_true(counters[PHASES + phase] > 0);
    for (int step = 0; step < 6; step++) {
        uint64_t phase = counters[PHASES + 1 + 2 * (step / 3)];
        assert_in_range(counters[STEPS + step], 1, phase * (uint64_t)device_count());
    }
}

/* Every item crosses the bus so many times each way. */
static void cross(struct multi_trial trial, uint64_t times)
{
    uint64_t item = trial.kind == MULTI_PAIRS ? 4 + 8 + 3 : 4;
    trial.from = trial.to = PLACE_PINNED;
    bus_meter_begin();
    multi_trial_try(&trial);
    const struct bus_meter meter = bus_meter_end();
    assert_int_equal(meter.up, times * trial.count * item);
    assert_int_equal(meter.down, times * trial.count * item);
}

static void test_bus(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    for (int64_t chunks = 1; chunks < 10; chunks += 4) {
        struct multi_trial trial = multi_trial_of(chunks < 5 ? MULTI_PAIRS : MULTI_KEYS, 2003);
        trial.chunks = chunks;
        trial.workspace = PLACE_PINNED;
        cross(trial, 2);
    }
    struct multi_trial trial = multi_trial_of(MULTI_PAIRS, 2003);
    trial.algorithm = "exchange-host";
    if (device_count() > 1)
        cross(trial, 1);
}

static void test_progress_and_cancel(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct multi_trial trial = multi_trial_of(MULTI_PAIRS, 3001);
    trial.in_place = true;
    struct progress_stops stops = multi_trial_stops(&trial);
    assert_true(stops.runs > 1);
    assert_true(stops.whole || device_count() > 1);
}

/* Another thread says stop at any moment, in whichever phase: the run ends soon, with the result or
 * without, and says truly whether the input is whole. */
static void test_cancel_at_any_moment(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct multi_trial trial = multi_trial_of(MULTI_PAIRS, 3001);
    trial.in_place = true;
    struct multi_arrays a = multi_arrays_of(&trial);
    consort_plan *plan = multi_trial_plan(&trial);
    consort_status status = CONSORT_ERROR_CANCELLED;
    uint32_t stopped = 0;
    for (long wait = 0; status != CONSORT_OK; wait += 20 + wait / 3) {
        struct stopper stopper;
        consort_arguments with;
        consort_arguments_init(&with);
        stopper_start(&stopper, wait, &with);
        status = multi_trial_run(&trial, plan, &a, &with);
        stopper_end(&stopper);
        if (status != CONSORT_OK)
            assert_int_equal(status, CONSORT_ERROR_CANCELLED);
        stopped += status != CONSORT_OK;
    }
    print_message("stopped at %u moments\n", stopped);
    assert_true(stopped > 0);
    assert_int_equal(multi_trial_run(&trial, plan, &a, NULL), CONSORT_OK);
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
        trials[t] = multi_trial_of((enum multi_kind)(t % MULTI_KINDS), 2000 + 100 * t);
    }
    multi_trials_together(trials, THREADS);
}

struct turn {
    struct multi_trial trial;
    struct multi_arrays arrays;
    consort_plan *plan;
};

static void *run_in_turn(void *context)
{
    struct turn *turn = context;
    assert_int_equal(multi_trial_run(&turn->trial, turn->plan, &turn->arrays, NULL), CONSORT_OK);
    return NULL;
}

/* Runs that take half of what is free do so one after the other: two that see the same memory would
 * leave nothing to a third. */
static void test_memory_is_taken_in_turns(void **state)
{
    (void)state;
    struct turn turns[FEW_THREADS];
    consort_context *context = test_threads_context();
    for (uint64_t t = 0; t < FEW_THREADS; t++) {
        turns[t].trial = multi_trial_of(MULTI_KEYS, 500 + t);
        turns[t].trial.context = context;
        turns[t].arrays = multi_arrays_of(&turns[t].trial);
        turns[t].plan = multi_trial_plan(&turns[t].trial);
        assert_non_null(turns[t].plan);
    }
    memory_turns_begin();
    test_threads_run(FEW_THREADS, run_in_turn, turns, sizeof *turns);
    const uint32_t most = memory_turns_end();
    for (uint64_t t = 0; t < FEW_THREADS; t++) {
        consort_plan_destroy(turns[t].plan);
        multi_arrays_free(&turns[t].arrays);
    }
    consort_context_destroy(context);
    assert_in_range(most, 1, device_count());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device_info),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_bus),
        cmocka_unit_test(test_progress_and_cancel),
        cmocka_unit_test(test_cancel_at_any_moment),
        cmocka_unit_test(test_ten_threads),
        cmocka_unit_test(test_memory_is_taken_in_turns),
    };
    if (device_count() == 0) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
