/* SPDX-License-Identifier: Apache-2.0 */
/* Claims of studies and targets of suites against results that are made up: speed-ups, where two
 * lines cross, how near the ceiling. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "bench_study.h"
#include "bench_targets.h"

static const struct bench_claim crossover = {
    .kind = BENCH_CROSSOVER,
    .what = {.name = "all", .where = BENCH_ON_GPUS_PINNED, .type = CONSORT_U32},
    .against = {.name = "one", .where = BENCH_ON_GPU_PINNED, .type = CONSORT_U32},
};

static void put(struct bench_results *results, uint64_t count, bool every_gpu, double seconds)
{
    const struct bench_case shape = {.operation = BENCH_SORT,
                                     .type = CONSORT_U32,
                                     .distribution = distribution_find("uniform"),
                                     .count = count,
                                     .every_gpu = every_gpu,
                                     .pinned = true};
    struct bench_result *result = bench_results_add(results, &shape, 1);
    assert_non_null(result);
    snprintf(result->scores[0].name, sizeof result->scores[0].name, "%s",
             every_gpu ? "all" : "one");
    result->scores[0].seconds.median = seconds;
}

/* Seconds of one and of all at a million items and more, each time four times as many. */
static bool crosses(const double (*seconds)[2], size_t rows, double *millions)
{
    struct bench_results results = {0};
    uint64_t count = 1000000;
    for (size_t row = 0; row < rows; row++, count *= 4) {
        put(&results, count, false, seconds[row][0]);
        put(&results, count, true, seconds[row][1]);
    }
    bool found = bench_study_measured(&crossover, &results, millions);
    bench_results_release(&results);
    return found;
}

static void expect(const double (*seconds)[2], size_t rows, double wanted)
{
    double millions = 0;
    assert_true(crosses(seconds, rows, &millions));
    assert_true(fabs(millions - wanted) < 1e-9 * wanted);
}

static void test_crossover(void **state)
{
    (void)state;
    static const double once[][2] = {{1, 4}, {2, 4}, {8, 4}, {32, 8}};
    static const double uneven[][2] = {{1, 8}, {8, 4}};
    static const double always[][2] = {{2, 1}, {4, 2}};
    static const double never[][2] = {{1, 2}, {2, 3}, {4, 5}};
    static const double again[][2] = {{2, 1}, {4, 8}, {16, 8}};
    double millions = 0;
    expect(once, 4, 8);
    expect(uneven, 2, pow(4, 0.75));
    expect(always, 2, 1);
    expect(again, 3, 8);
    assert_false(crosses(never, 3, &millions));
    assert_false(crosses(never, 0, &millions));
}

static void test_places_are_told_apart(void **state)
{
    (void)state;
    struct bench_results results = {0};
    double ratio = 0;
    struct bench_claim claim = crossover;
    claim.kind = BENCH_SPEED_UP;
    claim.what.count = claim.against.count = 1000;
    put(&results, 1000, true, 2);
    assert_false(bench_study_measured(&claim, &results, &ratio));
    put(&results, 1000, false, 3);
    assert_true(bench_study_measured(&claim, &results, &ratio));
    assert_true(fabs(ratio - 1.5) < 1e-12);
    claim.what.where = BENCH_ON_GPUS_HOST;
    assert_false(bench_study_measured(&claim, &results, &ratio));
    bench_results_release(&results);
}

/* A million keys of 4 bytes, in and out: 8 MB at 4 MB a second take the ceiling two seconds. */
static void test_ceiling_as_target(void **state)
{
    (void)state;
    static const struct bench_target target = {.type = CONSORT_U32,
                                               .count = 1000000,
                                               .pinned = true,
                                               .against_peer = BENCH_CEILING,
                                               .ratio = 0.75};
    struct bench_results results = {0};
    put(&results, 1000000, false, 2.5);
    snprintf(results.items[0].scores[0].name, sizeof results.items[0].scores[0].name, "consort");
    assert_true(bench_targets_ratio(&target, &results) <= 0);
    results.items[0].ceiling = 4e6;
    assert_true(fabs(bench_targets_ratio(&target, &results) - 0.8) < 1e-12);
    bench_results_release(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossover),
        cmocka_unit_test(test_places_are_told_apart),
        cmocka_unit_test(test_ceiling_as_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
