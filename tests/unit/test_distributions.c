/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distributions as a whole: the same bytes for ever and in any cut, in every type, at any size.
 */
#include "distribution_keys.h"

static void check_slices(const struct distribution *distribution, consort_type type)
{
    enum {
        TOTAL = 1000
    };
    static const uint64_t cuts[] = {0, 1, 8, 11, 267, 268, 999, TOTAL};
    size_t bytes = type_bytes(type);
    unsigned char *whole = make(distribution->name, type, TOTAL, 7);
    unsigned char *sliced = malloc(TOTAL * bytes);
    assert_non_null(sliced);
    for (size_t i = sizeof cuts / sizeof *cuts - 1; i > 0; i--) {
        assert_true(distribution_fill(distribution, type, sliced + cuts[i - 1] * bytes, cuts[i - 1],
                                      cuts[i] - cuts[i - 1], TOTAL, 7));
    }
    assert_memory_equal(whole, sliced, TOTAL * bytes);
    free(sliced);
    free(whole);
}

static void test_slices_do_not_depend_on_the_cut(void **state)
{
    (void)state;
    const struct distribution *each;
    for (size_t i = 0; (each = distribution_at(i)) != NULL; i++) {
        for (size_t t = 0; t < TYPES; t++) {
            if (distribution_supports(each, types[t])) {
                check_slices(each, types[t]);
            }
        }
    }
}

static uint64_t checksum(const struct distribution *distribution)
{
    static const consort_type sampled[] = {CONSORT_U8 | LITTLE,   CONSORT_I32 | LITTLE,
                                           CONSORT_U128 | LITTLE, CONSORT_F16 | LITTLE,
                                           CONSORT_F64 | LITTLE,  0x0513};
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t t = 0; t < sizeof sampled / sizeof *sampled; t++) {
        if (!distribution_supports(distribution, sampled[t])) {
            continue;
        }
        unsigned char *keys = make(distribution->name, sampled[t], 999, 42);
        for (size_t i = 0; i < 999 * type_bytes(sampled[t]); i++) {
            hash = (hash ^ keys[i]) * UINT64_C(0x100000001B3);
        }
        free(keys);
    }
    return hash;
}

static void test_bytes_are_the_recorded_ones(void **state)
{
    static const struct {
        const char *name;
        uint64_t hash; /* FNV-1a over the little-endian keys */
    } recorded[] = {
        {"uniform", UINT64_C(0xD668191AF802613C)},
        {"gaussian", UINT64_C(0x3496E1450587B42E)},
        {"sorted", UINT64_C(0x5E47949CAFEFE3DF)},
        {"reverse", UINT64_C(0x92BB2CC7ADD085DF)},
        {"nearly-sorted", UINT64_C(0x27C5004F60FA2DBF)},
        {"local-shuffle", UINT64_C(0x643C719A138BC769)},
        {"equal", UINT64_C(0x20F19F6A640CC2B9)},
        {"few-unique", UINT64_C(0xE50FD4DD893D0D50)},
        {"zipf", UINT64_C(0x4D545713DFCDE928)},
        {"bucket", UINT64_C(0xEC80D3F09C265860)},
        {"staggered", UINT64_C(0x390CE1FBB6C1325A)},
        {"duplicates", UINT64_C(0x3B9EFC508F9265C0)},
        {"organ-pipe", UINT64_C(0x5199D731AB9374F6)},
        {"sawtooth", UINT64_C(0x9A355C98D8403386)},
        {"low-entropy", UINT64_C(0x82870EF303CD0CB3)},
        {"one-outlier", UINT64_C(0x29A6EE90814C4770)},
        {"half-constant", UINT64_C(0x7545D342488C1EF3)},
        {"extremes", UINT64_C(0xC8DB43D61CD5EA30)},
        {"subnormals", UINT64_C(0xED7216123BBA0B4C)},
        {"zeros", UINT64_C(0x09095FD3D034B7E1)},
        {"infinities", UINT64_C(0x905BC1423C290A95)},
        {"nans", UINT64_C(0xB4E0351BE41743FE)},
        {"hidden-crowd", UINT64_C(0xCE3E2615881E8BF8)},
        {"hidden-peel", UINT64_C(0xCE3E2615881E8BF8)},
        {"hidden-even", UINT64_C(0x8276A1C770747462)},
        {"peeled", UINT64_C(0xDD74D23218BBC54C)},
        {"one-bank", UINT64_C(0xCE862C6A5C69B548)},
        {"table-bank", UINT64_C(0x428BC98F0C8ED39C)},
        {"late-pair", UINT64_C(0x47BF37514105D71F)},
        {"long-leaf", UINT64_C(0x50730E617AEF6885)},
        {"clustered", UINT64_C(0xCC167CA7ED2AC723)},
        {"colliding", UINT64_C(0xBAD96A9967CFD6DD)},
    };
    (void)state;
    const size_t count = sizeof recorded / sizeof *recorded;
    assert_non_null(distribution_at(count - 1));
    assert_null(distribution_at(count));
    for (size_t i = 0; i < count; i++) {
        const struct distribution *distribution = distribution_find(recorded[i].name);
        assert_non_null(distribution);
        uint64_t hash = checksum(distribution);
        if (hash != recorded[i].hash) {
            fail_msg("{\"%s\", UINT64_C(0x%016llX)},", recorded[i].name, (unsigned long long)hash);
        }
    }
}

