/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each distribution is what its description says.
 */
#include "distribution_keys.h"

static void test_nearly_sorted_moves_two_percent(void **state)
{
    (void)state;
    static const uint64_t totals[] = {2, 3, 99, 100, 250, 1000, 4096, KEYS};
    for (size_t t = 0; t < sizeof totals / sizeof *totals; t++) {
        uint64_t total = totals[t];
        uint64_t *sorted = make_u64("sorted", total);
        uint64_t *nearly = make_u64("nearly-sorted", total);
        uint64_t swaps = total < 200 ? 1 : total / 100;
        uint64_t moved = 0;
        for (uint64_t i = 0; i < total; i++) {
            moved += sorted[i] != nearly[i];
        }
        assert_int_equal(moved, 2 * swaps);
        qsort(nearly, total, 8, compare_u64);
        assert_memory_equal(sorted, nearly, total * 8);
        free(nearly);
        free(sorted);
    }
}

static void test_local_shuffle_stays_local(void **state)
{
    (void)state;
    uint64_t total = KEYS + 5;
    uint64_t *sorted = make_u64("sorted", total);
    uint64_t *local = make_u64("local-shuffle", total);
    uint64_t moved = 0;
    for (uint64_t i = 0; i < total; i++) {
        uint64_t low = i < 8 ? 0 : i - 8;
        uint64_t place = low;
        while (place < total && sorted[place] != local[i]) {
            place++;
        }
        assert_true(place <= i + 8);
        moved += place != i;
    }
    /* A key of a random order of 8 stays where it is one time in eight. */
    assert_true(moved > total * 84 / 100 && moved < total * 91 / 100);
    qsort(local, total, 8, compare_u64);
    assert_memory_equal(sorted, local, total * 8);
    free(local);
    free(sorted);
}

static void test_distinct_values(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPES; t++) {
        unsigned char *keys = make("equal", types[t], 1000, 8);
        assert_int_equal(count_distinct(keys, 1000, type_bytes(types[t])), 1);
        free(keys);
        keys = make("few-unique", types[t], 1000, 8);
        assert_int_equal(count_distinct(keys, 1000, type_bytes(types[t])), 16);
        free(keys);
        keys = make("duplicates", types[t], 1000, 8);
        assert_int_equal(count_distinct(keys, 1000, type_bytes(types[t])), 9);
        free(keys);
    }
}

static void test_zipf_is_harmonic(void **state)
{
    (void)state;
    enum {
        TOTAL = 1000000,
        VALUES = 256
    };
    unsigned char *keys = make("zipf", CONSORT_U8, TOTAL, 1);
    uint64_t seen[VALUES] = {0};
    double harmonic = 0;
    for (size_t i = 0; i < TOTAL; i++) {
        seen[keys[i]]++;
    }
    for (size_t k = 1; k <= VALUES; k++) {
        harmonic += 1.0 / (double)k;
    }
    for (size_t k = 1; k <= VALUES; k++) {
        double expected = TOTAL / harmonic / (double)k;
        double difference = (double)seen[k - 1] - expected;
        assert_true(difference * difference < 25 * expected);
    }
    free(keys);
    uint64_t *wide = make_u64("zipf", 100);
    assert_true(count_distinct((unsigned char *)wide, 100, 8) < 60);
    free(wide);
}

static void test_helman_bader_jaja_slots(void **state)
{
    (void)state;
    uint64_t total = 128 * 128 * 3;
    uint64_t *bucket = make_u64("bucket", total);
    uint64_t *staggered = make_u64("staggered", total);
    for (uint64_t i = 0; i < total; i++) {
        uint64_t processor = i / (128 * 3);
        assert_int_equal(bucket[i] >> 57, i / 3 % 128);
        assert_int_equal(staggered[i] >> 57,
                         processor < 64 ? 2 * processor + 1 : 2 * processor - 128);
    }
    free(staggered);
    free(bucket);
}

static void test_repetitions(void **state)
{
    (void)state;
    uint64_t *pipe = make_u64("organ-pipe", 1001);
    uint64_t *saw = make_u64("sawtooth", 1600);
    for (size_t i = 0; i < 1001; i++) {
        assert_int_equal(pipe[i], pipe[1000 - i]);
    }
    for (size_t i = 100; i < 1600; i++) {
        assert_int_equal(saw[i], saw[i - 100]);
    }
    free(saw);
    free(pipe);
}

static void test_low_entropy_sets_one_bit_in_eight(void **state)
{
    (void)state;
    static const consort_type wide[] = {CONSORT_U32, CONSORT_U128, 0x0520};
    for (size_t t = 0; t < 3; t++) {
        size_t size = KEYS * type_bytes(wide[t]);
        unsigned char *keys = make("low-entropy", wide[t], KEYS, 1);
        uint64_t set = 0;
        for (size_t i = 0; i < size; i++) {
            set += (uint64_t)__builtin_popcount(keys[i]);
        }
        assert_true(set > size * 99 / 100 && set < size * 101 / 100);
        free(keys);
    }
}

