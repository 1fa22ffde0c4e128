/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparisons that contradict themselves: never a crash, a hang or a byte outside, and what comes
 * out is a permutation of what went in, whatever the algorithm.
 */
#include "api/api_test.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "support/guarded.h"
#include "support/random.h"

enum {
    ELEMENT = 12
};

static const uint64_t counts[] = {2, 3, 31, 33, 257, 4097, 70000};

static uint32_t id_of(const void *element)
{
    uint32_t id;
    memcpy(&id, element, sizeof id);
    return id;
}

static int32_t compare_first(void *context, const void *a, const void *b)
{
    (void)context, (void)a, (void)b;
    return -1;
}

static int32_t compare_last(void *context, const void *a, const void *b)
{
    (void)context, (void)a, (void)b;
    return INT32_MAX;
}

static int32_t compare_lots(void *context, const void *a, const void *b)
{
    (void)a, (void)b;
    return (int32_t)(random_mix(atomic_fetch_add((_Atomic uint64_t *)context, 1)) % 3) - 1;
}

/* Rock, paper, scissors. */
static int32_t compare_cycle(void *context, const void *a, const void *b)
{
    (void)context;
    int32_t difference = (int32_t)(id_of(a) % 3) - (int32_t)(id_of(b) % 3);
    return difference == 2 ? -1 : difference == -2 ? 1 : difference;
}

static const consort_compare comparisons[] = {compare_first, compare_last, compare_lots,
                                              compare_cycle};

static bool is_permutation(const char *elements, uint64_t count)
{
    char *seen = calloc(count, 1);
    bool good = seen != NULL;
    for (uint64_t i = 0; good && i < count; i++) {
        uint32_t id = id_of(elements + i * ELEMENT);
        good = id < count && !seen[id] && id_of(elements + i * ELEMENT + 4) == ~id;
        if (good)
            seen[id] = 1;
    }
    free(seen);
    return good;
}

static void contradict(const char *algorithm, consort_compare compare, uint64_t count,
                       uint64_t limit)
{
    static struct guarded in, out;
    _Atomic uint64_t draws = count;
    consort_options options;
    consort_options_init(&options);
    options.algorithm = algorithm;
    options.workspace_limit = limit;
    char *elements = guarded_take(&in, count * ELEMENT, 1);
    char *sorted = guarded_take(&out, count * ELEMENT, 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t element[3] = {i, ~i, 0};
        memcpy(elements + (uint64_t)i * ELEMENT, element, ELEMENT);
    }
    consort_status status =
        consort_sort_by(elements, sorted, count, ELEMENT, compare, &draws, &options);
    if (status == CONSORT_ERROR_UNSUPPORTED || status == CONSORT_ERROR_WORKSPACE)
        return;
    assert_int_equal(status, CONSORT_OK);
    assert_true(is_permutation(sorted, count));
    assert_true(guarded_intact(&in) && guarded_intact(&out));
    assert_works(consort_sort_by(sorted, sorted, count, ELEMENT, compare, &draws, &options));
    assert_true(is_permutation(sorted, count));
    assert_true(guarded_intact(&out));
}

static void test_contradictions(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= consort_algorithm_count(); i++) {
        consort_algorithm_info info;
        consort_algorithm_info_init(&info);
        if (i > 0)
            assert_works(consort_algorithm_get_info(i - 1, &info));
        if (i > 0 && (info.operation != CONSORT_OPERATION_SORT || info.quadratic))
            continue;
        for (size_t c = 0; c < sizeof comparisons / sizeof *comparisons; c++)
            for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
                contradict(info.name, comparisons[c], counts[n], UINT64_MAX);
                if (i == 0)
                    contradict(NULL, comparisons[c], counts[n], 0);
            }
    }
}

/* Every call gets the caller's context, and elements of the caller's, in no particular place. */
static int32_t compare_known(void *context, const void *a, const void *b)
{
    assert_ptr_equal(context, counts);
    uint32_t x = id_of(a), y = id_of(b);
    return x < y ? -1 : x > y;
}

static void test_context(void **state)
{
    (void)state;
    uint32_t elements[] = {5, 3, 9, 1, 1, 7};
    assert_works(consort_sort_by(elements, elements, 6, 4, compare_known, (void *)counts, NULL));
    const uint32_t sorted[] = {1, 1, 3, 5, 7, 9};
    assert_memory_equal(elements, sorted, sizeof sorted);
    assert_fails(CONSORT_ERROR_ARGUMENT,
                 consort_sort_by(elements, elements, 6, 4, NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
