/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long lists of `msd`, whose second partition writes halves of keys, with keys made against their
 * leaves, compared with the CPU engine. The parameters let few keys be a long list. Runs on the
 * emulator and on a GPU alike; CONSORT_TEST_LARGE=1 adds leaves of usual size.
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

/* Keys of a long list whose cells have `bits` bits of codes, which the second partition writes as
 * halves of keys. */
enum half_kind {
    HALF_EVEN,
    HALF_FOUR,     /* codes with four keys */
    HALF_SIXTEEN,  /* or sixteen */
    HALF_CROWDED,  /* cells that are large leaves */
    HALF_LOPSIDED, /* one list of two, of long bins */
    HALF_SPARSE,   /* every other cell has none, and the others all in one bin */
    HALF_KINDS
};

static uint32_t half_key(enum half_kind kind, uint64_t index, unsigned bits, uint64_t random)
{
    enum {
        CELL_BITS = 9
    };
    const uint32_t lowest = 0x3bad0123, cell = (uint32_t)(random >> 32) % (1 << CELL_BITS);
    uint32_t code = (uint32_t)random % (1u << bits);
    if (index < 2)
        return lowest + (index ? (1u << (bits + CELL_BITS)) - 1 : 0);
    if (kind == HALF_FOUR && index % 8 < 4)
        return lowest + ((uint32_t)(index / 8 % (1 << CELL_BITS)) << bits) + 15;
    if (kind == HALF_SIXTEEN && index % 32 < 16)
        return lowest + ((uint32_t)(index / 32 % (1 << CELL_BITS)) << bits) + 0x2000;
    if (kind == HALF_CROWDED && index % 16 == 0)
        return lowest + ((uint32_t)(index / 16 % 8 * 60) << bits) + code;
    if (kind == HALF_LOPSIDED || kind == HALF_SPARSE)
        code %= 1u << (bits - (kind == HALF_SPARSE ? 11 : 8));
    return lowest + ((kind == HALF_SPARSE ? cell & ~1u : cell) << bits) + code;
}

static void try_halves(const struct sort_trial *trial, enum half_kind kind, unsigned bits)
{
    unsigned char *keys = sort_trial_array(trial->count * sizeof(uint32_t));
    for (uint64_t i = 0; i < trial->count; i++) {
        uint32_t key = half_key(kind, i, bits, random_mix(trial->seed * 0x10001 + i));
        memcpy(keys + i * sizeof key, &key, sizeof key);
    }
    sort_trial_try(trial, keys);
    free(keys);
}

static void test_halves(void **state)
{
    (void)state;
    static const consort_type narrow[] = {CONSORT_U32, CONSORT_I32, CONSORT_F32};
    uint64_t seed = 70;
    for (unsigned bits = 14; bits <= 16; bits++)
        for (unsigned kind = 0; kind < HALF_KINDS; kind++, seed++)
            try_halves(&(struct sort_trial){.algorithm = "msd",
                                            .type = narrow[seed % 3],
                                            .direction = (int32_t)(seed % 2),
                                            .form = seed % 5 == 0 ? CONSORT_FORM_DOUBLE_BUFFER
                                                                  : CONSORT_FORM_COPY,
                                            .count = 17011,
                                            .parameters = {{"leaf", 64}, {"long", 1}},
                                            .in_place = seed % 5 && seed % 3 == 1,
                                            .keys = "halves",
                                            .seed = seed},
                       (enum half_kind)kind, bits);
    try_halves(&(struct sort_trial){.algorithm = "msd",
                                    .type = CONSORT_I32,
                                    .count = 75011,
                                    .parameters = {{"leaf", 300}, {"long", 1}},
                                    .keys = "halves in one bin",
                                    .seed = seed},
               HALF_SPARSE, 16);
}

static void test_large_leaves(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    for (unsigned kind = 0; kind < HALF_KINDS; kind++)
        try_halves(&(struct sort_trial){.algorithm = "msd",
                                        .type = CONSORT_U32,
                                        .count = 1049000,
                                        .parameters = {{"long", 1}},
                                        .in_place = kind % 2,
                                        .keys = "halves, larger leaves",
                                        .seed = kind},
                   (enum half_kind)kind, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_large_leaves),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
