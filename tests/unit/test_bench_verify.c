/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks that every measured result goes through, against cases written out by hand: what is
 * right must pass, and each kind of damage must be seen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bench_scan.h"
#include "bench_statistics.h"
#include "bench_verify.h"

enum {
    LENGTH = 5
};

static struct bench_view view_of(consort_type type, const void *keys, const uint64_t *tags)
{
    return (struct bench_view){.keys = keys,
                               .values = tags,
                               .key_stride = consort_type_size(type),
                               .value_stride = sizeof *tags,
                               .value_bytes = sizeof *tags,
                               .type = type,
                               .count = LENGTH};
}

static struct bench_findings scan(consort_type type, const void *keys, const uint64_t *tags,
                                  bool zeros_equal)
{
    struct bench_view view = view_of(type, keys, tags);
    struct bench_findings findings;
    bench_verify_scan(&view, zeros_equal, &findings);
    return findings;
}

static uint64_t disorder(consort_type type, const void *keys)
{
    return scan(type, keys, NULL, false).disorder;
}

static void test_orders(void **state)
{
    (void)state;
    const uint8_t u8[] = {0, 1, 127, 128, 255};
    const int8_t i8[] = {-128, -1, 0, 1, 127};
    const int16_t i16[] = {INT16_MIN, -1, 0, 1, INT16_MAX};
    const uint32_t u32[] = {0, 1, 0x7FFFFFFF, 0x80000000, UINT32_MAX};
    const int32_t i32[] = {INT32_MIN, -1, 0, 1, INT32_MAX};
    const int64_t i64[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    const uint64_t u64[] = {0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};
    const double f64[] = {-1.5, -0.0, 0.0, 1e-310, 2};
    assert_int_equal(disorder(CONSORT_U8, u8), LENGTH);
    assert_int_equal(disorder(CONSORT_I8, i8), LENGTH);
    assert_int_equal(disorder(CONSORT_U8, i8), 2);
    assert_int_equal(disorder(CONSORT_I16, i16), LENGTH);
    assert_int_equal(disorder(CONSORT_U32, u32), LENGTH);
    assert_int_equal(disorder(CONSORT_I32, u32), 3);
    assert_int_equal(disorder(CONSORT_I32, i32), LENGTH);
    assert_int_equal(disorder(CONSORT_I64, i64), LENGTH);
    assert_int_equal(disorder(CONSORT_U64, u64), LENGTH);
    assert_int_equal(disorder(CONSORT_F64, f64), LENGTH);
}

/* −Inf, −0, +0, +Inf, then NaNs: positive by payload, then negative by falling payload. */
static void test_nans_are_last(void **state)
{
    (void)state;
    const uint32_t f32[] = {0xFF800000, 0x80000000, 0, 0x7F800000, 0x7F800001};
    const uint32_t nans[] = {0x7F800001, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFC00000, 0xFF800001};
    const uint32_t zeros[] = {0, 0x80000000, 0, 0x80000000, 0};
    const uint16_t f16[] = {0xFC00, 0x8000, 0x7C00, 0x7C01, 0xFC01};
    const uint16_t bf16[] = {0xFF80, 0x8000, 0x7F80, 0x7F81, 0xFF81};
    assert_int_equal(disorder(CONSORT_F32, f32), LENGTH);
    assert_int_equal(disorder(CONSORT_F32, nans), LENGTH);
    assert_int_equal(disorder(CONSORT_F16, f16), LENGTH);
    assert_int_equal(disorder(CONSORT_BF16, bf16), LENGTH);
    assert_int_equal(disorder(CONSORT_F32, zeros), 1);
    assert_int_equal(scan(CONSORT_F32, zeros, NULL, true).disorder, LENGTH);
}

static void test_long_keys(void **state)
{
    (void)state;
    _Alignas(16) const uint64_t u128[] = {9, 0, 0, 1, 1, 1, 0, 1ull << 63, 5, 1ull << 63};
    const char strings[LENGTH][4] = {"a\0\0", "ab\0", "ab\1", "b", "\xFF"};
    assert_int_equal(disorder(CONSORT_U128, u128), LENGTH);
    assert_int_equal(disorder(CONSORT_I128, u128), 3);
    assert_int_equal(disorder(consort_type_bytes(4), strings), LENGTH);
}

static void test_damage_is_seen(void **state)
{
    (void)state;
    const uint32_t keys[] = {1, 2, 2, 2, 7};
    const uint32_t lost[] = {1, 2, 2, 7, 7};
    const uint32_t turned[] = {1, 2, 2, 7, 2};
    const uint64_t tags[] = {3, 0, 1, 4, 2};
    const uint64_t crossed[] = {0, 3, 1, 4, 2};
    const uint64_t unstable[] = {3, 1, 0, 4, 2};
    struct bench_findings good = scan(CONSORT_U32, keys, tags, false);
    assert_int_equal(good.disorder, LENGTH);
    assert_int_equal(good.unstable, LENGTH);
    assert_int_equal(good.torn, LENGTH);
    assert_int_equal(scan(CONSORT_U32, turned, tags, false).disorder, 4);
    assert_int_equal(scan(CONSORT_U32, keys, unstable, false).unstable, 2);
    assert_true(scan(CONSORT_U32, keys, unstable, false).checksum == good.checksum);
    assert_true(scan(CONSORT_U32, keys, crossed, false).checksum != good.checksum);
    assert_true(scan(CONSORT_U32, lost, tags, false).checksum != good.checksum);
}

static void test_torn_values(void **state)
{
    (void)state;
    const uint32_t keys[LENGTH] = {1, 2, 3, 4, 5};
    for (uint32_t bytes = BENCH_VALUE_MINIMUM; bytes <= 24; bytes++) {
        unsigned char values[LENGTH * 24];
        struct bench_view view = view_of(CONSORT_U32, keys, (const uint64_t *)(const void *)values);
        struct bench_findings findings;
        view.value_bytes = bytes;
        view.value_stride = bytes;
        for (uint32_t i = 0; i < LENGTH; i++) {
            bench_verify_write_value(values + i * bytes, bytes, 100 + i);
        }
        bench_verify_scan(&view, false, &findings);
        assert_int_equal(findings.torn, LENGTH);
        values[3 * bytes + bytes - 1] ^= 1;
        uint64_t before = findings.checksum;
        bench_verify_scan(&view, false, &findings);
        bool only_tag = bytes == 4 || bytes == 8;
        assert_true(only_tag ? findings.checksum != before : findings.torn == 3);
    }
}

static void test_top(void **state)
{
    (void)state;
    const uint32_t all[LENGTH] = {5, 2, 9, 2, 4};
    const uint32_t right[] = {2, 2, 4};
    const uint32_t wrong[][3] = {{2, 4, 2}, {2, 4, 5}, {2, 2, 5}, {2, 2, 2}, {2, 2, 3}, {1, 2, 4}};
    struct bench_view view = view_of(CONSORT_U32, all, NULL);
    struct bench_view top = view_of(CONSORT_U32, right, NULL);
    top.count = 3;
    assert_true(bench_verify_top(&view, &top));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        top.keys = wrong[i];
        assert_false(bench_verify_top(&view, &top));
    }
    top.count = 0;
    assert_true(bench_verify_top(&view, &top));
}

