/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segmented sorts in device memory against the CPU engine on the same bytes: mixes of lengths from
 * nothing to larger than a block sorts, every type, direction, value size, form and offset type,
 * and offsets that are wrong. Runs on the emulator and on a GPU alike; CONSORT_TEST_LARGE=1 adds
 * sizes that only a GPU sorts in reasonable time. Long segments: test_device_segmented_long.c;
 * narrow keys: test_device_segmented_narrow.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/driver.h"
#include "device_array.h"
#include "segmented_trial.h"
#include "support/number_types.h"

static const uint64_t masks[] = {UINT64_MAX, 0, 0x00ff00ff00ff00ffu, 0xff000000ff000000u,
                                 0x0101010101010101u};

static void test_lengths(void **state)
{
    (void)state;
    /* 42 to 58: lanes have one item more than a smaller network sorts. */
    static const uint64_t lengths[] = {0,  1,  2,   3,   4,   5,    8,    9,   10, 16,
                                       17, 18, 19,  20,  31,  32,   33,   42,  44, 52,
                                       58, 64, 100, 128, 513, 1000, 1024, 1025};
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++, seed++)
        for (int wide = 0; wide < 2; wide++)
            segmented_trial(&(struct trial){.type = wide ? CONSORT_U64 : CONSORT_U32,
                                            .offset_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                                            .direction = (int32_t)(seed % 2),
                                            .shape = SHAPE_EQUAL,
                                            .length = lengths[i],
                                            .count = 4000,
                                            .value_bytes = {seed % 3 ? 0 : 4},
                                            .in_place = seed % 3 == 0,
                                            .mask = UINT64_MAX,
                                            .seed = seed});
}

/* More tiles than warps, some of 128 segments that go together and some that do not; tiny ones
 * between larger ones; lists of several pages, which several blocks fill. */
static void test_many_short(void **state)
{
    (void)state;
    static const struct trial trials[] = {
        {.type = CONSORT_U32, .shape = SHAPE_GAPS, .length = 24, .count = 150000},
        {.type = CONSORT_U32,
         .shape = SHAPE_GAPS,
         .length = 24,
         .count = 150000,
         .value_bytes = {4}},
        {.type = CONSORT_U32, .shape = SHAPE_GAPS, .length = 40, .count = 330000},
        {.type = CONSORT_F64,
         .shape = SHAPE_GAPS,
         .length = 40,
         .count = 40000,
         .value_bytes = {8}},
        {.type = CONSORT_U32, .shape = SHAPE_EQUAL, .length = 2, .count = 140000},
        {.type = CONSORT_U32, .shape = SHAPE_ALTERNATE, .length = 34, .count = 51000},
        {.type = CONSORT_U32,
         .shape = SHAPE_ALTERNATE,
         .length = 34,
         .count = 51000,
         .value_bytes = {4}},
    };
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        struct trial trial = trials[i];
        trial.offset_type = CONSORT_U32;
        trial.mask = UINT64_MAX;
        trial.seed = 9000 + i;
        segmented_trial(&trial);
    }
}

/* Tiles of short segments: next to each other, or with longer ones between; of keys that their tags
 * tell apart, or not. */
static void test_short_among_longer(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U32, CONSORT_F64, CONSORT_U8, CONSORT_U128};
    static const uint64_t values[] = {4, 0, 8, 16, 8, 5};
    static const uint64_t lengths[] = {26, 60, 129, 600, 20};
    static const uint64_t keys[] = {UINT64_MAX, 0x8000000f8000000fu, 0x80000000000003ffu};
    uint64_t seed = 9600;
    for (int t = 0; t < 4; t++)
        for (int l = 0; l < 5; l++, seed++)
            segmented_trial(&(struct trial){.type = types[t],
                                            .offset_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                                            .direction = (int32_t)(seed / 2 % 2),
                                            .shape = l < 4 ? SHAPE_GAPS : SHAPE_FULL_TILE,
                                            .length = lengths[l],
                                            .count = 4000 + 10 * lengths[l],
                                            .value_bytes = {t == 1 ? 0 : values[seed % 6]},
                                            .in_place = seed % 3 == 0,
                                            .shift = seed % 4,
                                            .mask = keys[(seed + (uint64_t)t) % 3],
                                            .seed = seed});
}

