/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans that are asked to replay: which runs go by a graph, which launch by launch, and what
 * becomes of a driver that refuses. Results of replayed runs of every kind are checked by the tests
 * of the sorts, which replay some of theirs (device_run.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "device_array.h"
#include "device_run.h"
#include "replayed_list.h"

static void test_the_second_run_is_recorded(void **state)
{
    (void)state;
    struct replayed_list list;
    replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    assert_false(replayed_sort(&list));
    for (int i = 0; i < 3; i++)
        assert_true(replayed_sort(&list));
    assert_int_equal(watched.instantiated, 1);
    consort_plan_destroy(list.plan);
    assert_int_equal(watched.destroyed, 1);
    replayed_free(&list);
}

static void test_nobody_asked(void **state)
{
    (void)state;
    struct replayed_list list;
    replayed_make(&list, replayed_plan(0, CONSORT_MEMORY_DEVICE));
    for (int i = 0; i < 3; i++)
        assert_false(replayed_sort(&list));
    assert_int_equal(watched.instantiated, 0);
    consort_plan_destroy(list.plan);
    replayed_free(&list);
}

/* Columns are another array of the caller's each time: what they say counts. */
static void test_columns_are_compared(void **state)
{
    (void)state;
    struct replayed_list list;
    replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    assert_false(replayed_sort(&list));
    struct replayed_list moved = list;
    assert_true(replayed_sort(&moved));
    consort_plan_destroy(list.plan);
    replayed_free(&list);
}

enum {
    OTHER_COUNT,
    OTHER_IN,
    OTHER_OUT,
    OTHER_COLUMN,
    OTHER_COLUMN_OUT,
    OTHER_OUTCOME,
    OTHER_WORKSPACE,
    OTHER_STREAM,
    OTHERS
};

static void exchange(const struct replayed_list *other, int what, struct replayed_list *list)
{
    switch (what) {
    case OTHER_COUNT:
        list->arguments.count = REPLAYED_COUNT - 1;
        break;
    case OTHER_IN:
        list->arguments.in = other->arguments.in;
        break;
    case OTHER_OUT:
        list->arguments.out = other->arguments.out;
        break;
    case OTHER_COLUMN:
        list->column.in = other->column.in;
        break;
    case OTHER_COLUMN_OUT:
        list->column.out = other->column.out;
        break;
    case OTHER_OUTCOME:
        list->arguments.outcome = device_array_new(NULL, sizeof(consort_outcome), 0);
        break;
    case OTHER_WORKSPACE:
        list->workspace = other->workspace;
        break;
    default:
        list->stream = other->stream;
        break;
    }
}

static void test_any_other_argument_is_another_run(void **state)
{
    (void)state;
    struct replayed_list list, other;
    replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    replayed_make(&other, list.plan);
    for (int what = 0; what < OTHERS; what++) {
        struct replayed_list changed = list;
        replayed_sort(&list);
        assert_true(replayed_sort(&list));
        exchange(&other, what, &changed);
        assert_false(replayed_sort(&changed));
        assert_true(replayed_sort(&changed));
        assert_true(replayed_sort(&list));
        if (what == OTHER_OUTCOME)
            device_array_free(changed.arguments.outcome, 0);
    }
    consort_plan_destroy(list.plan);
    replayed_free(&other);
    replayed_free(&list);
}

/* So many runs in turns, three times: how many were replayed. */
static uint32_t replayed_in_turns(uint64_t runs)
{
    struct replayed_list list;
    uint32_t replayed = 0;
    replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    for (uint64_t i = 0; i < 3 * runs; i++) {
        list.arguments.count = REPLAYED_COUNT - i % runs;
        replayed += replayed_sort(&list);
    }
    consort_plan_destroy(list.plan);
    replayed_free(&list);
    return replayed;
}

static void test_the_last_few_runs_are_remembered(void **state)
{
    (void)state;
    assert_int_equal(replayed_in_turns(REPLAYED_REMEMBERED), 2 * REPLAYED_REMEMBERED);
    assert_int_equal(watched.destroyed, REPLAYED_REMEMBERED);
    assert_int_equal(replayed_in_turns(REPLAYED_REMEMBERED + 1), 0);
}

/* In place, keys come sorted the next time: replays take what is there then. */
static void test_in_place(void **state)
{
    (void)state;
    struct replayed_list list;
    replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    struct replayed_list same = list;
    same.arguments.out = (void *)same.arguments.in;
    same.column.out = (void *)same.column.in;
    assert_false(replayed_sort(&same));
    assert_true(replayed_sort(&same));
    assert_true(replayed_sort(&same));
    consort_plan_destroy(list.plan);
    replayed_free(&list);
}

static void test_a_stream_being_captured_takes_launches(void **state)
{
    (void)state;
    struct replayed_list list;
    CUgraph graph = NULL;
    size_t nodes = 0;
    replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    replayed_sort(&list);
    assert_true(replayed_sort(&list));
    const uint32_t before = watched.graph_launches;
    assert_int_equal(watched.real.cuStreamBeginCapture(list.stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
                     CUDA_SUCCESS);
    assert_int_equal(replayed_run(&list), CONSORT_OK);
    assert_int_equal(watched.real.cuStreamEndCapture(list.stream, &graph), CUDA_SUCCESS);
    assert_int_equal(watched.real.cuGraphGetNodes(graph, NULL, &nodes), CUDA_SUCCESS);
    assert_true(nodes > 0);
    assert_int_equal(watched.graph_launches, before);
    watched.real.cuGraphDestroy(graph);
    consort_plan_destroy(list.plan);
    replayed_free(&list);
}

/* What the driver refuses is queued launch by launch, leaves no error, and is not tried again. */
static void test_a_driver_that_refuses(void **state)
{
    (void)state;
    bool *const refusals[] = {&watched.refuse_capture, &watched.refuse_instance,
                              &watched.refuse_launch};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct replayed_list list;
        watched_forget(NULL);
        *refusals[i] = true;
        replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
        assert_int_equal(consort_plan_run(NULL, NULL, NULL, 0, NULL), CONSORT_ERROR_ARGUMENT);
        for (int run = 0; run < 3; run++)
            assert_false(replayed_sort(&list));
        assert_int_equal(consort_last_error()->status, CONSORT_ERROR_ARGUMENT);
        *refusals[i] = false;
        assert_false(replayed_sort(&list));
        assert_true(watched.instantiated <= 1);
        consort_plan_destroy(list.plan);
        replayed_free(&list);
    }
}

/* Arrays that the GPU does not reach are refused each time, and what was recorded stays. */
static void test_refused_arrays(void **state)
{
    (void)state;
    if (device_describe(0)->pageable_access)
        skip();
    struct replayed_list list;
    uint32_t *keys = calloc(REPLAYED_COUNT, sizeof *keys);
    assert_non_null(keys);
    replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    replayed_sort(&list);
    assert_true(replayed_sort(&list));
    struct replayed_list refused = list;
    refused.arguments.in = keys;
    refused.arguments.values = &refused.column;
    for (uint64_t i = 0; i < 3 * (REPLAYED_REMEMBERED + 1); i++) {
        refused.arguments.count = REPLAYED_COUNT - i / 3;
        assert_int_equal(replayed_run(&refused), CONSORT_ERROR_ARGUMENT);
    }
    assert_int_equal(watched.instantiated, 1);
    assert_true(replayed_sort(&list));
    consort_plan_destroy(list.plan);
    replayed_free(&list);
    free(keys);
}

/* The default stream cannot be captured, and is replayed into all the same. */
static void test_the_default_stream(void **state)
{
    (void)state;
    struct replayed_list list;
    replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    CUstream own = list.stream;
    list.stream = NULL;
    assert_false(replayed_sort(&list));
    assert_true(replayed_sort(&list));
    list.stream = own;
    consort_plan_destroy(list.plan);
    replayed_free(&list);
}

static void test_nothing_to_sort(void **state)
{
    (void)state;
    struct replayed_list list;
    replayed_make(&list, replayed_plan(1, CONSORT_MEMORY_DEVICE));
    list.arguments.count = 0;
    for (int i = 0; i < 3; i++)
        assert_false(replayed_sort(&list));
    consort_plan_destroy(list.plan);
    replayed_free(&list);
}

/* Segments are looked at even if there are no items, and then a run may come without columns. */
static void test_segments_of_nothing(void **state)
{
    (void)state;
    const uint64_t value = REPLAYED_VALUE;
    const uint32_t offsets[] = {0, 0};
    consort_descriptor descriptor;
    consort_arguments arguments;
    consort_options options = device_run_options(CONSORT_ENGINE_CUDA, 0, 0);
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SEGMENTED_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.offset_type = CONSORT_U32;
    descriptor.maximum_count = REPLAYED_COUNT;
    descriptor.maximum_segments = 1;
    descriptor.value_bytes = &value;
    descriptor.value_count = 1;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.options = &options;
    descriptor.replay = 1;
    consort_plan *plan = device_run_plan(&descriptor);
    consort_arguments_init(&arguments);
    arguments.segment_count = 1;
    arguments.offsets = device_array_new(offsets, sizeof offsets, 0);
    void *workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(
            consort_plan_run(plan, &arguments, workspace, consort_plan_workspace(plan), NULL),
            CONSORT_OK);
    assert_int_equal(watched.real.cuCtxSynchronize(), CUDA_SUCCESS);
    assert_int_equal(watched.instantiated, 0);
    consort_plan_destroy(plan);
    device_array_free(workspace, 0);
    device_array_free((void *)arguments.offsets, 0);
}

/* Arrays of the host: runs block, and there is nothing to replay. */
static void test_host_arrays_do_not_mind(void **state)
{
    (void)state;
    uint32_t keys[] = {3, 1, 2}, values[] = {30, 10, 20};
    const uint32_t sorted[] = {1, 2, 3}, moved[] = {10, 20, 30};
    consort_column column = {.in = values, .out = values, .element_bytes = REPLAYED_VALUE};
    consort_arguments arguments;
    consort_plan *plan = replayed_plan(1, CONSORT_MEMORY_HOST);
    consort_arguments_init(&arguments);
    arguments.count = 3;
    arguments.in = arguments.out = keys;
    arguments.values = &column;
    for (int i = 0; i < 3; i++)
        assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, NULL), CONSORT_OK);
    assert_memory_equal(keys, sorted, sizeof sorted);
    assert_memory_equal(values, moved, sizeof moved);
    assert_int_equal(watched.instantiated, 0);
    consort_plan_destroy(plan);
}

