/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `msd` by force: every distribution and keys made against its own histogram, buckets and leaves,
 * compared with the CPU engine. A small `leaf` lets few keys go through every stage. Runs on the
 * emulator and on a GPU alike; CONSORT_TEST_LARGE=1 adds sizes that only a GPU sorts in time.
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
#include "distributions.h"
#include "sort_trial.h"
#include "support/random.h"

static const consort_type types[] = {CONSORT_U32, CONSORT_I32, CONSORT_F32,  CONSORT_U64,
                                     CONSORT_I64, CONSORT_F64, CONSORT_U128, CONSORT_I128};
enum {
    TYPE_COUNT = sizeof types / sizeof types[0]
};

/* Codes with one byte of randomness at a time, which a maker turns into hostile keys. */
typedef uint64_t key_maker(uint64_t index, uint64_t count, uint64_t random);

static uint64_t one_cell(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return index == 0 ? 0 : index == 1 ? UINT64_MAX : 0x5a5a000000000000u | (random & 0xffffffff);
}

static uint64_t two_cells(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return (index % 2 ? 0x1234000000000000u : 0xfedc000000000000u) | (random >> 20);
}

static uint64_t geometric(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return random_mix(index ^ 77) >> (random % 64);
}

static uint64_t low_bits(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    return 0x4000000040000000u | (random & 0x3ff);
}

static uint64_t high_bits(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    return random & 0xfff0000000000000u;
}

static uint64_t one_outlier(uint64_t index, uint64_t count, uint64_t random)
{
    return index == count / 3 ? UINT64_MAX : random & 0xffff;
}

/* Every split leaves almost all keys in one part. */
static uint64_t peeled(uint64_t index, uint64_t count, uint64_t random)
{
    uint64_t depth = index * 16 / (count + 1) < 8 ? index % 8 : 7;
    return depth == 7 ? random & 0xff : (random | (uint64_t)1 << 63) >> (8 * depth);
}

/* Leaves whose bins all hold many keys: the network must finish them. */
static uint64_t clustered(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return (random_mix(index % 64) & 0xffffff0000000000u) | (random & 0xffff);
}

/* The bits of `random` that stand for some bits of the code, spread over it. */
static uint64_t spread(uint64_t random, unsigned bits, unsigned step)
{
    uint64_t code = 0x1000000010000000u;
    for (unsigned i = 0; i < bits; i++)
        code ^= (random >> i & 1) << (i * step + i * step / 32 * 3) % 64;
    return code;
}

/* 2^9 codes are counted one by one, of 17011 keys; 2^10 are not. */
static uint64_t few_bits(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    return spread(random, 9, 5);
}

static uint64_t many_bits(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    return spread(random, 10, 3);
}

static uint64_t few_bits_dominated(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return spread(index % 1000 ? 0x55 : random, 8, 7);
}

/* One key differs in a bit that a sample does not show. */
static uint64_t stray_bit(uint64_t index, uint64_t count, uint64_t random)
{
    return spread(random, 7, 3) ^ (uint64_t)(index == count - 2) << 63 ^
           (uint64_t)(index == count - 2) << 31;
}

/* So many keys, of which two at a time are alike, are none of the few codes of the others, and lie
 * below, between and above them where a sample of 2^14 keys does not look. */
static uint64_t strays(uint64_t back, uint64_t random, uint64_t number)
{
    if (back % 16 != 5 || back / 16 >= number)
        return spread(random, 7, 3);
    return random_mix(back / 32) >> back / 32 * 3;
}

static uint64_t most_strays(uint64_t index, uint64_t count, uint64_t random)
{
    return strays(count - 1 - index, random, 32);
}

static uint64_t too_many_strays(uint64_t index, uint64_t count, uint64_t random)
{
    return strays(count - 1 - index, random, 33);
}

/* Neighbours around a power of two, which differ in many bits, with a stray one. */
static uint64_t short_range(uint64_t index, uint64_t count, uint64_t random)
{
    uint64_t low = 0x07ffffff07ffffa0u + (random % 200);
    return index == count - 2 ? low >> 1 : low;
}

static uint64_t neighbours(uint64_t index, uint64_t count, uint64_t random)
{
    (void)index, (void)count;
    return 0x07ffffffffffff00u + random % 230;
}

/* Neighbours in a leaf that differ in their lowest bit alone. */
static uint64_t pairs_apart(uint64_t index, uint64_t count, uint64_t random)
{
    (void)random;
    return (random_mix(index % (count / 2)) & ~(uint64_t)1) | (uint64_t)(index < count / 2);
}

/* From one to 23 keys in a bin, in any order. */
static uint64_t long_bins(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return (random_mix(index / (1 + index % 23)) & ~(uint64_t)0xffffffff) | (random >> 32);
}

