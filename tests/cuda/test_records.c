/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of records and byte strings in the memory of several GPUs, of however many there are: keys
 * of one window and of many, disorders that the first window leaves, columns, parts of every mix
 * of lengths, little memory, progress, cancelling, threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/device.h"
#include "spread_repeat.h"
#include "stopper.h"
#include "support/random.h"
#include "tenants.h"
#include "trial_share.h"

enum {
    THREADS = 10,
    MIXED = 40, /* trials of mixed kinds */
    MIXES = 10, /* of free memory */
    WINDOWS = 0 /* place of a counter */
};

/* Unaligned fields; of one window, of one that is full, and of several. */
static const consort_field narrow[] = {
    {.offset = 8, .type = CONSORT_U32, .direction = CONSORT_DESCENDING},
    {.offset = 1, .type = CONSORT_U16}};
static const consort_field full[] = {{.offset = 3, .type = CONSORT_F64},
                                     {.offset = 13, .type = CONSORT_I64}};
static const consort_field wide[] = {{.offset = 2, .type = CONSORT_U128},
                                     {.offset = 19, .type = CONSORT_F32, .float_order = 3},
                                     {.offset = 24, .type = CONSORT_I64}};

static const struct {
    const consort_field *fields;
    uint32_t count;
    uint64_t bytes;
} records[] = {{narrow, 2, 12}, {full, 2, 21}, {wide, 3, 40}};

static const uint64_t strings[] = {1, 3, 4, 5, 8, 16, 17, 32, 40, 100};

static struct spread_trial trial_of(enum spread_kind kind, uint64_t count)
{
    struct spread_trial trial = {.kind = kind,
                                 .distribution = distribution_find("uniform"),
                                 .letters = 3,
                                 .parts = spread_usual_parts(),
                                 .seed = count + 1,
                                 .ranges = 2,
                                 .algorithm = "exchange-records"};
    for (uint32_t p = 0; p < trial.parts; p++)
        trial.counts[p] = count;
    return trial;
}

static void choose_record(struct spread_trial *trial, uint64_t number)
{
    trial->fields = records[number].fields;
    trial->field_count = records[number].count;
    trial->record_bytes = records[number].bytes;
}

/* Items of every mix of lengths and letters: many equal, all equal, none. */
static void test_mixed(void **state)
{
    (void)state;
    uint64_t random = 20261122;
    for (int i = 0; i < MIXED; i++) {
        struct spread_trial trial =
            trial_of((enum spread_kind)random_below(&random, SPREAD_KINDS), 0);
        uint64_t item = random_below(&random, 13);
        if (item < 3)
            choose_record(&trial, item);
        else
            trial.type = consort_type_bytes(strings[item - 3]);
        uint64_t bytes = item < 3 ? trial.record_bytes : strings[item - 3];
        trial.parts = 1 + (uint32_t)random_below(&random, spread_most_parts());
        for (uint32_t p = 0; p < trial.parts; p++)
            trial.counts[p] = random_below(&random, 3) * random_below(&random, 700);
        trial.seed = random_next(&random);
        trial.letters = 1 + (uint32_t)random_below(&random, 3);
        trial.alike = random_below(&random, bytes);
        trial.direction = (int32_t)random_below(&random, 2);
        trial.index_type = random_below(&random, 2) ? CONSORT_U32 : CONSORT_U64;
        trial.ranges = (int64_t)random_below(&random, 4);
        trial.in_place = random_below(&random, 2);
        if (trial_share_takes_next())
            spread_trial_try(&trial);
    }
}

/* One window is enough if it leaves no disorder, whatever the length of the keys. */
static void test_windows(void **state)
{
    (void)state;
    for (int kind = SPREAD_KEYS; kind < SPREAD_KINDS; kind++) {
        struct spread_trial trial = trial_of((enum spread_kind)kind, 900);
        bool alone = kind == SPREAD_KEYS || kind == SPREAD_COLUMNS;
        trial.type = consort_type_bytes(48);
        trial.letters = 256;
        spread_trial_try(&trial);
        assert_int_equal(trial.outcome.counters[WINDOWS], 1);
        trial.alike = 32;
        trial.in_place = alone;
        spread_trial_try(&trial);
        assert_int_equal(trial.outcome.counters[WINDOWS], 4);
        trial.letters = 1; /* all equal: nothing to tell apart */
        spread_trial_try(&trial);
        assert_int_equal(trial.outcome.counters[WINDOWS], 1);
    }
}

