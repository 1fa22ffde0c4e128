/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long lists of `msd` whose keys crowd, so that passes over all digits sort them, compared with the
 * CPU engine. The parameters let few keys be a long list. Runs on the emulator and on a GPU alike;
 * CONSORT_TEST_LARGE=1 adds lists of many tiles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "sort_trial.h"
#include "support/random.h"

static const consort_type types[] = {CONSORT_U32, CONSORT_I32, CONSORT_F32,  CONSORT_U64,
                                     CONSORT_I64, CONSORT_F64, CONSORT_U128, CONSORT_I128};
enum {
    TYPE_COUNT = sizeof types / sizeof types[0]
};

/* Bits that are seldom set, but for bytes that are the same in all keys, of which passes take no
 * notice. */
static void try_crowd(const struct sort_trial *trial, uint32_t same)
{
    const size_t bytes = consort_type_size(trial->type);
    unsigned char *keys = sort_trial_array(trial->count * bytes);
    for (uint64_t i = 0; i < trial->count * bytes; i++) {
        const uint64_t random = random_mix(trial->seed * 0x10001 + i);
        const unsigned char rare = (unsigned char)(random & random >> 8 & random >> 16);
        keys[i] = same >> i % bytes & 1 ? 0x5a : rare;
    }
    sort_trial_try(trial, keys);
    free(keys);
}

/* Keys that crowd, in long lists: an odd and an even number of passes, the lowest digit or another
 * first; several tiles. */
static void test_crowds(void **state)
{
    (void)state;
    static const uint32_t same[] = {0, 1, 2, 3, 5, 0xf0f0};
    uint64_t seed = 900;
    for (size_t s = 0; s < sizeof same / sizeof same[0]; s++)
        for (int t = 0; t < TYPE_COUNT; t++, seed++)
            try_crowd(&(struct sort_trial){.algorithm = "msd",
                                           .keys = "crowd",
                                           .type = types[t],
                                           .direction = (int32_t)(seed / 3 % 2),
                                           .form = seed % 5 == 0 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                 : CONSORT_FORM_COPY,
                                           .count = seed % 4 ? 17011 : 40009,
                                           .parameters = {{"leaf", 64}, {"long", seed % 3 / 2}},
                                           .in_place = seed % 5 && seed % 2,
                                           .seed = seed},
                      same[s]);
}

static void test_many_tiles(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    for (int t = 0; t < TYPE_COUNT; t++)
        try_crowd(&(struct sort_trial){.algorithm = "msd",
                                       .keys = "crowd, many tiles",
                                       .type = types[t],
                                       .count = 5000011,
                                       .parameters = {{"long", t % 2 ? 1 << 20 : 0}},
                                       .in_place = t % 2,
                                       .captured = t % 3 == 1,
                                       .seed = (uint64_t)t},
                  t % 3 == 2 ? 2 : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crowds),
        cmocka_unit_test(test_many_tiles),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
