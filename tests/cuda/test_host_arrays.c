/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs on host arrays by the GPU: every kind of memory in every place, arrays in the wrong memory,
 * cancelling, threads, and the caller's context left as it was. One GPU and two.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "places.h"
#include "progress_watch.h"
#include "support/random.h"
#include "test_threads.h"
#include "trial_share.h"

enum {
    COUNT = 3001,
    VALUE = 8,
    THREADS = 10
};

struct data {
    uint32_t keys[COUNT], sorted[COUNT], indices[COUNT];
    uint64_t values[COUNT], sorted_values[COUNT];
};

static struct data *data_new(uint64_t seed)
{
    struct data *d = calloc(1, sizeof *d);
    assert_non_null(d);
    for (uint64_t i = 0; i < COUNT; i++) {
        d->keys[i] = (uint32_t)(random_mix(seed + i) % 500);
        d->values[i] = random_mix(~(seed + i));
    }
    consort_options options;
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CPU;
    consort_column column = {.in = d->values, .out = d->sorted_values, .element_bytes = VALUE};
    assert_int_equal(
        consort_sort_pairs(d->keys, d->sorted, &column, 1, COUNT, CONSORT_U32, &options),
        CONSORT_OK);
    assert_int_equal(
        consort_argsort(d->keys, d->indices, CONSORT_U32, COUNT, CONSORT_U32, &options),
        CONSORT_OK);
    return d;
}

static CUcontext current(void)
{
    CUcontext context = NULL;
    assert_int_equal(driver_get()->cuCtxGetCurrent(&context), CUDA_SUCCESS);
    return context;
}

static consort_plan *plan_of(int32_t operation, int32_t engine, int32_t memory, int32_t device,
                             uint64_t value_bytes)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = engine;
    options.device = device;
    descriptor.operation = operation;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = COUNT;
    descriptor.memory = memory;
    descriptor.index_type = operation == CONSORT_OPERATION_ARGSORT ? CONSORT_U32 : 0;
    descriptor.value_bytes = &value_bytes;
    descriptor.value_count = value_bytes > 0;
    descriptor.options = &options;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    return plan;
}

static enum place_kind draw(uint64_t *seed, int kinds)
{
    return (enum place_kind)random_below(seed, (uint64_t)kinds);
}

static void expect_bytes(enum place_kind kind, const void *place, const void *wanted,
                         uint64_t bytes)
{
    void *read = malloc(bytes);
    assert_non_null(read);
    place_read(kind, read, place, bytes);
    assert_memory_equal(read, wanted, bytes);
    free(read);
}

static void try_pairs(uint64_t seed, int kinds)
{
    struct data *d = data_new(seed);
    enum place_kind k[4];
    for (int i = 0; i < 4; i++)
        k[i] = draw(&seed, kinds);
    bool same_keys = random_below(&seed, 2), same_values = random_below(&seed, 2);
    consort_column column = {.in = place_new(k[2], d->values, sizeof d->values),
                             .element_bytes = VALUE};
    void *in = place_new(k[0], d->keys, sizeof d->keys);
    void *out = same_keys ? in : place_new(k[1], NULL, sizeof d->keys);
    column.out = same_values ? (void *)column.in : place_new(k[3], NULL, sizeof d->values);
    consort_plan *plan =
        plan_of(CONSORT_OPERATION_SORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_HOST, 0, VALUE);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = in;
    arguments.out = out;
    arguments.values = &column;
    CUcontext before = current();
    if (consort_plan_run(plan, &arguments, NULL, 0, NULL) != CONSORT_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, consort_last_error()->message);
    assert_ptr_equal(before, current());
    expect_bytes(k[same_keys ? 0 : 1], out, d->sorted, sizeof d->keys);
    expect_bytes(k[same_values ? 2 : 3], column.out, d->sorted_values, sizeof d->values);
    if (!same_keys) {
        expect_bytes(k[0], in, d->keys, sizeof d->keys);
        place_free(k[1], out);
    }
    if (!same_values) {
        expect_bytes(k[2], column.in, d->values, sizeof d->values);
        place_free(k[3], column.out);
    }
    place_free(k[0], in);
    place_free(k[2], (void *)column.in);
    consort_plan_destroy(plan);
    free(d);
}

