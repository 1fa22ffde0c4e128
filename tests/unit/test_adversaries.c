/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each distribution made against our own sorts is what its description says.
 */
#include "distribution_keys.h"

enum {
    MANY = 1 << 20
};

static uint64_t below(const uint64_t *keys, uint64_t bound)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < MANY; i++) {
        count += keys[i] < bound;
    }
    return count;
}

/* Of 2^20 keys the sorts look at some 22 000; the lowest 16th of the range has 59 % of the others
 * if their four highest bits are seldom set, or nearly all if they are peeled. */
static void test_hidden_keys_are_not_those_looked_at(void **state)
{
    (void)state;
    const uint64_t sixteenth = UINT64_C(1) << 60;
    uint64_t *crowd = make_u64("hidden-crowd", MANY);
    uint64_t *peel = make_u64("hidden-peel", MANY);
    uint64_t *even = make_u64("hidden-even", MANY);
    uint64_t biased = 0;
    for (uint64_t i = 0; i < MANY; i += 512) {
        /* What hybrid's 2048 samples are. */
        biased += even[i] % 256 == 0;
    }
    assert_int_equal(biased, MANY / 512);
    assert_true(below(crowd, sixteenth) > (uint64_t)MANY / 100 * 56);
    assert_true(below(crowd, sixteenth) < (uint64_t)MANY / 100 * 60);
    assert_true(below(peel, 256) > (uint64_t)MANY / 100 * 91);
    assert_true(below(peel, 256) < (uint64_t)MANY / 100 * 94);
    assert_true(below(even, sixteenth) < (uint64_t)MANY / 100 * 8);
    free(even);
    free(peel);
    free(crowd);
}

static void test_peeled_has_keys_in_each_octave(void **state)
{
    (void)state;
    uint64_t *keys = make_u64("peeled", MANY);
    assert_true(below(keys, 256) > (uint64_t)MANY / 16 * 15);
    for (unsigned bits = 9; bits < 64; bits++) {
        assert_true(below(keys, UINT64_C(1) << bits) > below(keys, UINT64_C(1) << (bits - 1)));
    }
    free(keys);
}

static void test_banks(void **state)
{
    (void)state;
    uint64_t *bank = make_u64("one-bank", MANY);
    uint64_t *table = make_u64("table-bank", MANY);
    uint64_t *colliding = make_u64("colliding", MANY);
    uint64_t elsewhere = 0;
    for (uint64_t i = 0; i < MANY; i++) {
        assert_int_equal((bank[i] >> 49) % 32, 0);
        elsewhere += (table[i] >> 49) % 256 != 0;
        assert_int_equal(colliding[i] & UINT64_C(0x1F1F1F1F1F1F1F1F), 0);
    }
    assert_true(elsewhere > MANY / 2048 && elsewhere < MANY / 512);
    free(colliding);
    free(table);
    free(bank);
}

static void test_late_pair(void **state)
{
    (void)state;
    uint16_t *keys = (void *)make("late-pair", CONSORT_U16, MANY, 1);
    for (uint64_t i = MANY / 4; i < MANY; i++) {
        assert_int_equal(keys[i], 0x5A5A + i % 2);
    }
    free(keys);
}

/* 240 of 256 equal parts of the range have 4369 keys each, or one more; floats' parts are those of
 * [0, 1). */
static void test_long_leaf(void **state)
{
    (void)state;
    uint64_t counts[2][256] = {0};
    uint64_t *keys = make_u64("long-leaf", MANY);
    float *numbers = (void *)make("long-leaf", CONSORT_F32, MANY, 1);
    for (uint64_t i = 0; i < MANY; i++) {
        counts[0][keys[i] >> 56]++;
        assert_true(numbers[i] >= 0 && numbers[i] < 1);
        counts[1][(unsigned)(256 * numbers[i])]++;
    }
    for (unsigned i = 0; i < 2; i++) {
        unsigned parts = 0;
        for (unsigned part = 0; part < 256; part++) {
            assert_true(counts[i][part] == 0 || counts[i][part] == 4369 || counts[i][part] == 4370);
            parts += counts[i][part] > 4352;
        }
        assert_int_equal(parts, 240);
    }
    free(numbers);
    free(keys);
}

static void test_clustered(void **state)
{
    (void)state;
    uint64_t upper = 0;
    uint64_t *keys = make_u64("clustered", MANY);
    for (uint64_t i = 0; i < MANY; i++) {
        uint64_t bin = (keys[i] >> 44) % 4096;
        assert_true(bin == 0 || bin == 4095);
        upper += bin != 0;
    }
    assert_true(upper > MANY / 100 * 49 && upper < MANY / 100 * 51);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hidden_keys_are_not_those_looked_at),
        cmocka_unit_test(test_peeled_has_keys_in_each_octave),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_late_pair),
        cmocka_unit_test(test_long_leaf),
        cmocka_unit_test(test_clustered),
    };
    return cmocka_run_group_tests_name("adversaries", tests, NULL, NULL);
}
