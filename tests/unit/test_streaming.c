/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the CPU engine does with long lists only: outputs larger than 8 MiB are written past the
 * caches, by every algorithm, also when they do not begin at a line of the cache; blocks of 16-bit
 * keys are counted as one key dominates them or not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "support/random.h"

enum {
    COUNT = (1 << 22) + 1001,
    RUN = 700, /* long enough to be written line by line */
    THREADS = 2
};

static void *allocate(uint64_t bytes)
{
    void *memory = malloc(bytes);
    assert_non_null(memory);
    return memory;
}

static consort_options options_for(const char *algorithm)
{
    consort_options options;
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CPU;
    options.algorithm = algorithm;
    options.threads = THREADS;
    return options;
}

/* The values are places of the input: they must fit the keys and rise among equal ones, which
 * only the one stable result does. */
static void sort_with_places(const char *algorithm, uint32_t skip)
{
    uint64_t seed = 5, count = COUNT / 4;
    uint64_t *keys = allocate(count * sizeof *keys), *places = allocate(count * sizeof *places);
    uint64_t *keys_out = allocate((count + skip) * sizeof *keys);
    uint64_t *places_out = allocate((count + skip) * sizeof *places);
    for (uint64_t i = 0; i < count; i++) {
        keys[i] = random_next(&seed) & 0xfff0000000fff000u;
        places[i] = i;
    }
    consort_column column = {
        .in = places, .out = places_out + skip, .element_bytes = sizeof *places};
    consort_options options = options_for(algorithm);
    assert_int_equal(
        consort_sort_pairs(keys, keys_out + skip, &column, 1, count, CONSORT_U64, &options),
        CONSORT_OK);
    const uint64_t *k = keys_out + skip, *p = places_out + skip;
    for (uint64_t i = 0; i < count; i++) {
        assert_true(p[i] < count && keys[p[i]] == k[i]);
        assert_true(i == 0 || k[i - 1] < k[i] || (k[i - 1] == k[i] && p[i - 1] < p[i]));
    }
    free(keys);
    free(places);
    free(keys_out);
    free(places_out);
}

static void test_pairs(void **state)
{
    (void)state;
    sort_with_places("lsd", 3);
    sort_with_places("msd", 0);
    sort_with_places("merge", 1);
}

static int compare_keys(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_keys(const char *algorithm, const uint32_t *keys, const uint32_t *sorted,
                      uint32_t skip)
{
    uint32_t *out = allocate((COUNT + skip) * sizeof *out);
    consort_options options = options_for(algorithm);
    assert_int_equal(consort_sort(keys, out + skip, COUNT, CONSORT_U32, &options), CONSORT_OK);
    assert_memory_equal(out + skip, sorted, COUNT * sizeof *out);
    free(out);
}

static void test_keys(void **state)
{
    uint64_t seed = 9;
    uint32_t *keys = allocate(COUNT * sizeof *keys), *sorted = allocate(COUNT * sizeof *keys);
    (void)state;
    for (uint64_t i = 0; i < COUNT; i++)
        sorted[i] = keys[i] = (uint32_t)random_next(&seed);
    qsort(sorted, COUNT, sizeof *sorted, compare_keys);
    sort_keys("lsd", keys, sorted, 5);
    sort_keys("msd", keys, sorted, 11);
    sort_keys("lsd", keys, sorted, 0);
    free(keys);
    free(sorted);
}

/* Key i of the output, when each value of [0, COUNT / RUN] but 77 occurs RUN times. */
static uint16_t run_key(uint64_t i)
{
    uint64_t key = i / RUN;
    return (uint16_t)(key == 77 ? 78 : key);
}

static void sort_runs(const char *algorithm, uint32_t skip)
{
    uint16_t *keys = allocate(COUNT * sizeof *keys);
    uint16_t *out = allocate((COUNT + skip) * sizeof *out);
    for (uint64_t i = 0; i < COUNT; i++)
        keys[i] = run_key(i * 1000003 % COUNT);
    consort_options options = options_for(algorithm);
    assert_int_equal(consort_sort(keys, out + skip, COUNT, CONSORT_U16, &options), CONSORT_OK);
    for (uint64_t i = 0; i < COUNT; i++)
        assert_int_equal(out[skip + i], run_key(i));
    free(keys);
    free(out);
}

static void test_runs(void **state)
{
    (void)state;
    sort_runs("counting", 0);
    sort_runs("counting", 7);
    sort_runs("lsd", 7);
}

/* One key is `percent` of the input: counting has a loop of its own for that. */
static void sort_dominated(uint32_t percent, uint64_t count)
{
    static uint64_t left[1 << 16];
    uint64_t seed = percent;
    uint16_t *keys = allocate(count * sizeof *keys), *out = allocate(count * sizeof *out);
    memset(left, 0, sizeof left);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t random = random_next(&seed);
        keys[i] = (uint16_t)(random % 100 < percent ? 40000 : random >> 48);
        left[keys[i]]++;
    }
    consort_options options = options_for("counting");
    assert_int_equal(consort_sort(keys, out, count, CONSORT_U16, &options), CONSORT_OK);
    for (uint64_t i = 0; i < count; i++) {
        assert_true(i == 0 || out[i - 1] <= out[i]);
        assert_true(left[out[i]]-- > 0);
    }
    free(keys);
    free(out);
}

static void test_dominated(void **state)
{
    (void)state;
    for (uint32_t percent = 40; percent < 100; percent += 25)
        for (uint64_t count = 8193; count < COUNT; count = count * 9 + 2)
            sort_dominated(percent, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_dominated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