static int kinds_here(void)
{
    return device_count() > 1 ? PLACE_KINDS : PLACE_OTHER;
}

static void test_every_kind_of_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++)
        if (trial_share_takes_next())
            try_pairs(seed * 1000003, kinds_here());
}

static void test_indices_of_every_kind(void **state)
{
    (void)state;
    struct data *d = data_new(77);
    consort_plan *plan =
        plan_of(CONSORT_OPERATION_ARGSORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_HOST, 0, 0);
    for (int from = 0; from < kinds_here(); from++)
        for (int to = 0; to < kinds_here(); to++) {
            if (!trial_share_takes_next())
                continue;
            consort_arguments arguments;
            consort_arguments_init(&arguments);
            arguments.count = COUNT;
            arguments.in = place_new((enum place_kind)from, d->keys, sizeof d->keys);
            arguments.indices = place_new((enum place_kind)to, NULL, sizeof d->indices);
            assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, NULL), CONSORT_OK);
            expect_bytes((enum place_kind)to, arguments.indices, d->indices, sizeof d->indices);
            place_free((enum place_kind)from, (void *)arguments.in);
            place_free((enum place_kind)to, arguments.indices);
        }
    consort_plan_destroy(plan);
    free(d);
}

/* One call finds the array's GPU; plans that cannot reach an array say so. */
static void test_arrays_in_the_wrong_memory(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct data *d = data_new(5);
    enum place_kind kind = device_count() > 1 ? PLACE_OTHER : PLACE_DEVICE;
    void *keys = place_new(kind, d->keys, sizeof d->keys);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = arguments.out = keys;
    consort_plan *plan =
        plan_of(CONSORT_OPERATION_SORT, CONSORT_ENGINE_CPU, CONSORT_MEMORY_HOST, -1, 0);
    uint64_t bytes = consort_plan_workspace(plan);
    assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, NULL), CONSORT_ERROR_ARGUMENT);
    consort_plan_destroy(plan);
    assert_int_equal(consort_sort(keys, keys, COUNT, CONSORT_U32, NULL), CONSORT_OK);
    expect_bytes(kind, keys, d->sorted, sizeof d->sorted);
    plan = plan_of(CONSORT_OPERATION_SORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_DEVICE, 0, 0);
    bytes = consort_plan_workspace(plan);
    void *workspace = place_new(PLACE_DEVICE, NULL, bytes);
    void *pageable = place_new(PLACE_PAGEABLE, d->keys, sizeof d->keys);
    arguments.in = arguments.out = pageable;
    if (!device_describe(0)->pageable_access)
        assert_int_equal(consort_plan_run(plan, &arguments, workspace, bytes, NULL),
                         CONSORT_ERROR_ARGUMENT);
    expect_bytes(PLACE_PAGEABLE, pageable, d->keys, sizeof d->keys);
    place_free(PLACE_DEVICE, workspace);
    place_free(PLACE_PAGEABLE, pageable);
    place_free(kind, keys);
    consort_plan_destroy(plan);
    free(d);
}

static void test_progress_and_cancel(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    struct data *d = data_new(9);
    consort_plan *plan =
        plan_of(CONSORT_OPERATION_SORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_HOST, 0, 0);
    consort_status status = CONSORT_ERROR_CANCELLED;
    for (uint64_t stop = 1; status != CONSORT_OK; stop++) {
        uint32_t keys[COUNT];
        struct progress_watch progress;
        consort_arguments arguments;
        consort_arguments_init(&arguments);
        memcpy(keys, d->keys, sizeof keys);
        arguments.count = COUNT;
        arguments.in = arguments.out = keys;
        progress_watch_begin(&progress, &arguments, stop);
        status = consort_plan_run(plan, &arguments, NULL, 0, NULL);
        if (status != CONSORT_OK) {
            assert_int_equal(status, CONSORT_ERROR_CANCELLED);
            if (consort_last_error()->input_whole)
                assert_memory_equal(keys, d->keys, sizeof keys);
        } else {
            assert_memory_equal(keys, d->sorted, sizeof keys);
            assert_int_equal(progress.last, progress.total);
            assert_true(stop > 2);
        }
    }
    consort_plan_destroy(plan);
    free(d);
}

