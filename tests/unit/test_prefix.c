/* SPDX-License-Identifier: Apache-2.0 */
/* Prefixes of unequal length: every code has one bucket, in order, and crowds are told apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cpu/radix_prefix.h"
#include "support/random.h"

enum {
    TRIALS = 300,
    CODES = 4000
};

/* Codes that are equal above bit `top`, crowded as the trial says, in order. */
struct crowd {
    uint32_t top;
    uint64_t pivot;
    uint64_t codes[CODES];
    uint32_t sampled[RADIX_CELLS];
};

static int crowd_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void crowd_make(struct crowd *crowd, uint64_t *seed, uint32_t trial)
{
    memset(crowd->sampled, 0, sizeof crowd->sampled);
    crowd->top = 1 + trial % 64;
    const uint64_t mask = UINT64_MAX >> (64 - crowd->top), high = random_next(seed) & ~mask;
    struct radix_digit cells = radix_cell_digit(crowd->top);
    for (uint32_t i = 0; i < CODES; i++) {
        uint32_t narrow = (uint32_t)(random_next(seed) % (trial % 5 + 1)) * 9 % 60;
        crowd->codes[i] = high | (random_next(seed) & mask) >> narrow;
        crowd->sampled[(crowd->codes[i] >> cells.shift) & ((1u << cells.bits) - 1)]++;
    }
    crowd->pivot = crowd->codes[0];
    qsort(crowd->codes, CODES, sizeof *crowd->codes, crowd_compare);
}

static void test_order(void **state)
{
    (void)state;
    static struct crowd crowd;
    static struct radix_prefixes prefixes;
    uint64_t seed = 20261122;
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        crowd_make(&crowd, &seed, trial);
        struct radix_digit digit =
            radix_prefixes_make(&prefixes, crowd.top, crowd.pivot, crowd.sampled, 1 + trial % 40);
        assert_int_equal(digit.bits, RADIX_PREFIX_BITS);
        for (uint32_t i = 1; i < CODES; i++) {
            uint32_t before = radix_prefix_bucket(&prefixes, crowd.codes[i - 1]);
            uint32_t bucket = radix_prefix_bucket(&prefixes, crowd.codes[i]);
            uint32_t top = radix_digit_top(&digit, bucket);
            assert_true(before <= bucket);
            assert_true(top < crowd.top);
            if (before == bucket)
                assert_true(crowd.codes[i - 1] >> top == crowd.codes[i] >> top);
        }
    }
}

/* Uniform floats: each exponent has half as many as the next. */
static void test_evenness(void **state)
{
    (void)state;
    enum {
        SAMPLES = 1 << 15,
        TARGET = 32
    };
    static uint32_t sampled[RADIX_CELLS], counts[RADIX_PREFIX_BUCKETS];
    static uint32_t patterns[SAMPLES];
    static struct radix_prefixes prefixes;
    struct radix_digit cells = radix_cell_digit(30);
    uint64_t seed = 7;
    uint32_t most = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        float value = (float)(random_next(&seed) >> 40) / (1 << 24);
        memcpy(&patterns[i], &value, sizeof value);
        sampled[(patterns[i] >> cells.shift) & (RADIX_CELLS - 1)]++;
    }
    (void)radix_prefixes_make(&prefixes, 30, patterns[0], sampled, TARGET);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t count = ++counts[radix_prefix_bucket(&prefixes, patterns[i])];
        most = count > most ? count : most;
    }
    assert_in_range(most, TARGET / 2, 2 * TARGET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_evenness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