static void test_seed_changes_the_keys(void **state)
{
    (void)state;
    const struct distribution *each;
    for (size_t i = 0; (each = distribution_at(i)) != NULL; i++) {
        consort_type type = each->integers ? CONSORT_U64 : CONSORT_F64;
        unsigned char *a = make(each->name, type, 100, 1);
        unsigned char *b = make(each->name, type, 100, 2);
        assert_memory_not_equal(a, b, 800);
        free(b);
        free(a);
    }
}

static void check_monotone(const char *name, consort_type type, uint64_t first, uint64_t last,
                           int direction)
{
    size_t bytes = type_bytes(type);
    unsigned char *keys = make(name, type, KEYS, 3);
    for (uint64_t i = first + 1; i < last; i++) {
        int order = compare_keys(type, keys + (i - 1) * bytes, keys + i * bytes);
        assert_true(order * direction <= 0);
    }
    free(keys);
}

static void test_monotone_in_every_type(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPES; t++) {
        check_monotone("sorted", types[t], 0, KEYS, 1);
        check_monotone("reverse", types[t], 0, KEYS, -1);
        check_monotone("organ-pipe", types[t], 0, KEYS / 2, 1);
        check_monotone("organ-pipe", types[t], KEYS / 2, KEYS, -1);
        check_monotone("sawtooth", types[t], 0, KEYS / 16, 1);
        check_monotone("sawtooth", types[t], KEYS / 16 * 3, KEYS / 16 * 4, 1);
    }
}

static void test_integers_cover_the_type(void **state)
{
    (void)state;
    static const consort_type integers[] = {CONSORT_U8, CONSORT_I8, CONSORT_U16, CONSORT_I16};
    for (size_t t = 0; t < 4; t++) {
        size_t bytes = type_bytes(integers[t]);
        size_t values = (size_t)1 << (8 * bytes);
        unsigned char *keys = make("sorted", integers[t] | LITTLE, values, 5);
        unsigned char sign = integers[t] >> 8 == CONSORT_KIND_SIGNED ? 0x80 : 0;
        for (size_t i = 0; i < values; i++) {
            unsigned char top = (unsigned char)(i >> (8 * (bytes - 1)));
            assert_int_equal(keys[i * bytes + bytes - 1], top ^ sign);
        }
        free(keys);
    }
}

static void test_floats_lie_where_stated(void **state)
{
    (void)state;
    double *uniform = (void *)make("uniform", CONSORT_F64, KEYS, 9);
    double *gaussian = (void *)make("gaussian", CONSORT_F64, KEYS, 9);
    double sum = 0;
    double sum_gaussian = 0;
    double squares = 0;
    for (size_t i = 0; i < KEYS; i++) {
        assert_true(uniform[i] >= 0 && uniform[i] < 1);
        assert_true(gaussian[i] >= -1 && gaussian[i] < 1);
        sum += uniform[i];
        sum_gaussian += gaussian[i];
        squares += gaussian[i] * gaussian[i];
    }
    assert_true(sum / KEYS > 0.49 && sum / KEYS < 0.51);
    assert_true(sum_gaussian / KEYS > -0.01 && sum_gaussian / KEYS < 0.01);
    /* The variance of the average of four uniform draws on [−1, 1) is 1/12. */
    assert_true(squares / KEYS > 0.081 && squares / KEYS < 0.0857);
    free(gaussian);
    free(uniform);
}

