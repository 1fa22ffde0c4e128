/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long segments in device memory against the CPU engine on the same bytes: those that a block sorts
 * and those that are partitioned first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cuda/driver/driver.h"
#include "device_array.h"
#include "segmented_trial.h"
#include "support/number_types.h"

static const uint64_t masks[] = {UINT64_MAX, 0, 0x00ff00ff00ff00ffu, 0xff000000ff000000u,
                                 0x0101010101010101u};

/* More than a block sorts: partitions, also of what agrees in some digits or all. */
static void test_large_segments(void **state)
{
    (void)state;
    uint64_t seed = 3000;
    for (int t = 0; t < NUMBER_TYPES; t++)
        for (int m = 0; m < 2; m++, seed++)
            segmented_trial(&(struct trial){.type = number_types[t],
                                            .offset_type = CONSORT_U64,
                                            .direction = (int32_t)(seed % 2),
                                            .shape = seed % 4 < 2 ? SHAPE_ONE_HUGE : SHAPE_EQUAL,
                                            .length = 17001,
                                            .count = 34011,
                                            .value_bytes = {m ? 4 << seed % 3 : 0},
                                            .in_place = seed % 3 == 0,
                                            .form = seed % 3 == 1 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                  : CONSORT_FORM_COPY,
                                            .mask = masks[(seed + (uint64_t)t) % 5],
                                            .seed = seed});
}

static void test_large_in_other_ways(void **state)
{
    (void)state;
    for (uint64_t seed = 4000; seed < 4008; seed++)
        segmented_trial(
            &(struct trial){.type = number_types[seed % NUMBER_TYPES],
                            .offset_type = CONSORT_U32,
                            .shape = SHAPE_ONE_HUGE,
                            .count = 150000,
                            .value_bytes = {seed % 2 ? 5 : 0, seed % 4 == 1 ? 8 : 0},
                            .form = seed % 3 ? CONSORT_FORM_DOUBLE_BUFFER : CONSORT_FORM_COPY,
                            .captured = seed % 4 == 0,
                            .mask = masks[seed % 5],
                            .seed = seed});
}

/* Keys alone in blocks, which take bins: all of them in few bins, equal, or spread. */
static void test_long_leaves(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U32, CONSORT_I64, CONSORT_F32, CONSORT_U64};
    static const uint64_t lengths[] = {2050, 4096, 4097, 8193, 10752, 10753, 16384};
    static const uint64_t crowded[] = {UINT64_MAX, 0x800003ff800003ffu, 0, 0xff000000ff000003u};
    uint64_t seed = 9900;
    for (int t = 0; t < 4; t++)
        for (int l = 0; l < 7; l++, seed++)
            segmented_trial(&(struct trial){.type = types[t],
                                            .offset_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                                            .direction = (int32_t)(seed / 2 % 2),
                                            .shape = SHAPE_EQUAL,
                                            .length = lengths[l],
                                            .count = lengths[l] * (l == 4 ? 6 : 2) + 33,
                                            .in_place = seed % 3 == 0,
                                            .mask = crowded[(unsigned)(t + l) % 4],
                                            .outliers = seed % 5 == 0 ? lengths[l] / 3 : 0,
                                            .seed = seed});
}

/* Beside very many equal keys so few others, in one digit or another, that their leaves have no
 * room for a link. */