/* Codes whose highest bits agree, or agree but for one: of more bits than a word holds, and out of
 * order where it does not tell. */
static void test_crowded_codes(void **state)
{
    (void)state;
    static const consort_type wide[] = {CONSORT_U32, CONSORT_U64, CONSORT_U128, CONSORT_F32};
    static const uint64_t lengths[] = {3, 6, 12, 19, 33, 100, 400, 1500, 5000};
    static const uint64_t crowded[] = {0x8000000f8000000fu, 0xc0000007ffffffffu,
                                       0x80000000000003ffu, 0x8000ffff80000001u};
    uint64_t seed = 9100;
    for (int t = 0; t < 4; t++)
        for (int l = 0; l < 9; l++)
            for (int m = 0; m < 4; m++, seed++)
                segmented_trial(&(struct trial){.type = wide[t],
                                                .offset_type = CONSORT_U32,
                                                .direction = (int32_t)(seed / 3 % 2),
                                                .shape = SHAPE_EQUAL,
                                                .length = lengths[l],
                                                .count = lengths[l] * 3 + 40,
                                                .value_bytes = {4u << seed % 3},
                                                .in_place = seed % 5 == 0,
                                                .mask = crowded[m],
                                                .seed = seed});
}

/* Crowded codes but for a few: a tag leaves these out, which may be the leaf's first. */
static void test_outliers(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U32, CONSORT_I64, CONSORT_U128};
    static const uint64_t lengths[] = {40, 100, 500, 1500, 5000};
    uint64_t seed = 9400;
    for (int t = 0; t < 3; t++)
        for (int l = 0; l < 5; l++)
            for (uint64_t every = 1; every < 4; every++, seed++)
                segmented_trial(
                    &(struct trial){.type = types[t],
                                    .offset_type = CONSORT_U32,
                                    .direction = (int32_t)(seed / 2 % 2),
                                    .shape = SHAPE_EQUAL,
                                    .length = lengths[l],
                                    .count = lengths[l] * 3 + 40,
                                    .value_bytes = {4u << seed % 3},
                                    .mask = seed % 2 ? 0x0000ffff0000ffffu : 0x000fffff000fffffu,
                                    .outliers = lengths[l] * every / 2 + 1,
                                    .seed = seed});
}

/* Nothing but tiny segments, all alike or not where a warp's first lane looks: they are seen. */
static void test_only_tiny(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++)
        segmented_trial(&(struct trial){.type = seed % 3 ? CONSORT_U32 : CONSORT_U64,
                                        .offset_type = CONSORT_U32,
                                        .shape = seed < 3 ? SHAPE_FIRST_EMPTY : SHAPE_EQUAL,
                                        .length = seed < 3 ? 9 : 3,
                                        .count = 3072, /* 1024 of three */
                                        .value_bytes = {seed % 3 == 1 ? 4 : 0},
                                        .seed = 8700 + seed});
}

/* Every length that one thread sorts, and the next: 128 segments at a time, 32, fewer. */
static void test_tiny_lengths(void **state)
{
    (void)state;
    static const consort_type of_width[] = {CONSORT_I8, CONSORT_F16, CONSORT_U32, CONSORT_F64,
                                            CONSORT_U128};
    static const uint64_t values[] = {4, 8, 5, 4, 16};
    /* More than 128 where all of these may go together. */
    static const uint64_t segments[2][5] = {{296, 296, 296, 296, 296}, {168, 168, 168, 168, 40}};
    uint64_t seed = 8000;
    for (uint64_t length = 1; length <= 33; length++)
        for (int t = 0; t < 5; t++)
            for (int way = 0; way < 3; way++, seed++)
                segmented_trial(
                    &(struct trial){.type = of_width[t],
                                    .offset_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                                    .direction = (int32_t)(seed / 2 % 2),
                                    .shape = way == 2 ? SHAPE_ALTERNATE : SHAPE_EQUAL,
                                    .length = length,
                                    .count = length * segments[length > 8][t] + 2,
                                    .value_bytes = {way == 1 ? values[(seed + length) % 5] : 0},
                                    .in_place = seed % 3 == 0,
                                    .shift = seed % 4 * (seed % 5 == 0),
                                    .mask = masks[seed % 5 == 1 ? 4 : 0],
                                    .seed = seed});
}

