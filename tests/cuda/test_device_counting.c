/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `counting` of 8- and 16-bit keys in device memory, against the CPU engine on the same bytes: what
 * overflows its counters, where they are left, few and many codes. CONSORT_TEST_LARGE=1 adds lists
 * of which a GPU's blocks count enough.
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
#include "sort_trial.h"
#include "support/random.h"

/* More equal 16-bit keys than a block counts in 16 bits, from a whole word of 16 bytes on. */
static void test_equal_keys(void **state)
{
    (void)state;
    const struct sort_trial trial = {
        .algorithm = "counting", .keys = "equal", .type = CONSORT_U16, .count = 300000};
    unsigned char *keys = sort_trial_array(2 * trial.count);
    memset(keys, 0, 2 * trial.count);
    sort_trial_try(&trial, keys);
    free(keys);
}

/* As many equal 16-bit keys, behind random ones: blocks begin without care, and see by the sum of
 * their counters that one overflowed, whichever half of a word it is. On a GPU, each of whose
 * blocks counts fewer, it takes more random ones to see it later. */
static void test_keys_equal_later(void **state)
{
    (void)state;
    const uint64_t random_keys = getenv("CONSORT_TEST_LARGE") ? 4500000 : 140000;
    for (uint64_t half = 0; half < 4; half++) {
        const struct sort_trial trial = {.algorithm = "counting",
                                         .keys = "equal later",
                                         .type = CONSORT_U16,
                                         .count = random_keys + 410007,
                                         .in_place = half >= 2,
                                         .seed = half};
        uint64_t random = 5;
        unsigned char *keys = sort_trial_array(2 * trial.count);
        random_words(&random, keys, 2 * trial.count, UINT64_MAX);
        for (uint64_t i = random_keys; i < trial.count; i++) {
            const uint16_t key = (uint16_t)(0x1234 + half % 2);
            memcpy(keys + 2 * i, &key, 2);
        }
        sort_trial_try(&trial, keys);
        free(keys);
    }
}

/* 16-bit keys of which blocks count so many that they leave counters in the place of the result:
 * no, some or all blocks, as far as there is room, of which alignment takes some. Of the large
 * lists those of a GPU do. */
static void test_counters_left(void **state)
{
    (void)state;
    static const uint64_t counts[] = {40009,  70011,  131075,  200003, 196611,
                                      300007, 589829, 5000011, 9000007};
    const consort_type reversed = consort_type_with_byte_order(CONSORT_U16, CONSORT_BIG_ENDIAN);
    const consort_type types[] = {CONSORT_U16, CONSORT_F16, CONSORT_I16, CONSORT_BF16, reversed};
    const size_t lists = getenv("CONSORT_TEST_LARGE") ? 9 : 7;
    for (uint64_t seed = 0; seed < 5 * lists; seed++)
        sort_trial_try_random(&(struct sort_trial){.algorithm = "counting",
                                                   .type = types[seed % 5],
                                                   .direction = (int32_t)(seed / 5 % 2),
                                                   .count = counts[seed / 5],
                                                   .in_place = seed % 3 == 1,
                                                   .captured = seed % 4 == 3,
                                                   .key_shift = 2 * (seed % 2),
                                                   .seed = 7000 + 5 * seed});
}

/* Three frequent keys and rare ones between, some neighbours, some with nothing between: stretches
 * of the result have two or three of them, and words of 16 bytes, too. */
static void test_long_runs(void **state)
{
    (void)state;
    static const unsigned char often[] = {10, 13, 200}, rare[] = {11, 12, 16, 17, 201};
    for (uint64_t seed = 0; seed < 8; seed++) {
        const struct sort_trial trial = {.algorithm = "counting",
                                         .keys = "runs of few keys",
                                         .type = seed % 2 ? CONSORT_U16 : CONSORT_U8,
                                         .direction = (int32_t)(seed / 2 % 2),
                                         .count = 40003 + 3001 * seed,
                                         .seed = seed};
        uint64_t random = seed;
        unsigned char *keys = sort_trial_array(2 * trial.count);
        random_words(&random, keys, 2 * trial.count, UINT64_MAX);
        for (uint64_t i = 0; i < 2 * trial.count; i++)
            keys[i] = seed % 2 && i % 2 ? 7 : often[keys[i] % sizeof often];
        for (uint64_t i = 0; i < sizeof rare * (4 * seed + 1); i++)
            keys[200 * i] = rare[i % sizeof rare];
        sort_trial_try(&trial, keys);
        free(keys);
    }
}

/* Keys of 8 and 16 bits up to and beyond what one block sorts alone. */
static void test_short_lists(void **state)
{
    (void)state;
    static const uint64_t counts[] = {5, 255, 4099, 16384, 16385, 65537};
    static const uint64_t wide_counts[] = {1, 33, 1023, 1025, 4096, 8191, 8192, 8193};
    for (uint64_t c = 0; c < sizeof wide_counts / sizeof wide_counts[0]; c++)
        for (uint64_t mask = 0; mask < 5; mask++)
            sort_trial_try_random(
                &(struct sort_trial){.algorithm = "counting",
                                     .type = (c + mask) % 2 ? CONSORT_F16 : CONSORT_U16,
                                     .direction = (int32_t)(c % 2),
                                     .count = wide_counts[c],
                                     .in_place = c % 3 == 1,
                                     .seed = 6000 + 5 * c + mask});
    for (uint64_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        sort_trial_try_random(&(struct sort_trial){.algorithm = "counting",
                                                   .type = c % 2 ? CONSORT_I8 : CONSORT_U8,
                                                   .direction = (int32_t)(c % 3 == 1),
                                                   .count = counts[c],
                                                   .in_place = c % 2 != 0,
                                                   .seed = 5000 + c});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_keys),    cmocka_unit_test(test_keys_equal_later),
        cmocka_unit_test(test_counters_left), cmocka_unit_test(test_long_runs),
        cmocka_unit_test(test_short_lists),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