static void test_few_beside_many(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U16, CONSORT_F32, CONSORT_I16,
                                         CONSORT_U32, CONSORT_U64, CONSORT_U128};
    static const uint64_t others[] = {UINT64_MAX, 0x01ff01ff01ff01ffu, 0x010100ff010100ffu,
                                      0x000001ff000001ffu};
    for (uint64_t seed = 9820; seed < 9868; seed++)
        segmented_trial(
            &(struct trial){.type = types[seed % 6],
                            .offset_type = CONSORT_U32,
                            .direction = (int32_t)(seed / 6 % 2),
                            .shape = SHAPE_ONE_HUGE,
                            .count = 40000,
                            .value_bytes = {seed % 4 == 1   ? 4 << seed % 3
                                            : seed % 4 == 3 ? 5
                                                            : 0},
                            .in_place = seed % 5 == 0,
                            .form = seed % 5 == 1 ? CONSORT_FORM_DOUBLE_BUFFER : CONSORT_FORM_COPY,
                            .mask = 0,
                            .outliers = 3001 + seed % 7 * 3001,
                            .other = others[seed / 3 % 4],
                            .seed = seed});
}

/* Digits that fill a leaf, and between them too few for a link: there is not room for all of them
 * alone. With these seeds, plans are for no more than the list. */
static void test_few_between_full_leaves(void **state)
{
    (void)state;
    static const struct {
        consort_type type;
        uint64_t value_bytes, crowd, others, length, segments;
    } lists[] = {
        {CONSORT_U32, 4, 1024, 1, 110800, 1}, {CONSORT_U32, 4, 1024, 1, 131200, 3},
        {CONSORT_U8, 4, 1024, 14, 132864, 1}, {CONSORT_U16, 8, 1024, 6, 131840, 1},
        {CONSORT_U16, 0, 2048, 1, 262272, 1}, {CONSORT_U32, 0, 10752, 1, 21507, 8},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        segmented_trial(&(struct trial){.type = lists[i].type,
                                        .offset_type = CONSORT_U32,
                                        .shape = SHAPE_EQUAL,
                                        .length = lists[i].length,
                                        .count = lists[i].length * lists[i].segments,
                                        .value_bytes = {lists[i].value_bytes},
                                        .mask = UINT64_MAX,
                                        .crowd = lists[i].crowd,
                                        .others = lists[i].others,
                                        .seed = 9234 + i});
}

/* Several blocks count and move one segment. */
static void test_buckets_of_several_units(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U64, CONSORT_U128, CONSORT_U32};
    static const uint64_t counts[] = {270000, 360000, 370000};
    for (uint64_t seed = 9800; seed < 9803; seed++)
        segmented_trial(&(struct trial){.type = types[seed - 9800],
                                        .offset_type = CONSORT_U64,
                                        .shape = SHAPE_ONE_HUGE,
                                        .count = counts[seed - 9800],
                                        .value_bytes = {seed % 2 ? 4 : 0},
                                        .mask = UINT64_MAX,
                                        .seed = seed});
}

/* One key more than whole tiles for each unit, where there is room for so many units and no more.
 */
static void test_units_of_whole_tiles(void **state)
{
    (void)state;
    segmented_trial(&(struct trial){.type = CONSORT_U32,
                                    .offset_type = CONSORT_U64,
                                    .shape = SHAPE_EQUAL,
                                    .length = 262145,
                                    .count = 262145,
                                    .mask = UINT64_MAX,
                                    .seed = 9806});
}

/* Room for so many segments that their numbers take 64 bits. */
static void test_wide_numbers(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U8, CONSORT_U32, CONSORT_U64};
    for (uint64_t seed = 9870; seed < 9876; seed++)
        segmented_trial(&(struct trial){.type = types[seed % 3],
                                        .offset_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                                        .shape = SHAPE_STEPS,
                                        .count = 36000,
                                        .value_bytes = {seed < 9873 ? 0 : 4},
                                        .mask = UINT64_MAX,
                                        .room = (uint64_t)1 << 32,
                                        .seed = seed});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_leaves),
        cmocka_unit_test(test_large_segments),
        cmocka_unit_test(test_large_in_other_ways),
        cmocka_unit_test(test_few_beside_many),
        cmocka_unit_test(test_few_between_full_leaves),
        cmocka_unit_test(test_buckets_of_several_units),
        cmocka_unit_test(test_units_of_whole_tiles),
        cmocka_unit_test(test_wide_numbers),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