static void test_types_and_shapes(void **state)
{
    (void)state;
    uint64_t seed = 1000;
    for (int t = 0; t < NUMBER_TYPES; t++)
        for (int shape = SHAPE_STEPS; shape < SHAPE_COUNT; shape++, seed++)
            segmented_trial(&(struct trial){.type = number_types[t],
                                            .offset_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                                            .direction = (int32_t)(seed % 2),
                                            .shape = (enum shape)shape,
                                            .length = 300,
                                            .count = shape == SHAPE_STEPS ? 20000 : 5000,
                                            .in_place = seed % 3 == 0,
                                            .mask = masks[seed % 5],
                                            .seed = seed});
}

static void test_values(void **state)
{
    (void)state;
    static const uint64_t values[][MOST_COLUMNS] = {{4, 0},  {8, 0}, {16, 0}, {1, 0},
                                                    {12, 0}, {4, 8}, {3, 32}};
    uint64_t seed = 2000;
    for (int t = 0; t < NUMBER_TYPES; t++)
        for (int v = 0; v < 7; v++, seed++)
            segmented_trial(&(struct trial){.type = number_types[t],
                                            .offset_type = CONSORT_U32,
                                            .direction = (int32_t)(seed % 2),
                                            .shape = (enum shape)(1 + seed % 4),
                                            .length = 600,
                                            .count = 3000 + seed % 2 * 5000,
                                            .value_bytes = {values[v][0], values[v][1]},
                                            .in_place = seed % 3 == 0,
                                            .shift = seed % 4,
                                            .mask = masks[seed % 5],
                                            .seed = seed});
}

/* Runs, and frees the arrays, to which nothing may have been written. */
static void expect_refused(const struct trial *trial, struct table *t, uint64_t bad)
{
    consort_outcome told = segmented_trial_run(trial, t);
    assert_int_equal(told.status, CONSORT_ERROR_OFFSETS);
    assert_int_equal(told.position, bad);
    for (uint32_t c = 0; c <= t->columns; c++) {
        memset(t->sorted[c], 0xa5, t->bytes[c]);
        segmented_trial_compare(trial, t->device_in[c], t->in[c], t->bytes[c], "inputs", c);
        if (!trial->in_place)
            segmented_trial_compare(trial, t->device_out[c], t->sorted[c], t->bytes[c], "outputs",
                                    c);
    }
    segmented_trial_free(trial, t);
}

static void test_bad_offsets(void **state)
{
    (void)state;
    if (!device_array_is_filled())
        skip();
    for (uint64_t seed = 5000; seed < 5012; seed++) {
        struct trial trial = {.type = seed % 2 ? CONSORT_U32 : CONSORT_F64,
                              .offset_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                              .shape = SHAPE_EQUAL,
                              .length = seed % 3 == 0   ? 9000
                                        : seed % 3 == 1 ? 40
                                                        : 12,
                              .count = 40000,
                              .value_bytes = {seed % 4 == 3   ? 5
                                              : seed % 4 == 2 ? 4
                                                              : 0},
                              .in_place = seed % 5 == 0,
                              .mask = UINT64_MAX,
                              .seed = seed};
        struct table t;
        segmented_trial_make(&trial, &t);
        uint64_t bad = 1 + seed % (t.segments - 1);
        uint64_t wrong = seed % 2 ? trial.count + 1 : t.offsets64[bad] - 1;
        t.offsets64[bad + 1] = wrong;
        t.offsets32[bad + 1] = (uint32_t)wrong;
        expect_refused(&trial, &t, bad);
    }
}

/* Of one length, as tiny ones that need no further look, but all outside of the array, or the first
 * before it. */
static void test_bad_offsets_of_one_length(void **state)
{
    (void)state;
    static const uint64_t moved[] = {4800, (uint64_t)0 - 5};
    if (!device_array_is_filled())
        skip();
    for (uint64_t seed = 5100; seed < 5104; seed++) {
        struct trial trial = {.type = CONSORT_U32,
                              .offset_type = seed / 2 % 2 ? CONSORT_U32 : CONSORT_U64,
                              .shape = SHAPE_EQUAL,
                              .length = 12,
                              .count = 4800,
                              .mask = UINT64_MAX,
                              .seed = seed};
        struct table t;
        segmented_trial_make(&trial, &t);
        for (uint64_t s = 0; s <= t.segments; s++) {
            t.offsets64[s] += moved[seed % 2];
            t.offsets32[s] = (uint32_t)t.offsets64[s];
        }
        expect_refused(&trial, &t, 0);
    }
}