static void test_float_widths_agree(void **state)
{
    (void)state;
    double *wide = (void *)make("gaussian", CONSORT_F64, KEYS, 4);
    float *narrow = (void *)make("gaussian", CONSORT_F32, KEYS, 4);
    for (size_t i = 0; i < KEYS; i++) {
        double error = wide[i] - (double)narrow[i];
        double magnitude = wide[i] < 0 ? -wide[i] : wide[i];
        assert_true(wide[i] < 0 ? error <= 0 : error >= 0);
        assert_true((error < 0 ? -error : error) <= magnitude / (1 << 23));
    }
    free(narrow);
    free(wide);
}

static void test_byte_order(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPES; t++) {
        size_t bytes = type_bytes(types[t]);
        if (types[t] >> 8 == CONSORT_KIND_BYTES) {
            assert_false(distribution_supports(distribution_find("uniform"), types[t] | LITTLE));
            continue;
        }
        unsigned char *little = make("gaussian", types[t] | LITTLE, 100, 6);
        unsigned char *big = make("gaussian", types[t] | CONSORT_BIG_ENDIAN << 16, 100, 6);
        for (size_t i = 0; i < 100 * bytes; i++) {
            assert_int_equal(little[i], big[i / bytes * bytes + bytes - 1 - i % bytes]);
        }
        free(big);
        free(little);
    }
}

static void test_ordinary_floats_are_finite(void **state)
{
    (void)state;
    const struct distribution *each;
    for (size_t i = 0; (each = distribution_at(i)) != NULL; i++) {
        if (!each->integers || strcmp(each->name, "extremes") == 0) {
            continue;
        }
        uint16_t *keys = (void *)make(each->name, CONSORT_F16, KEYS, 2);
        for (size_t j = 0; j < KEYS; j++) {
            assert_true((keys[j] & 0x7C00) != 0x7C00 && keys[j] != 0x8000);
        }
        free(keys);
    }
}

static void test_bad_requests_are_refused(void **state)
{
    (void)state;
    static const consort_type bad[] = {0,      0x0103, 0x0300, 0x0301, 0x0303, 0x0401,
                                       0x0404, 0x0500, 0x0600, 0x0700, 0x0800, 0x30104};
    const struct distribution *uniform = distribution_find("uniform");
    unsigned char untouched[8] = {0};
    unsigned char out[8] = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(distribution_supports(uniform, bad[i]));
        assert_false(distribution_fill(uniform, bad[i], out, 0, 1, 1, 0));
    }
    assert_false(distribution_supports(distribution_find("nans"), CONSORT_U32));
    assert_false(distribution_fill(uniform, CONSORT_U8, out, 2, 0, 1, 0));
    assert_false(distribution_fill(uniform, CONSORT_U8, out, 1, UINT64_MAX, 2, 0));
    assert_true(distribution_fill(uniform, CONSORT_U8, NULL, 0, 0, 0, 0));
    assert_memory_equal(out, untouched, sizeof out);
    assert_null(distribution_find("Uniform"));
}

/* Totals at the limits of the arithmetic: only slices of them can be made here. */
static void test_huge_totals(void **state)
{
    (void)state;
    const struct distribution *each;
    static const uint64_t totals[] = {1, UINT64_C(1) << 40, UINT64_C(1) << 63, UINT64_MAX};
    for (size_t i = 0; (each = distribution_at(i)) != NULL; i++) {
        for (size_t t = 0; t < 4; t++) {
            uint64_t keys[8] = {0};
            uint64_t slice = totals[t] < 8 ? totals[t] : 8;
            consort_type type = each->integers ? CONSORT_U64 : CONSORT_F64;
            assert_true(
                distribution_fill(each, type, keys, totals[t] - slice, slice, totals[t], 1));
            if (strcmp(each->name, "sorted") == 0 && slice == 8) {
                assert_true(keys[0] < keys[7] && keys[7] >= UINT64_MAX / 2);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices_do_not_depend_on_the_cut),
        cmocka_unit_test(test_bytes_are_the_recorded_ones),
        cmocka_unit_test(test_seed_changes_the_keys),
        cmocka_unit_test(test_monotone_in_every_type),
        cmocka_unit_test(test_integers_cover_the_type),
        cmocka_unit_test(test_floats_lie_where_stated),
        cmocka_unit_test(test_float_widths_agree),
        cmocka_unit_test(test_byte_order),
        cmocka_unit_test(test_ordinary_floats_are_finite),
        cmocka_unit_test(test_bad_requests_are_refused),
        cmocka_unit_test(test_huge_totals),
    };
    return cmocka_run_group_tests_name("distributions", tests, NULL, NULL);
}