/* A leaf whose words are the largest there are. */
static uint64_t highest(uint64_t index, uint64_t count, uint64_t random)
{
    (void)count;
    return index % 300 ? random : UINT64_MAX - random % 64;
}

/* Ranges whose widths are no powers of two, and keys around 256 bounds in each. */
static uint64_t uneven_ranges(uint64_t index, uint64_t count, uint64_t random)
{
    static const uint64_t widths[] = {257, 300, 262145, 0x18001, 0x1800000001, 0x8100000000003};
    const uint64_t which = random_mix(index) % 6, width = widths[which];
    const uint64_t part = (width / 256 + 1) * (random % 257) + random / 257 % 3 - 1;
    (void)count;
    return which * 0x2a10000000000000u + (random >> 63 ? random % width : part % width);
}

/* Keys far from all that a sample shows, whose cells would reach beyond the highest code. */
static uint64_t outsiders(uint64_t index, uint64_t count, uint64_t random)
{
    const uint64_t back = count - 1 - index;
    if (back % 33 == 5 && back / 33 < 40)
        return (random & 0xffff) | back % 4 * 0x0200000000000000u | random >> 40 << 32;
    return 0xfb00000000000000u + (random & 0xffff) + (random >> 32) % 0x04f00000u * 0x100000000u;
}

static const struct {
    const char *name;
    key_maker *make;
} makers[] = {{"one cell", one_cell},
              {"two cells", two_cells},
              {"geometric", geometric},
              {"low bits", low_bits},
              {"high bits", high_bits},
              {"one outlier", one_outlier},
              {"peeled", peeled},
              {"clustered", clustered},
              {"few bits", few_bits},
              {"many bits", many_bits},
              {"few bits, dominated", few_bits_dominated},
              {"stray bit", stray_bit},
              {"16 strays", most_strays},
              {"17 strays", too_many_strays},
              {"short range", short_range},
              {"neighbours", neighbours},
              {"pairs apart", pairs_apart},
              {"long bins", long_bins},
              {"highest", highest},
              {"uneven ranges", uneven_ranges},
              {"outsiders", outsiders}};
enum {
    MAKER_COUNT = sizeof makers / sizeof makers[0]
};

/* Narrow keys take the top bits; wide ones repeat them below, or above as constant bits. */
static void make_hostile(const struct sort_trial *trial, key_maker *maker, unsigned char *keys)
{
    const size_t bytes = consort_type_size(trial->type);
    for (uint64_t i = 0; i < trial->count; i++) {
        uint64_t words[2] = {maker(i, trial->count, random_mix(trial->seed * 0x10001 + i)), 0};
        if (bytes == 4) {
            uint32_t word = (uint32_t)(words[0] >> 32) ^ (uint32_t)words[0];
            memcpy(keys + 4 * i, &word, 4);
            continue;
        }
        if (trial->seed % 2) {
            words[1] = words[0];
            words[0] = random_mix(i) % 3;
        }
        memcpy(keys + bytes * i, bytes == 16 ? words : words + (trial->seed % 2), bytes);
    }
}

static void try_hostile(const struct sort_trial *trial, unsigned maker)
{
    struct sort_trial named = *trial;
    unsigned char *keys = sort_trial_array(trial->count * consort_type_size(trial->type));
    named.keys = makers[maker].name;
    make_hostile(trial, makers[maker].make, keys);
    sort_trial_try(&named, keys);
    free(keys);
}

static void test_distributions(void **state)
{
    (void)state;
    size_t count;
    const struct distribution *list = distribution_list(&count);
    uint64_t seed = 1;
    for (size_t d = 0; d < count; d++)
        for (int t = 0; t < TYPE_COUNT; t += 1 + (int)(seed % 3), seed++)
            sort_trial_try_distribution(
                &(struct sort_trial){
                    .algorithm = "msd",
                    .type = types[t],
                    .direction = (int32_t)(seed % 2),
                    .form = seed % 5 == 0 ? CONSORT_FORM_DOUBLE_BUFFER : CONSORT_FORM_COPY,
                    .count = seed % 3 ? 8009 : 20011,
                    .parameters = {{"leaf", seed % 4 == 3 ? 0 : 64}, {"middling", seed % 2}},
                    .in_place = seed % 5 && seed % 2,
                    .seed = seed},
                &list[d]);
}

/* Of the leaves asked for, those of 64 keys make 17011 of them a long list. */
static void test_hostile_keys(void **state)
{
    (void)state;
    uint64_t seed = 500;
    for (unsigned maker = 0; maker < MAKER_COUNT; maker++)
        for (int t = 0; t < TYPE_COUNT; t++, seed++)
            try_hostile(
                &(struct sort_trial){
                    .algorithm = "msd",
                    .type = types[t],
                    .direction = (int32_t)(seed / 3 % 2),
                    .count = seed % 3 ? 7001 : 17011,
                    .parameters = {{"leaf", seed % 3 == 0   ? 64
                                            : seed % 5 == 4 ? 0
                                                            : 64 + (int64_t)(seed % 7) * 50},
                                   {"middling", seed % 2}},
                    .in_place = seed % 2,
                    .seed = seed},
                maker);
}

