/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GPU's `merge` and all that merges two lists in device memory against the CPU engine on the
 * same bytes: every type and order, NumPy's too, lengths around the borders of tiles, lists of very
 * unequal length, and lists that are not sorted, whose merge must still be a permutation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/driver.h"
#include "device_array.h"
#include "device_run.h"
#include "merge_trial.h"
#include "sort_trial.h"
#include "support/random.h"
#include "trial_share.h"

static const consort_type types[] = {CONSORT_U8,   CONSORT_I8,   CONSORT_U16, CONSORT_F16,
                                     CONSORT_U32,  CONSORT_F32,  CONSORT_I64, CONSORT_F64,
                                     CONSORT_BF16, CONSORT_U128, CONSORT_I128};
static const consort_type floats[] = {CONSORT_F16, CONSORT_BF16, CONSORT_F32, CONSORT_F64};

enum {
    TYPES = sizeof types / sizeof types[0],
    FLOATS = sizeof floats / sizeof floats[0]
};

static void test_keys(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1,    2,    33,   1000, 2303, 2304,  2305,  4351, 4352,
                                      4353, 8447, 8448, 8449, 8705, 16896, 16897, 30001};
    uint64_t seed = 1;
    for (int t = 0; t < TYPES; t++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++, seed++)
            merge_trial_try(
                &(struct merge_trial){.operation = CONSORT_OPERATION_SORT,
                                      .type = types[t],
                                      .direction = (int32_t)(seed % 2),
                                      .count = counts[c],
                                      .pattern = (enum pattern)(seed % PATTERNS),
                                      .in_place = seed % 3 == 0,
                                      .presorted = (int)(seed / 2 % 5 == 0) - (seed / 2 % 5 == 1),
                                      .seed = seed});
}

static void test_values_and_indices(void **state)
{
    (void)state;
    static const uint64_t values[] = {4, 8, 16, 1, 12, 100},
                          counts[] = {300, 2305, 4352, 9001, 2001, 17500};
    uint64_t seed = 1000;
    for (int t = 0; t < TYPES; t++)
        for (int v = 0; v < 8; v++, seed++)
            merge_trial_try(&(struct merge_trial){
                .operation = v < 6 ? CONSORT_OPERATION_SORT : CONSORT_OPERATION_ARGSORT,
                .type = types[t],
                .direction = (int32_t)(seed % 2),
                .value_bytes = v < 6    ? values[v]
                               : v == 6 ? 4
                                        : 8,
                .count = counts[seed % 6],
                .pattern = (enum pattern)(seed / 2 % PATTERNS),
                .in_place = v < 6 && seed % 3 == 0,
                .presorted = (int)(seed / 2 % 5 == 0) - (seed / 2 % 5 == 1),
                .shift = v < 6 ? seed % 3 : 0,
                .seed = seed});
}

static void test_numpy_order(void **state)
{
    (void)state;
    static const uint64_t values[] = {0, 8, 4}, counts[] = {77, 4352, 4700, 9000, 18000};
    uint64_t seed = 2000;
    for (int f = 0; f < FLOATS; f++)
        for (int v = 0; v < 12; v++, seed++)
            merge_trial_try(&(struct merge_trial){.operation = v % 4 < 2 ? CONSORT_OPERATION_SORT
                                                               : v % 4 == 2
                                                                   ? CONSORT_OPERATION_ARGSORT
                                                                   : CONSORT_OPERATION_MERGE,
                                                  .type = floats[f],
                                                  .direction = (int32_t)(seed % 2),
                                                  .float_order = CONSORT_NUMPY_ORDER,
                                                  .value_bytes = v % 4 == 2 ? 4 : values[v % 3],
                                                  .count = counts[v % 5],
                                                  .count_b = v % 4 == 3 ? 5000 : 0,
                                                  .pattern = SPECIAL,
                                                  .in_place = v % 4 < 2 && v % 3,
                                                  .seed = seed});
}

/* One launch sorts a tile, and its keys go nowhere: nothing may be written but indices. */
static void test_argsort_of_a_tile(void **state)
{
    (void)state;
    static const uint64_t counts[] = {100, 2304, 4352};
    uint64_t seed = 2500;
    for (int t = 0; t < TYPES; t++)
        for (int v = 0; v < 3; v++, seed++)
            merge_trial_try(&(struct merge_trial){.operation = CONSORT_OPERATION_ARGSORT,
                                                  .type = types[t],
                                                  .value_bytes = v % 2 ? 4 : 8,
                                                  .count = counts[v],
                                                  .pattern = (enum pattern)(seed % PATTERNS),
                                                  .seed = seed});
    for (int f = 0; f < FLOATS; f++)
        for (int v = 0; v < 3; v++, seed++)
            merge_trial_try(&(struct merge_trial){.operation = CONSORT_OPERATION_ARGSORT,
                                                  .type = floats[f],
                                                  .float_order = CONSORT_NUMPY_ORDER,
                                                  .value_bytes = v % 2 ? 8 : 4,
                                                  .count = counts[v],
                                                  .pattern = SPECIAL,
                                                  .seed = seed});
}

