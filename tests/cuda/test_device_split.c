/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `sample` and `quick` by force, with leaves so small that few keys are split often: the result of
 * the CPU engine, and what they count. No distribution needs the network at the end, equal keys
 * are split once, and where splits are forbidden the network sorts. Runs on the emulator and on a
 * GPU alike.
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
#include "trial_share.h"

enum {
    COUNT = 6000,
    LEAF = 256,
    LEVELS = 0, /* counters */
    FALLBACK = 2
};

static const consort_type types[] = {CONSORT_U8, CONSORT_U32, CONSORT_F64};

/* Nothing is left to the network but where splits are forbidden, and equal keys are split once. */
static void check_counters(const struct sort_trial *trial, const consort_outcome *told)
{
    bool equal = strcmp(trial->keys, "equal") == 0;
    bool uniform = strcmp(trial->keys, "uniform") == 0;
    bool all_levels = trial->parameters[1].value == 0;
    if (all_levels && told->counters[FALLBACK] != 0)
        fail_msg("%s: the network sorted %llu keys of %s", trial->algorithm,
                 (unsigned long long)told->counters[FALLBACK], trial->keys);
    if (equal && trial->values == 0)
        assert_int_equal(told->counters[LEVELS], 1);
    if (uniform && !all_levels && trial->type == CONSORT_U32)
        assert_true(told->counters[FALLBACK] > 0);
}

/* `levels` 0: as many as the algorithm takes. */
static void try_distribution(const char *algorithm, const struct distribution *distribution,
                             consort_type type, int values, int64_t levels)
{
    if (!distribution_supports(distribution, type) || !trial_share_takes_next())
        return;
    struct sort_trial trial = {.algorithm = algorithm,
                               .keys = distribution->name,
                               .type = type,
                               .values = values,
                               .count = COUNT,
                               .parameters = {{"leaf", LEAF}, {"levels", levels}},
                               .in_place = values == 0,
                               .seed = 1};
    if (levels && strcmp(algorithm, "sample") == 0)
        trial.parameters[2] = (consort_parameter){"ways", 4};
    unsigned char *keys = sort_trial_array(COUNT * consort_type_size(type));
    assert_true(distribution_fill(distribution, type, keys, 0, COUNT, COUNT, trial.seed));
    consort_outcome told = sort_trial_run(&trial, keys);
    check_counters(&trial, &told);
    free(keys);
}

static void try_algorithm(const char *name)
{
    size_t count;
    const struct distribution *list = distribution_list(&count);
    for (size_t i = 0; i < count; i++) {
        int values = i % 3 == 0 ? SORT_TRIAL_U32 : 0;
        try_distribution(name, &list[i], types[i % (sizeof types / sizeof types[0])], 0, 0);
        try_distribution(name, &list[i], CONSORT_U32, values, 0);
        if (i % 4 == 0)
            try_distribution(name, &list[i], CONSORT_U32, values, 1);
    }
}

static void test_sample(void **state)
{
    (void)state;
    try_algorithm("sample");
}

static void test_quick(void **state)
{
    (void)state;
    try_algorithm("quick");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_quick),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