/* Numbers, too: NumPy's floats, whose equal keys are not the same bytes, and plain ones. */
static void test_numbers(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U8, CONSORT_I32, CONSORT_F64, CONSORT_U128};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int32_t order = 0; order < 4; order++) {
            struct spread_trial trial = trial_of(SPREAD_PAIRS, 500);
            trial.type = types[i];
            trial.float_order = order;
            trial.letters = 0;
            trial.distribution = distribution_find(types[i] == CONSORT_F64 ? "nans" : "few-unique");
            spread_trial_try(&trial);
        }
}

/* Only the edge between two parts is out of order after the first window. */
static void test_edges(void **state)
{
    (void)state;
    for (uint64_t count = 1; count < 4; count++) {
        struct spread_trial trial = trial_of(SPREAD_ARGSORT, count);
        trial.type = consort_type_bytes(33);
        trial.alike = 16;
        trial.letters = 200;
        for (trial.seed = 1; trial.seed < 8; trial.seed++)
            if (trial_share_takes_next())
                spread_trial_try(&trial);
    }
}

/* Whatever others hold of each GPU's memory: the result, or an error that names a GPU and leaves
 * the input whole. */
static void test_mixes_of_free_memory(void **state)
{
    (void)state;
    uint64_t memory = device_describe(0)->memory, random = 5, sorted = 0, refused = 0;
    if (memory > (uint64_t)16 << 20 || !trial_share_takes_test())
        skip();
    for (int i = 0; i < MIXES; i++) {
        struct tenants tenants;
        struct spread_parts parts;
        struct spread_trial trial = trial_of((enum spread_kind)(i % SPREAD_KINDS), memory / 1300);
        trial.type = consort_type_bytes(20);
        trial.alike = 16;
        trial.in_place = true;
        struct spread_data data = spread_data_of(&trial);
        spread_parts_make(&parts, &trial, &data);
        consort_plan *plan = spread_trial_plan(&trial);
        assert_non_null(plan);
        tenants_come(&tenants, i % 2 ? 15 : 8, &random);
        consort_status status = spread_trial_run(&trial, plan, &parts, NULL);
        tenants_go(&tenants);
        if (status != CONSORT_OK) {
            assert_int_equal(status, CONSORT_ERROR_DEVICE_MEMORY);
            assert_non_null(strstr(consort_last_error()->message, "GPU "));
        }
        bool whole = status != CONSORT_OK && consort_last_error()->input_whole;
        assert_true(whole || status == CONSORT_OK);
        spread_trial_check(&trial, &data, &parts, status == CONSORT_OK, whole);
        *(status == CONSORT_OK ? &sorted : &refused) += 1;
        consort_plan_destroy(plan);
        spread_parts_free(&parts, &trial);
        spread_data_free(&data);
    }
    print_message("%llu sorted, %llu refused\n", (unsigned long long)sorted,
                  (unsigned long long)refused);
    assert_true(sorted > 0 && refused > 0);
}

static void test_progress_and_cancel(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct spread_trial trial = trial_of(SPREAD_PAIRS, 400);
    trial.type = consort_type_bytes(40);
    trial.alike = 17;
    trial.in_place = true;
    struct spread_data data = spread_data_of(&trial);
    consort_plan *plan = spread_trial_plan(&trial);
    struct progress_stops stops = spread_trial_stops(&trial, plan, &data, 40);
    assert_true(stops.whole && stops.broken);
    consort_plan_destroy(plan);
    spread_data_free(&data);
}

/* Another thread says stop at any moment. */
static void test_cancel_at_any_moment(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct spread_trial trial = trial_of(SPREAD_PAIRS, 300);
    trial.type = consort_type_bytes(40);
    trial.alike = 17;
    trial.in_place = true;
    struct spread_data data = spread_data_of(&trial);
    consort_plan *plan = spread_trial_plan(&trial);
    consort_status status = CONSORT_ERROR_CANCELLED;
    for (long wait = 0; status != CONSORT_OK; wait += 100 + wait / 2) {
        struct stopper stopper;
        struct spread_parts parts;
        consort_arguments with;
        consort_arguments_init(&with);
        spread_parts_make(&parts, &trial, &data);
        stopper_start(&stopper, wait, &with);
        status = spread_trial_run(&trial, plan, &parts, &with);
        stopper_end(&stopper);
        if (status != CONSORT_OK)
            assert_int_equal(status, CONSORT_ERROR_CANCELLED);
        bool stands = status != CONSORT_OK && consort_last_error()->input_whole;
        spread_trial_check(&trial, &data, &parts, status == CONSORT_OK, stands);
        spread_parts_free(&parts, &trial);
    }
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
        trials[t] = trial_of((enum spread_kind)(t % SPREAD_KINDS), 100 + 20 * t);
        choose_record(&trials[t], t % 3);
    }
    spread_trials_together(trials, THREADS);
}

