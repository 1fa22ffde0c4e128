/* SPDX-License-Identifier: Apache-2.0 */
/* More items than 32 bits count: 2^32 + 7 keys of one byte, sorted, selected from, looked through.
 */
#include "api/api_test.h"

#include <stdlib.h>
#include <unistd.h>

#include "support/random.h"

static const uint64_t count = ((uint64_t)1 << 32) + 7;
static uint8_t *keys;

static int setup(void **state)
{
    (void)state;
    uint64_t free_bytes = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (free_bytes > count + count / 4)
        keys = malloc(count);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(keys);
    return 0;
}

static void fill(uint64_t histogram[256])
{
    memset(histogram, 0, 256 * sizeof *histogram);
    for (uint64_t i = 0; i < count; i++) {
        keys[i] = (uint8_t)(1 + random_mix(i / 8) % 250);
        histogram[keys[i]]++;
    }
}

static void test_sort(void **state)
{
    (void)state;
    static uint64_t histogram[256];
    if (!keys)
        skip();
    fill(histogram);
    assert_works(consort_sort(keys, keys, count, CONSORT_U8, NULL));
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0 && keys[i] < keys[i - 1])
            fail_msg("disorder at %llu", (unsigned long long)i);
        histogram[keys[i]]--;
    }
    for (int value = 0; value < 256; value++)
        assert_int_equal(histogram[value], 0);
}

/* The keys are sorted now. */
static void test_disorder_beyond(void **state)
{
    (void)state;
    uint64_t found;
    if (!keys)
        skip();
    assert_works(consort_is_sorted(keys, count, CONSORT_U8, NULL, &found));
    assert_int_equal(found, count);
    uint8_t last = keys[count - 2];
    keys[count - 2] = 0;
    assert_works(consort_is_sorted(keys, count, CONSORT_U8, NULL, &found));
    assert_int_equal(found, count - 2);
    keys[count - 2] = last;
}

static void test_select_beyond(void **state)
{
    (void)state;
    uint8_t least[2];
    uint64_t indices[2];
    if (!keys)
        skip();
    keys[count - 1] = keys[count - 3] = 0;
    assert_works(consort_top_k(keys, count, 2, least, indices, CONSORT_U64, CONSORT_U8, NULL));
    assert_int_equal(least[0] | least[1], 0);
    assert_int_equal(indices[0], count - 3);
    assert_int_equal(indices[1], count - 1);
    assert_fails(CONSORT_ERROR_ARGUMENT,
                 consort_top_k(keys, count, 2, least, indices, CONSORT_U32, CONSORT_U8, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_disorder_beyond),
        cmocka_unit_test(test_select_beyond),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
