/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first disorder of an array in device or host memory: every type, order, length and place of
 * the disorder, against the CPU engine. Runs on the emulator and on a GPU alike.
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
#include "device_run.h"
#include "support/number_types.h"
#include "support/random.h"
#include "trial_share.h"

struct trial {
    consort_type type;
    int32_t direction;
    int32_t float_order;
    uint64_t count;
    uint64_t mask;  /* and-ed to each 8 bytes: keys that repeat */
    int swaps;      /* disorders made in sorted keys; −1: keys in random order */
    uint64_t shift; /* bytes from an aligned address */
    uint64_t seed;
};

static consort_options options_of(const struct trial *trial, int32_t engine)
{
    return device_run_options(engine, trial->direction, trial->float_order);
}

static unsigned char *make_keys(const struct trial *trial, uint64_t bytes)
{
    uint64_t seed = trial->seed, size = consort_type_size(trial->type);
    unsigned char *keys = aligned_alloc(64, (bytes + 64) / 64 * 64);
    random_words(&seed, keys, bytes, trial->mask);
    if (trial->swaps < 0)
        return keys;
    consort_options options = options_of(trial, CONSORT_ENGINE_CPU);
    assert_int_equal(consort_sort(keys, keys, trial->count, trial->type, &options), CONSORT_OK);
    for (int i = 0; i < trial->swaps && trial->count > 1; i++) {
        unsigned char item[16];
        uint64_t a = random_below(&seed, trial->count), b = random_below(&seed, trial->count);
        memcpy(item, keys + a * size, size);
        memcpy(keys + a * size, keys + b * size, size);
        memcpy(keys + b * size, item, size);
    }
    return keys;
}

static uint64_t disorder_on_device(const struct trial *trial, const void *keys, uint64_t bytes)
{
    consort_options options = options_of(trial, CONSORT_ENGINE_CUDA);
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_IS_SORTED;
    descriptor.type = trial->type;
    descriptor.maximum_count = trial->count + device_run_room(trial->count);
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.options = &options;
    consort_plan *plan = device_run_plan(&descriptor);
    void *there = device_array_new(keys, bytes, trial->shift);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    void *outcome = device_array_new(&(consort_outcome){.status = -1}, sizeof(consort_outcome), 0);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = trial->count;
    arguments.in = there;
    arguments.outcome = outcome;
    if (consort_plan_run(plan, &arguments, workspace, consort_plan_workspace(plan), NULL) !=
        CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    assert_int_equal(driver_get()->cuCtxSynchronize(), CUDA_SUCCESS);
    consort_outcome told;
    device_array_read(&told, outcome, sizeof told);
    assert_int_equal(told.status, CONSORT_OK);
    device_array_free(outcome, 0);
    device_array_free(workspace, 0);
    device_array_free(there, trial->shift);
    consort_plan_destroy(plan);
    return told.position;
}

static void try_one(const struct trial *trial)
{
    if (!trial_share_takes_next())
        return;
    uint64_t bytes = trial->count * consort_type_size(trial->type);
    unsigned char *keys = make_keys(trial, bytes);
    consort_options cpu = options_of(trial, CONSORT_ENGINE_CPU);
    consort_options gpu = options_of(trial, CONSORT_ENGINE_CUDA);
    uint64_t expected, staged, found = disorder_on_device(trial, keys, bytes);
    assert_int_equal(consort_is_sorted(keys, trial->count, trial->type, &cpu, &expected),
                     CONSORT_OK);
    assert_int_equal(consort_is_sorted(keys, trial->count, trial->type, &gpu, &staged), CONSORT_OK);
    if (found != expected || staged != expected)
        fail_msg("device %llu, staged %llu, expected %llu: type 0x%x, direction %d, float order "
                 "%d, count %llu, swaps %d, seed %llu",
                 (unsigned long long)found, (unsigned long long)staged,
                 (unsigned long long)expected, (unsigned)trial->type, trial->direction,
                 trial->float_order, (unsigned long long)trial->count, trial->swaps,
                 (unsigned long long)trial->seed);
    free(keys);
}

static const uint64_t masks[] = {UINT64_MAX, 0, 0x80007c0080007c01u, 0xff000000ff000000u};

static void test_lengths_and_places(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 3, 31, 33, 127, 1024, 4097, 16384, 40003};
    uint64_t seed = 1;
    for (int t = 0; t < NUMBER_TYPES; t++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++, seed++)
            try_one(&(struct trial){.type = number_types[t],
                                    .direction = (int32_t)(seed % 2),
                                    .float_order = (int32_t)(seed % 4),
                                    .count = counts[c],
                                    .mask = masks[seed % 3 % 4],
                                    .swaps = (int)(seed % 5) / 2 - (seed % 7 == 0),
                                    .shift = seed % 3 * consort_type_size(number_types[t]),
                                    .seed = seed});
}

static void test_every_place(void **state)
{
    (void)state;
    uint32_t keys[700];
    for (uint32_t place = 1; place < 700; place += 1 + place / 40) {
        for (uint32_t i = 0; i < 700; i++)
            keys[i] = i < place ? 5 : 4;
        struct trial trial = {.type = CONSORT_U32, .count = 700, .shift = place % 4 * 4};
        assert_true(disorder_on_device(&trial, keys, sizeof keys) == place);
    }
}

static void test_byte_strings(void **state)
{
    (void)state;
    for (uint64_t seed = 500; seed < 520; seed++)
        try_one(&(struct trial){.type = consort_type_bytes(1u << seed % 5),
                                .direction = (int32_t)(seed % 2),
                                .count = 50 + seed * 31 % 3000,
                                .mask = masks[seed % 4],
                                .swaps = (int)(seed % 2),
                                .shift = seed % 16,
                                .seed = seed});
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    for (uint64_t seed = 900; seed < 900 + 2 * NUMBER_TYPES; seed++)
        try_one(&(struct trial){.type = number_types[seed % NUMBER_TYPES],
                                .float_order = (int32_t)(seed % 4),
                                .count = 5000011,
                                .mask = masks[seed % 4],
                                .swaps = (int)(seed % 3),
                                .seed = seed});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths_and_places),
        cmocka_unit_test(test_every_place),
        cmocka_unit_test(test_byte_strings),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