/* The GPU by force on host arrays, and what it does with bad offsets there. */
static void test_host_arrays(void **state)
{
    (void)state;
    for (uint64_t seed = 6000; seed < 6006; seed++) {
        struct trial trial = {.type = number_types[seed % NUMBER_TYPES],
                              .offset_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                              .shape = (enum shape)(seed % SHAPE_COUNT),
                              .length = 50,
                              .count = 3000,
                              .value_bytes = {seed % 3 * 4},
                              .mask = UINT64_MAX,
                              .seed = seed};
        struct table there, here;
        segmented_trial_make(&trial, &there);
        segmented_trial_make(&trial, &here);
        segmented_trial_expect(&trial, &there, CONSORT_ENGINE_CUDA);
        segmented_trial_expect(&trial, &here, CONSORT_ENGINE_CPU);
        for (uint32_t c = 0; c <= here.columns; c++)
            assert_memory_equal(there.sorted[c], here.sorted[c], here.bytes[c]);
        segmented_trial_free(&trial, &there);
        segmented_trial_free(&trial, &here);
    }
}

/* One call, with keys and offsets that the CPU cannot read; there a bad offset is the GPU's to
 * find. */
static void test_arrays_on_the_gpu(void **state)
{
    (void)state;
    uint32_t keys[] = {5, 4, 3, 2, 1, 0}, sorted[6];
    const uint32_t wanted[] = {3, 4, 5, 0, 1, 2};
    uint32_t offsets[] = {0, 3, 6};
    consort_options options;
    consort_options_init(&options);
    for (uint32_t bad = 0; bad < 2; bad++) {
        offsets[1] += 4 * bad;
        void *device_keys = device_array_new(keys, sizeof keys, 0);
        void *device_offsets = device_array_new(offsets, sizeof offsets, 0);
        consort_status status = consort_segmented_sort(device_keys, device_keys, 6, device_offsets,
                                                       CONSORT_U32, 2, NULL, 0, CONSORT_U32, NULL);
        assert_int_equal(status, bad ? CONSORT_ERROR_OFFSETS : CONSORT_OK);
        device_array_read(sorted, device_keys, sizeof sorted);
        assert_memory_equal(sorted, bad ? keys : wanted, sizeof sorted);
        options.engine = CONSORT_ENGINE_CPU;
        assert_int_equal(consort_segmented_sort(keys, sorted, 6, device_offsets, CONSORT_U32, 2,
                                                NULL, 0, CONSORT_U32, &options),
                         CONSORT_ERROR_ARGUMENT);
        device_array_free(device_keys, 0);
        device_array_free(device_offsets, 0);
    }
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    static const uint64_t lengths[] = {7, 30, 700, 9000, 20000, 3000000};
    for (uint64_t seed = 7000; seed < 7000 + 3 * NUMBER_TYPES; seed++)
        segmented_trial(&(struct trial){.type = number_types[seed % NUMBER_TYPES],
                                        .offset_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                                        .shape = (enum shape)(seed % SHAPE_COUNT),
                                        .length = lengths[seed % 6],
                                        .count = 6000017,
                                        .value_bytes = {seed % 4 * 4 == 12 ? 16 : seed % 4 * 4},
                                        .in_place = seed % 2,
                                        .mask = masks[seed % 5],
                                        .captured = seed % 5 == 0,
                                        .seed = seed});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_many_short),
        cmocka_unit_test(test_short_among_longer),
        cmocka_unit_test(test_crowded_codes),
        cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_tiny_lengths),
        cmocka_unit_test(test_only_tiny),
        cmocka_unit_test(test_types_and_shapes),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_bad_offsets),
        cmocka_unit_test(test_bad_offsets_of_one_length),
        cmocka_unit_test(test_host_arrays),
        cmocka_unit_test(test_arrays_on_the_gpu),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