static void test_counts(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0,   1,    2,    3,    31,   32,    33,    287,   288,
                                      289, 4607, 4608, 4609, 9217, 12287, 12288, 12289, 24577};
    const struct distribution *uniform = distribution_find("uniform");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (int t = 0; t < TYPE_COUNT; t += 3)
            sort_trial_try_distribution(
                &(struct sort_trial){.algorithm = "msd",
                                     .type = types[(t + (int)i) % TYPE_COUNT],
                                     .count = counts[i],
                                     .parameters = {{"leaf", i % 3 ? 0 : 64}},
                                     .captured = i % 4 == 0,
                                     .in_place = i % 2,
                                     .seed = i},
                uniform);
}

/* Lists that the blocks of one launch hold, of which one has no keys: three tiles on the emulator,
 * in whole rows of 1024 keys. The longest short one, whose keys leave at once, too, the shortest
 * middling one, the longest, whose cells are 1024, and one with too many keys for these. */
static void test_middling(void **state)
{
    (void)state;
    static const uint64_t counts[] = {15423, 15424, 18432, 18433, 30719, 49153, 62463, 62464};
    static const char *const keys[] = {"uniform", "sorted", "bucket", "gaussian"};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct sort_trial trial = {.algorithm = "msd", .type = CONSORT_U32, .count = counts[i]};
        trial.parameters[0] = (consort_parameter){"leaf", i % 4 == 3 ? 71 : 64};
        trial.form = i % 3 == 2 ? CONSORT_FORM_DOUBLE_BUFFER : CONSORT_FORM_COPY;
        trial.in_place = i % 3 == 1;
        trial.captured = i % 4 == 1;
        trial.direction = (int32_t)(i / 3 % 2);
        sort_trial_try_distribution(&trial, distribution_find(keys[i % 4]));
    }
}

/* Leaves of several warps, of which the words of wide keys decide most. */
static void test_wide_leaves(void **state)
{
    (void)state;
    const struct distribution *uniform = distribution_find("uniform");
    for (int t = 0; t < 2; t++)
        sort_trial_try_distribution(&(struct sort_trial){.algorithm = "msd",
                                                         .type = t ? CONSORT_I128 : CONSORT_U64,
                                                         .count = t ? 150011 : 300007,
                                                         .direction = t,
                                                         .parameters = {{"leaf", t ? 600 : 1200}},
                                                         .in_place = t,
                                                         .seed = 77},
                                    uniform);
}

/* Several blocks plan: cells in stretches of 1024, one in five too large for the smaller leaves;
 * cells with one code each; buckets of unequal cells. */
static void test_many_cells(void **state)
{
    (void)state;
    const struct sort_trial trial = {.algorithm = "msd",
                                     .type = CONSORT_U32,
                                     .count = 240011,
                                     .parameters = {{"leaf", 64}},
                                     .seed = 91};
    struct sort_trial floats = trial;
    floats.type = CONSORT_F64;
    sort_trial_try_distribution(&trial, distribution_find("uniform"));
    sort_trial_try_distribution(&trial, distribution_find("gaussian"));
    sort_trial_try_distribution(&floats, distribution_find("uniform"));
    for (unsigned maker = 0; maker < MAKER_COUNT; maker++)
        if (makers[maker].make == high_bits)
            try_hostile(&trial, maker);
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    size_t count;
    const struct distribution *list = distribution_list(&count);
    uint64_t seed = 9000;
    for (size_t d = 0; d < count; d++, seed++)
        sort_trial_try_distribution(&(struct sort_trial){.algorithm = "msd",
                                                         .type = types[seed % TYPE_COUNT],
                                                         .count = 20000003,
                                                         .in_place = seed % 2,
                                                         .captured = seed % 3 == 0,
                                                         .seed = seed},
                                    &list[d]);
    for (unsigned maker = 0; maker < MAKER_COUNT; maker++, seed++)
        try_hostile(&(struct sort_trial){.algorithm = "msd",
                                         .type = types[seed % TYPE_COUNT],
                                         .count = 20000003,
                                         .parameters = {{"leaf", seed % 2 ? 0 : 64}},
                                         .captured = seed % 3 == 0,
                                         .seed = seed},
                    maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),       cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_hostile_keys), cmocka_unit_test(test_wide_leaves),
        cmocka_unit_test(test_middling),     cmocka_unit_test(test_many_cells),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