static void test_one_outlier(void **state)
{
    (void)state;
    uint32_t *keys = (void *)make("one-outlier", CONSORT_U32, KEYS, 1);
    size_t high = 0;
    for (size_t i = 0; i < KEYS; i++) {
        high += keys[i] >= 65536;
        assert_true(keys[i] < 65536 || keys[i] == UINT32_MAX);
    }
    assert_int_equal(high, 1);
    free(keys);
}

static void test_half_constant(void **state)
{
    (void)state;
    static const consort_type halves[] = {CONSORT_U32, CONSORT_I128, CONSORT_F64, 0x0507};
    for (size_t t = 0; t < 4; t++) {
        size_t bytes = type_bytes(halves[t]);
        size_t low = halves[t] >> 8 == CONSORT_KIND_BYTES ? bytes / 2 : 0;
        size_t high = halves[t] >> 8 == CONSORT_KIND_BYTES ? 0 : bytes / 2;
        unsigned char *keys = make("half-constant", halves[t], KEYS, 1);
        bool varies = false;
        for (size_t i = 1; i < KEYS; i++) {
            assert_memory_equal(keys + high, keys + i * bytes + high, bytes / 2);
            varies |= keys[low] != keys[i * bytes + low];
        }
        assert_true(varies);
        free(keys);
    }
}

static void test_extremes(void **state)
{
    (void)state;
    int32_t *keys = (void *)make("extremes", CONSORT_I32, KEYS, 1);
    bool least = false;
    bool most = false;
    for (size_t i = 0; i < KEYS; i++) {
        least |= keys[i] == INT32_MIN;
        most |= keys[i] == INT32_MAX;
        assert_true(keys[i] <= INT32_MIN + 1 || keys[i] == INT32_MAX ||
                    (keys[i] >= -1 && keys[i] <= 1));
    }
    assert_true(least && most);
    assert_int_equal(count_distinct((unsigned char *)keys, KEYS, 4), 6);
    free(keys);
}

struct census {
    size_t zeros[2]; /* by sign */
    size_t subnormals[2];
    size_t normals[2];
    size_t infinities[2];
    size_t nans[2];
};

static struct census take_census(const char *name)
{
    uint32_t *keys = (void *)make(name, CONSORT_F32, KEYS, 2);
    struct census census = {0};
    for (size_t i = 0; i < KEYS; i++) {
        uint32_t sign = keys[i] >> 31;
        uint32_t exponent = keys[i] >> 23 & 0xFF;
        uint32_t mantissa = keys[i] & 0x7FFFFF;
        if (exponent == 0xFF) {
            (mantissa != 0 ? census.nans : census.infinities)[sign]++;
        } else if (exponent == 0) {
            (mantissa != 0 ? census.subnormals : census.zeros)[sign]++;
        } else {
            census.normals[sign]++;
        }
    }
    free(keys);
    return census;
}

/* About `parts` 32nds of the keys, half of them negative. */
static void check_share(const size_t counts[2], size_t parts)
{
    for (size_t sign = 0; sign < 2; sign++) {
        double expected = (double)KEYS * (double)parts / 64;
        double difference = (double)counts[sign] - expected;
        assert_true(difference * difference <= 25 * expected);
    }
}

static void test_special_floats(void **state)
{
    (void)state;
    struct census census = take_census("subnormals");
    check_share(census.subnormals, 32);
    assert_int_equal(census.subnormals[0] + census.subnormals[1], KEYS);
    census = take_census("zeros");
    check_share(census.zeros, 16);
    check_share(census.normals, 16);
    census = take_census("infinities");
    check_share(census.infinities, 8);
    check_share(census.normals, 24);
    census = take_census("nans");
    check_share(census.nans, 8);
    check_share(census.infinities, 2);
    check_share(census.normals, 22);
    check_share(census.zeros, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearly_sorted_moves_two_percent),
        cmocka_unit_test(test_local_shuffle_stays_local),
        cmocka_unit_test(test_distinct_values),
        cmocka_unit_test(test_zipf_is_harmonic),
        cmocka_unit_test(test_helman_bader_jaja_slots),
        cmocka_unit_test(test_repetitions),
        cmocka_unit_test(test_low_entropy_sets_one_bit_in_eight),
        cmocka_unit_test(test_one_outlier),
        cmocka_unit_test(test_half_constant),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_special_floats),
    };
    return cmocka_run_group_tests_name("distribution shapes", tests, NULL, NULL);
}
