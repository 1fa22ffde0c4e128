/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segments of narrow keys alone in device memory against the CPU engine on the same bytes: at any
 * address, of every length at which another kernel takes over; long ones of single bytes, which are
 * counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cuda/driver/driver.h"
#include "device_array.h"
#include "segmented_trial.h"

static const uint64_t masks[] = {UINT64_MAX, 0, 0x00ff00ff00ff00ffu, 0xff000000ff000000u,
                                 0x0101010101010101u};

/* Of every kernel for short segments the shortest and the longest, which begin anywhere. */
static void test_narrow_lengths(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {7, 32, 33, 63, 64, 65, 127, 129, 255, 256, 257, 511, 513};
    static const consort_type types[] = {CONSORT_U8, CONSORT_I8, CONSORT_BF16, CONSORT_F16};
    uint64_t seed = 8600;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (int t = 0; t < 4; t++, seed++)
            segmented_trial(&(struct trial){.type = types[t],
                                            .offset_type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                                            .direction = (int32_t)(seed / 2 % 2),
                                            .shape = seed % 3 ? SHAPE_EQUAL : SHAPE_GAPS,
                                            .length = lengths[i],
                                            .count = 3000 + 4 * lengths[i],
                                            .in_place = seed % 5 == 0,
                                            .key_shift = t < 2 ? seed % 16 : seed % 8 * 2,
                                            .mask = masks[seed % 5],
                                            .outliers = seed % 7 == 0 ? lengths[i] : 0,
                                            .seed = seed});
}

/* Single bytes that a block counts: spread, of a few codes, all equal, or all but a few, at any
 * address; the lengths at which blocks take over, and those that were classes of networks. */
static void test_bytes(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {1023, 1024, 1025, 1040, 2049, 4096, 9999, 16384, 16385};
    static const uint64_t keys[] = {UINT64_MAX, 0x8181818181818181u, 0, 0, 0x0f0f0f0f0f0f0f0fu};
    uint64_t seed = 9500;
    for (int l = 0; l < 9; l++)
        for (int k = 0; k < 5; k++, seed++)
            segmented_trial(&(struct trial){.type = seed % 2 ? CONSORT_U8 : CONSORT_I8,
                                            .offset_type = seed % 3 ? CONSORT_U32 : CONSORT_U64,
                                            .direction = (int32_t)(seed / 2 % 2),
                                            .form = seed % 4 == 3 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                  : CONSORT_FORM_COPY,
                                            .shape = seed % 5 == 2 ? SHAPE_GAPS : SHAPE_EQUAL,
                                            .length = lengths[l],
                                            .count = lengths[l] * 5 / 2 + seed % 16,
                                            .in_place = seed % 4 == 1,
                                            .captured = seed % 4 == 0,
                                            .key_shift = seed % 16,
                                            .mask = keys[k],
                                            .outliers = k == 3 ? 300 : 0,
                                            .seed = seed});
}

/* Single bytes that several blocks count and write; two such segments, and smaller ones around. */
static void test_bytes_of_several_units(void **state)
{
    (void)state;
    static const enum shape shapes[] = {SHAPE_ONE_HUGE, SHAPE_EQUAL, SHAPE_ONE_HUGE, SHAPE_EQUAL};
    static const uint64_t counts[] = {360000, 230000, 350000, 200000};
    static const uint64_t lengths[] = {0, 65537, 0, 65535};
    for (uint64_t seed = 9700; seed < 9704; seed++)
        segmented_trial(&(struct trial){.type = seed % 2 ? CONSORT_I8 : CONSORT_U8,
                                        .offset_type = CONSORT_U64,
                                        .direction = (int32_t)(seed / 2 % 2),
                                        .shape = shapes[seed - 9700],
                                        .length = lengths[seed - 9700],
                                        .count = counts[seed - 9700],
                                        .in_place = seed == 9701,
                                        .key_shift = seed - 9699,
                                        .mask = seed == 9702 ? 0 : UINT64_MAX,
                                        .outliers = seed == 9702 ? 100000 : 0,
                                        .seed = seed});
}

/* Keys of 16 bits that are partitioned, by one block or several, also where their highest byte, or
 * all, agree. */
static void test_large_of_two_bytes(void **state)
{
    (void)state;
    static const consort_type types[] = {CONSORT_U16, CONSORT_F16, CONSORT_BF16, CONSORT_I16};
    static const uint64_t lengths[] = {16384, 16385, 40001};
    uint64_t seed = 9900;
    for (int t = 0; t < 4; t++)
        for (int l = 0; l < 4; l++, seed++)
            segmented_trial(&(struct trial){.type = types[t],
                                            .offset_type = CONSORT_U32,
                                            .direction = (int32_t)(seed / 3 % 2),
                                            .form = seed % 5 == 3 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                  : CONSORT_FORM_COPY,
                                            .shape = l < 3 ? SHAPE_EQUAL : SHAPE_ONE_HUGE,
                                            .length = lengths[l % 3],
                                            .count = l < 3 ? 2 * lengths[l] + 77 : 360000,
                                            .in_place = seed % 5 == 1,
                                            .key_shift = seed % 8 * 2,
                                            .mask = masks[l < 3 ? (t + l) % 5 : 0],
                                            .outliers = seed % 3 == 0 ? 5000 : 0,
                                            .seed = seed});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_narrow_lengths),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_bytes_of_several_units),
        cmocka_unit_test(test_large_of_two_bytes),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
