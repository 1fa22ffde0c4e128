/* SPDX-License-Identifier: Apache-2.0 */
/* Plans: what they tell, that they are immutable and shared, that contexts come and go. */
#include "api/api_test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "support/random.h"

enum {
    COUNT = 20000,
    THREADS = 10,
    ROUNDS = 6
};

static consort_plan *plan_of(consort_context *context, uint64_t count, uint64_t limit)
{
    static const uint64_t value_bytes[] = {8};
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.context = context;
    options.workspace_limit = limit;
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_F32;
    descriptor.maximum_count = count;
    descriptor.value_bytes = value_bytes;
    descriptor.value_count = 1;
    descriptor.options = &options;
    assert_works(consort_plan_create(&descriptor, &plan));
    /* What the descriptor pointed to is the plan's no longer. */
    memset(&options, 0xee, sizeof options);
    memset(&descriptor, 0xee, sizeof descriptor);
    return plan;
}

static void test_info(void **state)
{
    (void)state;
    consort_plan *plan = plan_of(NULL, COUNT, UINT64_MAX);
    consort_plan_info info;
    consort_plan_info_init(&info);
    assert_works(consort_plan_get_info(plan, &info));
    assert_int_equal(info.size, sizeof info);
    assert_true(info.algorithm[0] != '\0');
    assert_int_equal(info.engine, CONSORT_ENGINE_CPU);
    assert_int_equal(info.device, -1);
    assert_true(info.threads >= 1);
    assert_int_equal(info.stable, 1);
    assert_int_equal(info.workspace, consort_plan_workspace(plan));
    assert_int_equal(info.alignment, 64);
    assert_int_equal(info.capturable, 0);
    assert_true(info.counter_count <= 14);
    for (uint32_t i = 0; i < info.counter_count; i++)
        assert_true(consort_plan_counter_name(plan, i)[0] != '\0');
    assert_null(consort_plan_counter_name(plan, info.counter_count));
    assert_null(consort_plan_counter_name(plan, UINT32_MAX));
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_get_info(NULL, &info));
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_get_info(plan, NULL));
    info.size = 1;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_get_info(plan, &info));
    consort_plan_destroy(plan);
}

static void test_workspace_depends_on_the_descriptor_alone(void **state)
{
    (void)state;
    consort_plan *one = plan_of(NULL, COUNT, UINT64_MAX), *two = plan_of(NULL, COUNT, UINT64_MAX);
    assert_int_equal(consort_plan_workspace(one), consort_plan_workspace(two));
    consort_plan_destroy(one);
    consort_plan_destroy(two);
}

static void test_a_limit_is_kept(void **state)
{
    (void)state;
    for (uint64_t limit = 1 << 10; limit < (uint64_t)1 << 32; limit *= 2) {
        static const uint64_t value_bytes[] = {8};
        consort_descriptor descriptor;
        consort_options options;
        consort_plan *plan;
        consort_descriptor_init(&descriptor);
        consort_options_init(&options);
        options.workspace_limit = limit;
        descriptor.operation = CONSORT_OPERATION_SORT;
        descriptor.type = CONSORT_U64;
        descriptor.maximum_count = 1 << 20;
        descriptor.value_bytes = value_bytes;
        descriptor.value_count = 1;
        descriptor.options = &options;
        consort_status status = consort_plan_create(&descriptor, &plan);
        if (status == CONSORT_OK)
            assert_true(consort_plan_workspace(plan) <= limit);
        else
            assert_int_equal(status, CONSORT_ERROR_WORKSPACE);
        consort_plan_destroy(plan);
    }
}

static uint64_t workspace_of_form(const char *algorithm, int32_t form)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.algorithm = algorithm;
    options.engine = CONSORT_ENGINE_CPU;
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U64;
    descriptor.maximum_count = 1 << 20;
    descriptor.form = form;
    descriptor.options = &options;
    assert_works(consort_plan_create(&descriptor, &plan));
    uint64_t bytes = consort_plan_workspace(plan);
    consort_plan_destroy(plan);
    return bytes;
}

static void test_two_buffers_spare_the_third(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"lsd", "msd", "merge"};
    for (int i = 0; i < 3; i++)
        assert_int_equal(workspace_of_form(algorithms[i], CONSORT_FORM_COPY) -
                             workspace_of_form(algorithms[i], CONSORT_FORM_DOUBLE_BUFFER),
                         sizeof(uint64_t) << 20);
}

