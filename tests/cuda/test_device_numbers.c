/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `msd` on floats whose numbers spread evenly, so that its cells are ranges of numbers: every
 * order, numbers beyond all cells that a sample does not show, and what makes it count by codes
 * again. Small leaves make few keys a long list. CONSORT_TEST_LARGE=1 adds sizes for a GPU.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "sort_trial.h"
#include "support/random.h"

/* `even`: a random number in [0, 1). `back`: keys from here to the last. */
typedef double number_maker(uint64_t back, double even, uint64_t random);

static double unit(uint64_t back, double even, uint64_t random)
{
    (void)back, (void)random;
    return even;
}

static double centred(uint64_t back, double even, uint64_t random)
{
    (void)back, (void)random;
    return 2 * even - 1;
}

static double negative(uint64_t back, double even, uint64_t random)
{
    (void)back, (void)random;
    return -37.5 * even - 11;
}

static double far_from_zero(uint64_t back, double even, uint64_t random)
{
    (void)back, (void)random;
    return 1000 + 3 * even;
}

static double widest(uint64_t back, double even, uint64_t random)
{
    (void)back, (void)random;
    return (even - 0.5) * 6.8e38;
}

static double subnormal(uint64_t back, double even, uint64_t random)
{
    (void)back, (void)random;
    return even * 1e-40;
}

/* Many keys of each of some numbers, which lie on the bounds of cells. */
static double stepped(uint64_t back, double even, uint64_t random)
{
    (void)back, (void)random;
    return floor(even * 3000) - 200;
}

/* As many as `each` of these where a sample of 2^14 keys does not look. */
static bool is_apart(uint64_t back, uint64_t each)
{
    return back % 33 == 5 && back / 33 < each;
}

static double outliers(uint64_t back, double even, uint64_t random)
{
    return is_apart(back, 3) ? (back / 33 ? 1e30 : -1e-30) * (double)(random >> 40) : even;
}

static double infinities(uint64_t back, double even, uint64_t random)
{
    (void)random;
    return is_apart(back, 12) ? back % 2 ? INFINITY : -INFINITY : 5 * even;
}

static double no_numbers(uint64_t back, double even, uint64_t random)
{
    (void)random;
    return is_apart(back, 5) ? back % 2 ? NAN : -NAN : 5 * even;
}

/* Keys on both sides of zero, and both zeros. */
static double zeros(uint64_t back, double even, uint64_t random)
{
    (void)back;
    return random % 16 ? (even - 0.5) * 1e-3 : random / 16 % 2 ? -0.0 : 0.0;
}

/* More keys in one cell than leaves take. */
static double heap(uint64_t back, double even, uint64_t random)
{
    (void)back;
    return random % 16 ? even : 0.3 + even * 1e-5;
}

/* Even, as a few keys show it, but in so many places that leaves are too small for each. */
static double spots(uint64_t back, double even, uint64_t random)
{
    (void)back;
    return (double)(random % 64) + even * 1e-4;
}

static double few(uint64_t back, double even, uint64_t random)
{
    (void)back, (void)even;
    return (double)(random % 20) - 7.5;
}

static double few_but_one(uint64_t back, double even, uint64_t random)
{
    return is_apart(back, 1) ? 3 : few(back, even, random);
}

static double rising(uint64_t back, double even, uint64_t random)
{
    (void)random;
    return -0.1 * ((double)back + even);
}

static const struct {
    const char *name;
    number_maker *make;
} makers[] = {{"in [0, 1)", unit},
              {"in [-1, 1)", centred},
              {"negative", negative},
              {"far from zero", far_from_zero},
              {"widest", widest},
              {"subnormal", subnormal},
              {"stepped", stepped},
              {"outliers", outliers},
              {"infinities", infinities},
              {"no numbers", no_numbers},
              {"zeros", zeros},
              {"heap", heap},
              {"spots", spots},
              {"few", few},
              {"few but one", few_but_one},
              {"rising", rising}};
enum {
    MAKER_COUNT = sizeof makers / sizeof makers[0]
};

static void try_numbers(const struct sort_trial *trial, unsigned maker)
{
    struct sort_trial named = *trial;
    const size_t bytes = consort_type_size(trial->type);
    unsigned char *keys = sort_trial_array(trial->count * bytes);
    named.keys = makers[maker].name;
    for (uint64_t i = 0; i < trial->count; i++) {
        const uint64_t random = random_mix(trial->seed * 0x10001 + i);
        const double even = (double)(random_mix(random) >> 11) * 0x1p-53;
        const double number = makers[maker].make(trial->count - 1 - i, even, random);
        const float narrow = (float)number;
        memcpy(keys + i * bytes, bytes == 4 ? (const void *)&narrow : &number, bytes);
    }
    sort_trial_try(&named, keys);
    free(keys);
}

static const int32_t orders[] = {CONSORT_NAN_LAST, CONSORT_NAN_FIRST, CONSORT_TOTAL_ORDER};

/* Both widths with each maker, every order, both directions and the partitions of long lists with
 * some. */
static void test_numbers(void **state)
{
    (void)state;
    uint64_t seed = 40;
    for (unsigned maker = 0; maker < MAKER_COUNT; maker++)
        for (unsigned which = 0; which < 2; which++, seed++)
            try_numbers(&(struct sort_trial){.algorithm = "msd",
                                             .type = which ? CONSORT_F64 : CONSORT_F32,
                                             .direction = (maker + which) % 2,
                                             .float_order = orders[seed % 3],
                                             .form = seed % 7 == 3 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                   : CONSORT_FORM_COPY,
                                             .count = 17011 + seed % 3 * 300,
                                             .parameters = {{"leaf", 64}, {"long", maker % 2}},
                                             .in_place = seed % 7 != 3 && seed % 2,
                                             .seed = seed},
                        maker);
}

