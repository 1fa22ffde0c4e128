/* SPDX-License-Identifier: Apache-2.0 */
/* Host arrays on a GPU of whose memory others have nearly all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "support/random.h"

enum {
    SHORT = 3001,
    FILLING = 200 /* pieces that fill a GPU's memory */
};

static uint64_t memory_left(void)
{
    size_t left = 0, total;
    assert_int_equal(driver_get()->cuMemGetInfo(&left, &total), CUDA_SUCCESS);
    return left;
}

/* Takes the GPU's memory until little is left; returns how many pieces it took. */
static int fill_memory(CUdeviceptr *taken, uint64_t leave)
{
    int count = 0;
    for (uint64_t piece = memory_left(); piece >= leave / 8 && count < FILLING;) {
        uint64_t left = memory_left();
        piece = left < leave + piece ? piece / 2 : piece;
        if (left >= leave + piece && driver_get()->cuMemAlloc(&taken[count], piece) == CUDA_SUCCESS)
            count++;
    }
    assert_true(memory_left() < 2 * leave);
    return count;
}

static consort_status sort_within(uint64_t workspace, int32_t engine, const char *algorithm,
                                  const uint32_t *keys, uint32_t *sorted, uint64_t count)
{
    consort_options options;
    consort_options_init(&options);
    options.engine = engine;
    options.algorithm = algorithm;
    options.workspace_limit = workspace;
    memcpy(sorted, keys, count * sizeof *keys);
    consort_status status = consort_sort(sorted, sorted, count, CONSORT_U32, &options);
    if (status == CONSORT_OK)
        for (uint64_t i = 1; i < count; i++)
            assert_true(sorted[i - 1] <= sorted[i]);
    else
        assert_memory_equal(sorted, keys, count * sizeof *keys);
    return status;
}

static consort_status sort_by(int32_t engine, const char *algorithm, const uint32_t *keys,
                              uint32_t *sorted, uint64_t count)
{
    return sort_within(UINT64_MAX, engine, algorithm, keys, sorted, count);
}

/* By force, without an algorithm: through the memory that is left, in chunks. What other operations
 * take all at once is an error, and so are chunks that may have no workspace. */
static void force(const uint32_t *keys, uint32_t *sorted, uint64_t count)
{
    consort_options options;
    uint64_t disorder;
    assert_int_equal(sort_by(CONSORT_ENGINE_CUDA, NULL, keys, sorted, count), CONSORT_OK);
    assert_int_equal(sort_within(0, CONSORT_ENGINE_CUDA, NULL, keys, sorted, count),
                     CONSORT_ERROR_DEVICE_MEMORY);
    assert_non_null(strstr(consort_last_error()->message, "allocating device memory"));
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    assert_int_equal(consort_is_sorted(keys, count, CONSORT_U32, &options, &disorder),
                     CONSORT_ERROR_DEVICE_MEMORY);
}

/* A plan from before the memory was taken: it keeps its name, and its counters are not those of
 * what did the work. */
static consort_plan *plan_early(uint64_t count)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.device = 0;
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = count;
    descriptor.options = &options;
    assert_int_equal(consort_plan_create(&descriptor, &plan), CONSORT_OK);
    return plan;
}

static void run_early(consort_plan *plan, const uint32_t *keys, uint32_t *sorted, uint64_t count)
{
    consort_plan_info info;
    consort_outcome outcome;
    consort_arguments arguments;
    consort_plan_info_init(&info);
    consort_arguments_init(&arguments);
    memset(&outcome, 0xa5, sizeof outcome);
    arguments.count = count;
    arguments.in = keys;
    arguments.out = sorted;
    arguments.outcome = &outcome;
    assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, NULL), CONSORT_OK);
    for (uint64_t i = 1; i < count; i++)
        assert_true(sorted[i - 1] <= sorted[i]);
    assert_int_equal(outcome.status, CONSORT_OK);
    for (size_t i = 0; i < sizeof outcome.counters / sizeof outcome.counters[0]; i++)
        assert_int_equal(outcome.counters[i], 0);
    assert_int_equal(consort_plan_get_info(plan, &info), CONSORT_OK);
    assert_string_not_equal(info.algorithm, "merge-chunks");
    consort_plan_destroy(plan);
}

/* What does not fit is sorted elsewhere or in parts; by a forced algorithm it is an error, and the
 * input whole; what fits is sorted. */
static void test_a_nearly_full_gpu(void **state)
{
    (void)state;
    const struct device *device = device_open(0);
    bool large = device->memory > (uint64_t)1 << 30;
    if (large && !getenv("CONSORT_TEST_LARGE"))
        skip(); /* others may be using this GPU */
    uint64_t leave = (uint64_t)(large ? 256 : 2) << 20, count = 3 * leave / 2 / sizeof(uint32_t);
    CUdeviceptr taken[FILLING];
    uint32_t *keys = malloc(3 * leave / 2), *sorted = malloc(3 * leave / 2);
    assert_true(keys && sorted);
    for (uint64_t i = 0; i < count; i++)
        keys[i] = (uint32_t)random_mix(i);
    consort_plan *early = plan_early(count);
    assert_int_equal(device_enter(device), CONSORT_OK);
    int pieces = fill_memory(taken, leave);
    assert_int_equal(sort_by(CONSORT_ENGINE_AUTO, NULL, keys, sorted, count), CONSORT_OK);
    assert_int_equal(sort_by(CONSORT_ENGINE_CUDA, "msd", keys, sorted, count),
                     CONSORT_ERROR_DEVICE_MEMORY);
    assert_int_equal(consort_last_error()->input_whole, 1);
    force(keys, sorted, count);
    run_early(early, keys, sorted, count);
    assert_int_equal(sort_by(CONSORT_ENGINE_CUDA, "msd", keys, sorted, SHORT), CONSORT_OK);
    while (pieces > 0)
        assert_int_equal(driver_get()->cuMemFree(taken[--pieces]), CUDA_SUCCESS);
    assert_int_equal(sort_by(CONSORT_ENGINE_CUDA, "msd", keys, sorted, count / 4), CONSORT_OK);
    device_leave(device);
    free(keys);
    free(sorted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_nearly_full_gpu),
    };
    if (device_count() == 0) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