static int32_t backwards(void *none, const void *a, const void *b)
{
    (void)none;
    return *(const unsigned char *)b - *(const unsigned char *)a;
}

/* The planner sends what is no number here, and numbers elsewhere; comparisons nowhere. */
static void test_planner(void **state)
{
    (void)state;
    static const int32_t devices[1] = {0};
    consort_descriptor descriptor;
    consort_plan *plan;
    consort_plan_info info;
    consort_descriptor_init(&descriptor);
    consort_plan_info_init(&info);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.memory = CONSORT_MEMORY_SPREAD;
    descriptor.devices = devices;
    descriptor.device_count = 1;
    descriptor.maximum_count = 1 << 20;
    for (int i = 0; i < 2; i++) {
        descriptor.type = i ? CONSORT_U32 : consort_type_bytes(12);
        assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_OK);
        assert_int_equal(consort_plan_get_info(plan, &info), CONSORT_OK);
        assert_string_equal(info.algorithm, i ? "exchange" : "exchange-records");
        consort_plan_destroy(plan);
    }
    descriptor.type = CONSORT_CALLBACK;
    descriptor.record_bytes = 4;
    descriptor.compare = backwards;
    assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_ERROR_UNSUPPORTED);
}

static void test_arrays_of_the_host(void **state)
{
    (void)state;
    struct spread_trial trial = trial_of(SPREAD_KEYS, 64);
    trial.type = consort_type_bytes(20);
    struct spread_data data = spread_data_of(&trial);
    struct spread_parts parts;
    spread_parts_make(&parts, &trial, &data);
    const consort_part good = parts.parts[1];
    parts.parts[1].in = data.keys;
    assert_int_equal(consort_sort_spread(parts.parts, trial.parts, 0, trial.type, NULL),
                     CONSORT_ERROR_ARGUMENT);
    parts.parts[1] = good;
    assert_int_equal(consort_sort_spread(parts.parts, trial.parts, 0, trial.type, NULL),
                     CONSORT_OK);
    spread_trial_check(&trial, &data, &parts, true, true);
    spread_parts_free(&parts, &trial);
    spread_data_free(&data);
}

/* A run that is refused has touched nothing, of the parts before the wrong one either. */
static void test_indices_of_the_host(void **state)
{
    (void)state;
    struct spread_trial trial = trial_of(SPREAD_ARGSORT, 64);
    unsigned char indices[64 * sizeof(uint32_t)], untouched[sizeof indices];
    trial.type = consort_type_bytes(20);
    struct spread_data data = spread_data_of(&trial);
    struct spread_parts parts;
    spread_parts_make(&parts, &trial, &data);
    void *good = parts.parts[1].indices;
    parts.parts[1].indices = data.sorted;
    assert_int_equal(
        consort_argsort_spread(parts.parts, trial.parts, CONSORT_U32, trial.type, NULL),
        CONSORT_ERROR_ARGUMENT);
    parts.parts[1].indices = good;
    const CUdeviceptr first = (CUdeviceptr)(uintptr_t)parts.parts[0].indices;
    const struct device *device = device_open(spread_device(0));
    assert_int_equal(device_enter(device), CONSORT_OK);
    assert_int_equal(driver_get()->cuMemcpyDtoH(indices, first, sizeof indices), CUDA_SUCCESS);
    device_leave(device);
    memset(untouched, 0xa5, sizeof untouched);
    assert_memory_equal(indices, untouched, sizeof indices);
    spread_parts_free(&parts, &trial);
    spread_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planner),
        cmocka_unit_test(test_arrays_of_the_host),
        cmocka_unit_test(test_indices_of_the_host),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_mixes_of_free_memory),
        cmocka_unit_test(test_progress_and_cancel),
        cmocka_unit_test(test_cancel_at_any_moment),
        cmocka_unit_test(test_ten_threads),
    };
    if (device_count() == 0) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