static void test_capturing_streams_are_refused(void **state)
{
    (void)state;
    struct data *d = data_new(3);
    const struct driver *driver = driver_get();
    const struct device *device = device_open(0);
    assert_int_equal(device_enter(device), CONSORT_OK);
    for (int32_t engine = CONSORT_ENGINE_CPU; engine <= CONSORT_ENGINE_CUDA; engine++) {
        CUstream stream;
        CUgraph graph;
        consort_plan *plan = plan_of(CONSORT_OPERATION_SORT, engine, CONSORT_MEMORY_HOST, -1, 0);
        consort_arguments arguments;
        consort_arguments_init(&arguments);
        arguments.count = COUNT;
        arguments.in = arguments.out = d->keys;
        assert_int_equal(driver->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
        assert_int_equal(driver->cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                         CUDA_SUCCESS);
        assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, stream),
                         CONSORT_ERROR_CAPTURE);
        assert_int_equal(driver->cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
        driver->cuGraphDestroy(graph);
        driver->cuStreamDestroy(stream);
        consort_plan_destroy(plan);
    }
    device_leave(device);
    free(d);
}

/* A plan for device memory on a stream of this thread's own. */
static void try_device_plan(uint64_t seed)
{
    const struct driver *driver = driver_get();
    const struct device *device = device_open(0);
    struct data *d = data_new(seed);
    consort_plan *plan =
        plan_of(CONSORT_OPERATION_SORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_DEVICE, 0, 0);
    uint64_t bytes = consort_plan_workspace(plan);
    void *workspace = place_new(PLACE_DEVICE, NULL, bytes);
    void *keys = place_new(PLACE_DEVICE, d->keys, sizeof d->keys);
    CUstream stream;
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = arguments.out = keys;
    assert_int_equal(device_enter(device), CONSORT_OK);
    assert_int_equal(driver->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    assert_int_equal(consort_plan_run(plan, &arguments, workspace, bytes, stream), CONSORT_OK);
    assert_int_equal(driver->cuStreamSynchronize(stream), CUDA_SUCCESS);
    assert_int_equal(driver->cuStreamDestroy(stream), CUDA_SUCCESS);
    device_leave(device);
    expect_bytes(PLACE_DEVICE, keys, d->sorted, sizeof d->sorted);
    place_free(PLACE_DEVICE, keys);
    place_free(PLACE_DEVICE, workspace);
    consort_plan_destroy(plan);
    free(d);
}

static void *sort_repeatedly(void *context)
{
    uint64_t seed = *(const uint64_t *)context;
    for (uint64_t turn = 0; turn < 5; turn++) {
        try_pairs(seed * 31 + turn, kinds_here());
        try_device_plan(seed * 37 + turn);
    }
    return NULL;
}

static void test_ten_threads(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    uint64_t seeds[THREADS];
    for (uint64_t i = 0; i < THREADS; i++)
        seeds[i] = 1000 + i;
    test_threads_run(THREADS, sort_repeatedly, seeds, sizeof *seeds);
}

static void test_contexts_are_left_alone(void **state)
{
    (void)state;
    if (!trial_share_takes_test())
        return;
    for (int32_t number = 0; number < device_count(); number++) {
        const struct device *device = device_open(number);
        assert_int_equal(device_enter(device), CONSORT_OK);
        try_pairs(4711, kinds_here());
        assert_ptr_equal(current(), device->context);
        device_leave(device);
    }
    assert_null(current());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_of_memory),
        cmocka_unit_test(test_indices_of_every_kind),
        cmocka_unit_test(test_arrays_in_the_wrong_memory),
        cmocka_unit_test(test_progress_and_cancel),
        cmocka_unit_test(test_capturing_streams_are_refused),
        cmocka_unit_test(test_ten_threads),
        cmocka_unit_test(test_contexts_are_left_alone),
    };
    if (device_count() == 0) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