static void test_other_forms(void **state)
{
    (void)state;
    for (uint64_t seed = 3000; seed < 3024; seed++)
        merge_trial_try(
            &(struct merge_trial){.operation = CONSORT_OPERATION_SORT,
                                  .type = types[seed % TYPES],
                                  .form = seed % 2 ? CONSORT_FORM_DOUBLE_BUFFER : CONSORT_FORM_COPY,
                                  .value_bytes = seed % 4 < 2 ? 4 : 0,
                                  .count = 100 + seed * 997 % 22000,
                                  .captured = seed % 3 == 0,
                                  .pattern = (enum pattern)(seed / 4 % PATTERNS),
                                  .seed = seed});
}

static void test_two_lists(void **state)
{
    (void)state;
    static const uint64_t counts[][2] = {{0, 1},       {1, 0},      {1, 1},     {0, 5000},
                                         {9000, 0},    {1, 9000},   {9000, 1},  {4352, 4352},
                                         {4096, 4352}, {12345, 99}, {7, 20001}, {8448, 8449},
                                         {2048, 6144}, {2049, 2047}};
    static const uint64_t values[] = {0, 4, 8, 16, 3, 40};
    uint64_t seed = 4000;
    for (int t = 0; t < TYPES; t++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++, seed++)
            merge_trial_try(&(struct merge_trial){.operation = CONSORT_OPERATION_MERGE,
                                                  .type = types[t],
                                                  .direction = (int32_t)(seed % 2),
                                                  .value_bytes = values[seed % 6],
                                                  .count = counts[c][0],
                                                  .count_b = counts[c][1],
                                                  .pattern = (enum pattern)(seed / 3 % PATTERNS),
                                                  .captured = seed % 5 == 0,
                                                  .shift = seed % 7 == 0,
                                                  .seed = seed});
}