/* Long arrays are looked at in slices: what is wrong in any of them, or between two, is seen. */
static void test_slices(void **state)
{
    (void)state;
    enum {
        LONG = 600001
    };
    static const uint64_t places[] = {0, (1 << 18) - 1, 1 << 18, 1 << 19, LONG - 1};
    const uint32_t infinity = 0x7F800000;
    uint32_t *keys = calloc(LONG, sizeof *keys);
    assert_non_null(keys);
    struct bench_view view = view_of(CONSORT_F32, keys, NULL);
    struct bench_findings findings;
    view.count = LONG;
    keys[LONG - 1] = infinity;
    assert_false(bench_scan_has_nan(&view));
    bench_scan(&view, false, &findings);
    assert_int_equal(findings.disorder, LONG);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const uint32_t before = keys[places[i]];
        keys[places[i]] = infinity + 1;
        assert_true(bench_scan_has_nan(&view));
        bench_scan(&view, false, &findings);
        assert_int_equal(findings.disorder, places[i] == LONG - 1 ? LONG : places[i] + 1);
        keys[places[i]] = before;
    }
    free(keys);
}

static void test_statistics(void **state)
{
    (void)state;
    const double odd[] = {5, 1, 100, 2, 3};
    const double even[] = {4, 1, 3, 2};
    struct bench_statistics of_odd = bench_statistics_of(odd, 5);
    struct bench_statistics of_even = bench_statistics_of(even, 4);
    assert_true(of_odd.median == 3 && of_odd.minimum == 1 && of_odd.maximum == 100);
    assert_true(of_odd.deviation == 2);
    assert_true(of_even.median == 2.5 && of_even.deviation == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),      cmocka_unit_test(test_nans_are_last),
        cmocka_unit_test(test_long_keys),   cmocka_unit_test(test_damage_is_seen),
        cmocka_unit_test(test_torn_values), cmocka_unit_test(test_top),
        cmocka_unit_test(test_slices),      cmocka_unit_test(test_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
