/* SPDX-License-Identifier: Apache-2.0 */
/* Plans that replay while others use the plan, the driver or the thread: who waits for whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "consort.h"
#include "device_array.h"
#include "replayed_list.h"
#include "test_threads.h"

enum {
    THREADS = 4
};

/* Somebody's capture in global mode would be spoilt by memory that this thread takes. */
static void test_recording_spoils_no_other_capture(void **state)
{
    (void)state;
    struct replayed_list list;
    CUstream captured;
    CUgraph graph = NULL;
    uint32_t *keys = calloc(REPLAYED_COUNT, sizeof *keys);
    assert_non_null(keys);
    replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    replayed_sort(&list);
    replayed_fill(&list, keys);
    assert_int_equal(watched.real.cuStreamCreate(&captured, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    assert_int_equal(watched.real.cuStreamBeginCapture(captured, CU_STREAM_CAPTURE_MODE_GLOBAL),
                     CUDA_SUCCESS);
    assert_int_equal(replayed_run(&list), CONSORT_OK);
    assert_int_equal(watched.real.cuStreamEndCapture(captured, &graph), CUDA_SUCCESS);
    assert_int_equal(watched.real.cuStreamSynchronize(list.stream), CUDA_SUCCESS);
    assert_int_equal(watched.graph_launches, 1);
    replayed_check(&list, keys);
    free(keys);
    watched.real.cuGraphDestroy(graph);
    watched.real.cuStreamDestroy(captured);
    consort_plan_destroy(list.plan);
    replayed_free(&list);
}

static void *sort_often(void *context)
{
    struct replayed_list *list = context;
    assert_true(device_array_begin());
    for (int i = 0; i < 5; i++)
        replayed_sort(list);
    return NULL;
}

static void test_threads_share_a_plan(void **state)
{
    (void)state;
    struct replayed_list lists[THREADS];
    consort_plan *plan = replayed_plan(1, CONSORT_MEMORY_DEVICE);
    for (int t = 0; t < THREADS; t++)
        replayed_make(&lists[t], plan);
    test_threads_run(THREADS, sort_often, lists, sizeof *lists);
    assert_int_equal(watched.graph_launches, THREADS * 4);
    assert_int_equal(watched.instantiated, THREADS);
    consort_plan_destroy(plan);
    for (int t = 0; t < THREADS; t++)
        replayed_free(&lists[t]);
}

/* What runs while a graph of `waiting` is being launched. */
static struct replayed_list waiting, beside;

static void *run_meanwhile(void *context)
{
    (void)context;
    assert_true(device_array_begin());
    const uint32_t before = watched.graph_launches;
    assert_int_equal(replayed_run(&waiting), CONSORT_OK);
    assert_int_equal(watched.graph_launches, before);
    for (uint64_t i = 0; i < 2 * REPLAYED_REMEMBERED; i++) {
        beside.arguments.count = REPLAYED_COUNT - i / 2;
        replayed_sort(&beside);
    }
    assert_int_equal(watched.graph_launches, before + REPLAYED_REMEMBERED);
    return NULL;
}

static void in_another_thread(void)
{
    char context;
    test_threads_run(1, run_meanwhile, &context, 1);
}

/* A launch may wait for room in its stream. Others run meanwhile: the same run launch by launch, as
 * its graph is in use; any others as ever, and forget each other and not the one that waits. */
static void test_a_launch_that_waits_keeps_nobody_waiting(void **state)
{
    (void)state;
    replayed_make(&waiting, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    replayed_make(&beside, waiting.plan);
    replayed_sort(&waiting);
    assert_true(replayed_sort(&waiting));
    watched.meanwhile = in_another_thread;
    assert_true(replayed_sort(&waiting));
    assert_null(watched.meanwhile);
    assert_true(replayed_sort(&waiting));
    consort_plan_destroy(waiting.plan);
    assert_int_equal(watched.destroyed, watched.instantiated);
    replayed_free(&beside);
    replayed_free(&waiting);
}

#define COUNTED(test) cmocka_unit_test_setup(test, watched_forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        COUNTED(test_recording_spoils_no_other_capture),
        COUNTED(test_threads_share_a_plan),
        COUNTED(test_a_launch_that_waits_keeps_nobody_waiting),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    watched_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