/* The CPU sorts what came out and what went in: the same bytes. */
static void merge_unsorted(const struct merge_trial *trial, const struct merge_trial_arrays *a,
                           const char *algorithm)
{
    consort_plan *plan = merge_trial_plan(trial, algorithm);
    bool alike = trial->value_bytes == 8 && trial->type == CONSORT_U64;
    void *keys = device_array_new(a->keys, a->key_bytes, 0);
    void *values = device_array_new(alike ? a->keys : a->values, a->value_bytes, 0);
    void *keys_out = device_array_new(NULL, a->key_bytes, 0);
    void *values_out = device_array_new(NULL, a->value_bytes, 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    consort_column column = {.out = values_out};
    consort_arguments arguments;
    merge_trial_arguments(trial, &arguments, &column, keys, values, keys_out);
    device_run(plan, &arguments, workspace, false);
    device_array_read(a->expected_keys, keys_out, a->key_bytes);
    if (alike) {
        device_array_read(a->expected_values, values_out, a->value_bytes);
        assert_memory_equal(a->expected_values, a->expected_keys, a->key_bytes);
    }
    merge_trial_sort(trial, a->expected_keys, a->count);
    void *all[] = {workspace, values_out, keys_out, values, keys};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        device_array_free(all[i], 0);
    consort_plan_destroy(plan);
}

/* Some lists are sorted the other way, so that every cut crosses the one before it. */
static void test_unsorted_lists(void **state)
{
    (void)state;
    for (uint64_t seed = 5000; seed < 5014; seed++) {
        if (!trial_share_takes_next())
            continue;
        struct merge_trial trial = {.operation = CONSORT_OPERATION_SORT,
                                    .type = seed % 2 ? CONSORT_U32 : CONSORT_U64,
                                    .value_bytes = seed % 4 < 2 ? 8 : 0,
                                    .count = seed < 5012 ? 3000 + seed * 7919 % 30000 : 350000,
                                    .presorted = seed % 3 == 0 ? -1 : 0,
                                    .seed = seed};
        struct merge_trial_arrays a;
        merge_trial_make(&trial, &a);
        trial.operation = CONSORT_OPERATION_MERGE;
        trial.count_b = trial.count / (1 + seed % 3);
        trial.count -= trial.count_b;
        unsigned char *sorted = malloc(a.key_bytes);
        memcpy(sorted, a.keys, a.key_bytes);
        merge_trial_sort(&trial, sorted, a.count);
        uint32_t index = 0;
        for (const char *name; (name = merge_trial_next(&index));) {
            merge_unsorted(&trial, &a, name);
            assert_memory_equal(a.expected_keys, sorted, a.key_bytes);
        }
        free(sorted);
        merge_trial_free(&a);
    }
}

/* More tiles than are few, so that cuts lie between others, and a sort whose rounds are cut by
 * another launch. */
static void test_many_tiles(void **state)
{
    (void)state;
    static const struct {
        int32_t operation;
        consort_type type;
        uint64_t value_bytes, count, count_b;
    } lists[] = {{CONSORT_OPERATION_SORT, CONSORT_U64, 4, 300000, 0},
                 {CONSORT_OPERATION_MERGE, CONSORT_U64, 4, 200000, 123456},
                 {CONSORT_OPERATION_MERGE, CONSORT_F32, 0, 123, 654321},
                 {CONSORT_OPERATION_MERGE, CONSORT_U128, 0, 100000, 100000},
                 {CONSORT_OPERATION_MERGE, CONSORT_U8, 16, 299000, 1000}};
    uint64_t seed = 5500;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (int pattern = RANDOM; pattern < PATTERNS; pattern++, seed++)
            merge_trial_try(&(struct merge_trial){.operation = lists[i].operation,
                                                  .type = lists[i].type,
                                                  .value_bytes = lists[i].value_bytes,
                                                  .count = lists[i].count,
                                                  .count_b = lists[i].count_b,
                                                  .pattern = (enum pattern)pattern,
                                                  .seed = seed});
}

/* What the runs of a group of four hold. */
enum content {
    ANYTHING,
    ONE_KEY,
    FOUR_KEYS,
    ONE_RUN_BELOW_THE_NEXT, /* in an order that differs from theirs */
    ENDS_IN_ONE_RUN,        /* its keys are the lowest and the highest, the others' lie between */
    CONTENTS
};

static uint64_t content_key(enum content content, uint64_t run, uint64_t *random)
{
    static const uint64_t below[] = {2, 0, 3, 1};
    const uint64_t key = random_next(random);
    switch (content) {
    case ONE_KEY:
        return UINT64_MAX;
    case FOUR_KEYS:
        return key % 4 - 2;
    case ONE_RUN_BELOW_THE_NEXT:
        return (below[run % 4] << 28 | key % (1 << 28)) * 0x100000001u;
    case ENDS_IN_ONE_RUN:
        return run % 4 == 1 ? 0 - key % 2 : (key % (1 << 28) + (1 << 28)) * 0x100000001u;
    default:
        return key;
    }
}

static void try_four_runs(const struct sort_trial *trial, uint64_t tile, enum content content)
{
    const uint64_t bytes = consort_type_size(trial->type);
    uint64_t random = trial->seed;
    unsigned char *keys = sort_trial_array(trial->count * bytes);
    for (uint64_t i = 0; i < trial->count; i++) {
        const uint64_t key = content_key(content, i / tile, &random);
        memcpy(keys + i * bytes, &key, bytes);
    }
    sort_trial_try(trial, keys);
    free(keys);
}

/* However few tiles there are: groups of one run to four, of whole tiles and others. */
static void test_four_runs(void **state)
{
    (void)state;
    static const struct {
        consort_type type;
        int32_t float_order;
        int values;
        uint64_t tile;
    } kinds[] = {{CONSORT_U32, 0, 0, 8448},
                 {CONSORT_U64, 0, 0, 4352},
                 {CONSORT_U32, 0, 4, 4352},
                 {CONSORT_I64, 0, 8, 2304},
                 {CONSORT_F32, CONSORT_NUMPY_ORDER, 0, 4352},
                 {CONSORT_U64, 0, SORT_TRIAL_U32, 2304}};
    static const uint64_t runs[] = {2, 3, 4, 5, 6, 9, 17}, more[] = {1, 0, 0, 1, 77, 5000, 4223};
    uint64_t seed = 5600;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (int content = 0; content < CONTENTS; content++, seed++)
            for (size_t r = seed % 2; r < (kinds[k].tile < 8000 ? 7 : 5); r += 2)
                try_four_runs(
                    &(struct sort_trial){.algorithm = "merge",
                                         .keys = "of runs",
                                         .type = kinds[k].type,
                                         .direction = (int32_t)(seed % 2),
                                         .float_order = kinds[k].float_order,
                                         .values = kinds[k].values,
                                         .count = runs[r] * kinds[k].tile + more[r],
                                         .parameters = {{.name = "four_from", .value = 1}},
                                         .seed = seed + r},
                    kinds[k].tile, (enum content)content);
}

static void test_large(void **state)
{
    (void)state;
    if (!getenv("CONSORT_TEST_LARGE"))
        skip();
    for (uint64_t seed = 6000; seed < 6000 + 2 * TYPES; seed++)
        merge_trial_try(&(struct merge_trial){.operation = 1 + (int32_t)(seed % 3),
                                              .type = types[seed % TYPES],
                                              .value_bytes = seed % 3 == 1 || seed % 2 ? 8 : 0,
                                              .count = 3000017,
                                              .count_b = seed % 3 == 2 ? 1234567 : 0,
                                              .pattern = (enum pattern)(seed / 2 % PATTERNS),
                                              .captured = seed % 5 == 0,
                                              .seed = seed});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_values_and_indices),
        cmocka_unit_test(test_numpy_order),
        cmocka_unit_test(test_other_forms),
        cmocka_unit_test(test_two_lists),
        cmocka_unit_test(test_unsorted_lists),
        cmocka_unit_test(test_argsort_of_a_tile),
        cmocka_unit_test(test_many_tiles),
        cmocka_unit_test(test_four_runs),
        cmocka_unit_test(test_large),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