/* Halves of narrow ones in every order: cells of few codes and of many, of several sizes. */
static void test_long(void **state)
{
    (void)state;
    uint64_t seed = 80;
    for (unsigned maker = 0; maker < MAKER_COUNT; maker++)
        for (unsigned which = 0; which < 2; which++, seed++)
            try_numbers(&(struct sort_trial){.algorithm = "msd",
                                             .type = CONSORT_F32,
                                             .direction = (int32_t)which,
                                             .float_order = orders[(maker + which) % 3],
                                             .form = seed % 7 == 3 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                   : CONSORT_FORM_COPY,
                                             .count = 17111 + seed % 5 * 200,
                                             .parameters = {{"leaf", 64}, {"long", 1}},
                                             .in_place = seed % 7 != 3 && seed % 2,
                                             .seed = seed},
                        maker);
    for (unsigned maker = 0; maker < 7; maker++)
        try_numbers(&(struct sort_trial){.algorithm = "msd",
                                         .type = CONSORT_F32,
                                         .count = 75011,
                                         .parameters = {{"leaf", 300}, {"long", 1}},
                                         .seed = maker},
                    maker);
}

/* Lists of one launch, by digits of numbers, one or several of them a leaf. */
static void test_short(void **state)
{
    (void)state;
    static const struct {
        uint64_t count;
        int64_t leaf;
    } lists[] = {{7001, 64}, {3001, 64}, {60013, 0}};
    uint64_t seed = 120;
    for (unsigned maker = 0; maker < MAKER_COUNT; maker++)
        for (unsigned i = 0; i < 6; i++, seed++)
            try_numbers(&(struct sort_trial){.algorithm = "msd",
                                             .type = i % 2 ? CONSORT_F64 : CONSORT_F32,
                                             .direction = (int32_t)((maker + i) / 2 % 2),
                                             .float_order = orders[seed % 3],
                                             .form = seed % 7 == 3 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                   : CONSORT_FORM_COPY,
                                             .count = lists[i / 2].count,
                                             .parameters = {{"leaf", lists[i / 2].leaf}},
                                             .in_place = seed % 7 != 3 && seed % 2,
                                             .captured = seed % 5 == 1,
                                             .seed = seed},
                        maker);
}

/* Lists that the blocks of one launch hold, three tiles of 4-byte keys on the emulator, which move
 * to 512 or 1024 ranges of numbers at once: the shortest and the longest among them. */
static void test_middling(void **state)
{
    (void)state;
    static const uint64_t counts[] = {15424, 30711, 62463};
    uint64_t seed = 200;
    for (unsigned maker = 0; maker < MAKER_COUNT; maker++)
        for (unsigned i = 0; i < 3; i++, seed++)
            try_numbers(&(struct sort_trial){.algorithm = "msd",
                                             .type = CONSORT_F32,
                                             .direction = (int32_t)(seed / 2 % 2),
                                             .float_order = orders[(maker + i) % 3],
                                             .form = seed % 7 == 3 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                   : CONSORT_FORM_COPY,
                                             .count = counts[i],
                                             .parameters = {{"leaf", 64}},
                                             .in_place = seed % 7 != 3 && seed % 2,
                                             .captured = seed % 5 == 1,
                                             .seed = seed},
                        maker);
}

/* Keys that are no numbers, of lists of more stretches than blocks have without asking: they are
 * asked for again when keys are counted by codes instead. */
static void test_counted_again(void **state)
{
    (void)state;
    for (unsigned maker = 0; maker < MAKER_COUNT; maker++)
        if (makers[maker].make == no_numbers)
            try_numbers(&(struct sort_trial){.algorithm = "msd",
                                             .type = CONSORT_F64,
                                             .count = 90011,
                                             .parameters = {{"leaf", 300}},
                                             .seed = 7},
                        maker);
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    for (unsigned maker = 0; maker < MAKER_COUNT; maker++)
        for (unsigned which = 0; which < 3; which++)
            try_numbers(&(struct sort_trial){.algorithm = "msd",
                                             .type = which == 1 ? CONSORT_F64 : CONSORT_F32,
                                             .direction = maker % 2,
                                             .count = 20000003,
                                             .parameters = {{"long", which == 2}},
                                             .in_place = maker % 3 == 0,
                                             .captured = maker % 4 == 1,
                                             .seed = maker},
                        maker);
    for (unsigned maker = 0; maker < MAKER_COUNT; maker++)
        for (unsigned i = 0; i < 10; i++)
            try_numbers(&(struct sort_trial){.algorithm = "msd",
                                             .type = i % 2 ? CONSORT_F64 : CONSORT_F32,
                                             .direction = maker % 2,
                                             .float_order = orders[(maker + i) % 3],
                                             .count = (UINT64_C(1) << (14 + i / 2 * 2)) - i * maker,
                                             .in_place = maker % 3 == 0,
                                             .captured = maker % 4 == 1,
                                             .seed = 50 + 10 * maker + i},
                        maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),       cmocka_unit_test(test_long),
        cmocka_unit_test(test_short),         cmocka_unit_test(test_middling),
        cmocka_unit_test(test_counted_again), cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