struct shared_run {
    const consort_plan *plan;
    uint64_t seed;
    int own_workspace;
    atomic_int *failures;
};

/* Sorts random floats with their positions as values, and looks whether that is what comes out. */
static void *shared_run(void *argument)
{
    struct shared_run *run = argument;
    float *keys = malloc(COUNT * sizeof *keys), *sorted = malloc(COUNT * sizeof *sorted);
    uint64_t *values = malloc(COUNT * sizeof *values);
    void *workspace = NULL;
    uint64_t bytes = run->own_workspace ? consort_plan_workspace(run->plan) : 0;
    int failed = !keys || !sorted || !values || posix_memalign(&workspace, 64, bytes + 64) != 0;
    for (int round = 0; !failed && round < ROUNDS; round++) {
        consort_arguments arguments;
        consort_column column = {values, values, NULL, sizeof *values};
        consort_arguments_init(&arguments);
        for (uint64_t i = 0; i < COUNT; i++) {
            keys[i] = (float)(random_next(&run->seed) % 1000);
            values[i] = i;
        }
        arguments.count = COUNT - (uint64_t)round;
        arguments.in = keys;
        arguments.out = sorted;
        arguments.values = &column;
        failed = consort_plan_run(run->plan, &arguments, run->own_workspace ? workspace : NULL,
                                  bytes, NULL) != CONSORT_OK;
        for (uint64_t i = 0; !failed && i < arguments.count; i++)
            failed = sorted[i] != keys[values[i]] ||
                     (i > 0 && (sorted[i] < sorted[i - 1] ||
                                (sorted[i] == sorted[i - 1] && values[i] < values[i - 1])));
    }
    atomic_fetch_add(run->failures, failed);
    free(workspace);
    free(values);
    free(sorted);
    free(keys);
    return NULL;
}

static void share(consort_context *context)
{
    consort_plan *plan = plan_of(context, COUNT, UINT64_MAX);
    pthread_t threads[THREADS];
    struct shared_run runs[THREADS];
    atomic_int failures = 0;
    for (int i = 0; i < THREADS; i++) {
        runs[i] = (struct shared_run){plan, (uint64_t)i, i % 2, &failures};
        assert_int_equal(pthread_create(&threads[i], NULL, shared_run, &runs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(failures, 0);
    consort_plan_destroy(plan);
}

static void test_ten_threads_share_a_plan(void **state)
{
    (void)state;
    share(NULL);
}

static void test_ten_threads_share_a_small_context(void **state)
{
    (void)state;
    consort_context_options options;
    consort_context *context;
    consort_context_options_init(&options);
    options.threads = 3;
    assert_works(consort_context_create(&options, &context));
    share(context);
    consort_context_destroy(context);
}

static void test_contexts_that_cannot_be(void **state)
{
    (void)state;
    consort_context_options options;
    consort_context *context = (void *)1;
    consort_context_options_init(&options);
    options.threads = UINT32_MAX;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_context_create(&options, &context));
    assert_null(context);
    consort_context_options_init(&options);
    options.reserved = 1;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_context_create(&options, &context));
    consort_context_options_init(&options);
    options.release = (void (*)(void *, void *, size_t))1;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_context_create(&options, &context));
    options.size = 2;
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_context_create(&options, &context));
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_context_create(NULL, NULL));
}

static void test_contexts_come_and_go(void **state)
{
    (void)state;
    for (uint32_t threads = 0; threads < 20; threads++) {
        consort_context_options options;
        consort_context *context;
        consort_context_options_init(&options);
        options.threads = threads;
        assert_works(consort_context_create(&options, &context));
        consort_plan *plan = plan_of(context, COUNT, UINT64_MAX);
        consort_plan_info info;
        consort_plan_info_init(&info);
        assert_works(consort_plan_get_info(plan, &info));
        assert_true(threads == 0 || info.threads <= threads);
        atomic_int failures = 0;
        struct shared_run run = {plan, threads, 0, &failures};
        shared_run(&run);
        assert_int_equal(failures, 0);
        consort_plan_destroy(plan);
        consort_context_destroy(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_workspace_depends_on_the_descriptor_alone),
        cmocka_unit_test(test_a_limit_is_kept),
        cmocka_unit_test(test_two_buffers_spare_the_third),
        cmocka_unit_test(test_ten_threads_share_a_plan),
        cmocka_unit_test(test_ten_threads_share_a_small_context),
        cmocka_unit_test(test_contexts_that_cannot_be),
        cmocka_unit_test(test_contexts_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