static const char *planned(consort_type type, uint64_t value_bytes, uint64_t count, int32_t replay)
{
    consort_plan_info info;
    consort_plan *plan = replayed_plan_of(type, value_bytes, count, replay, CONSORT_MEMORY_DEVICE);
    consort_plan_info_init(&info);
    assert_int_equal(consort_plan_get_info(plan, &info), CONSORT_OK);
    consort_plan_destroy(plan);
    return info.algorithm;
}

/* Replayed, launches that find nothing to do cost less than merging rounds. */
static void test_the_planner_knows(void **state)
{
    (void)state;
    assert_string_equal(planned(CONSORT_U64, 4, 1 << 16, 0), "merge");
    assert_string_equal(planned(CONSORT_U64, 4, 1 << 16, 1), "hybrid");
    assert_string_equal(planned(CONSORT_U32, 4, 1 << 16, 0), "fused");
    assert_string_equal(planned(CONSORT_U32, 4, 1 << 16, 1), "fused");
    assert_string_equal(planned(CONSORT_U16, 0, 1 << 14, 0), "merge");
    assert_string_equal(planned(CONSORT_U16, 0, 1 << 14, 1), "lsd");
    assert_string_equal(planned(CONSORT_U8, 4, 1 << 12, 0), "merge");
    assert_string_equal(planned(CONSORT_U8, 4, 1 << 12, 1), "lsd");
    assert_string_equal(planned(CONSORT_U8, 0, 1 << 16, 1), "counting");
}

#define COUNTED(test) cmocka_unit_test_setup(test, watched_forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        COUNTED(test_the_second_run_is_recorded),
        COUNTED(test_nobody_asked),
        COUNTED(test_columns_are_compared),
        COUNTED(test_any_other_argument_is_another_run),
        COUNTED(test_the_last_few_runs_are_remembered),
        COUNTED(test_in_place),
        COUNTED(test_a_stream_being_captured_takes_launches),
        COUNTED(test_a_driver_that_refuses),
        COUNTED(test_refused_arrays),
        COUNTED(test_the_default_stream),
        COUNTED(test_nothing_to_sort),
        COUNTED(test_segments_of_nothing),
        COUNTED(test_host_arrays_do_not_mind),
        COUNTED(test_the_planner_knows),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    watched_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
