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
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "device_run.h"
#include "support/random.h"
#include "test_threads.h"

enum {
    COUNT = 3000,
    VALUE = 4,
    REMEMBERED = 8, /* as src/cuda/replay.c has it */
    THREADS = 4
};

/* The driver as the library sees it, with calls counted, and refused on demand. */
static struct driver real;
static uint32_t graph_launches, instantiated, destroyed;
static bool refuse_capture, refuse_instance, refuse_launch;
static int opened_priority;

static CUresult count_launch(CUgraphExec graph, CUstream stream)
{
    if (refuse_launch)
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    __atomic_add_fetch(&graph_launches, 1, __ATOMIC_RELAXED);
    return real.cuGraphLaunch(graph, stream);
}

static CUresult count_instance(CUgraphExec *graph, CUgraph from, unsigned long long flags)
{
    __atomic_add_fetch(&instantiated, 1, __ATOMIC_RELAXED);
    return refuse_instance ? CUDA_ERROR_OUT_OF_MEMORY : real.cuGraphInstantiate(graph, from, flags);
}

static CUresult count_destroyed(CUgraphExec graph)
{
    __atomic_add_fetch(&destroyed, 1, __ATOMIC_RELAXED);
    return real.cuGraphExecDestroy(graph);
}

static CUresult begin_capture(CUstream stream, CUstreamCaptureMode mode)
{
    return refuse_capture ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
                          : real.cuStreamBeginCapture(stream, mode);
}

static CUresult open_stream(CUstream *stream, unsigned int flags, int priority)
{
    opened_priority = priority;
    return real.cuStreamCreateWithPriority(stream, flags, priority);
}

static void watch_driver(void)
{
    struct driver *driver = (struct driver *)driver_get();
    real = *driver;
    driver->cuGraphLaunch = count_launch;
    driver->cuGraphInstantiate = count_instance;
    driver->cuGraphExecDestroy = count_destroyed;
    driver->cuStreamBeginCapture = begin_capture;
    driver->cuStreamCreateWithPriority = open_stream;
}

static int start_counting(void **state)
{
    (void)state;
    graph_launches = instantiated = destroyed = 0;
    refuse_capture = refuse_instance = refuse_launch = false;
    return 0;
}

/* A list with a column, its plan, and where both are sorted. */
struct list {
    consort_plan *plan;
    consort_arguments arguments;
    consort_column column;
    void *workspace;
    CUstream stream;
    uint64_t seed;
};

static consort_plan *plan_of(int32_t replay, int32_t memory)
{
    consort_descriptor descriptor;
    consort_options options = device_run_options(CONSORT_ENGINE_CUDA, 0, 0);
    const uint64_t value = VALUE;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = COUNT;
    descriptor.value_bytes = &value;
    descriptor.value_count = 1;
    descriptor.memory = memory;
    descriptor.options = &options;
    descriptor.replay = replay;
    return device_run_plan(&descriptor);
}

static void list_make(struct list *list, consort_plan *plan)
{
    *list = (struct list){.plan = plan, .seed = 1};
    consort_arguments_init(&list->arguments);
    list->arguments.count = COUNT;
    list->arguments.in = device_array_new(NULL, COUNT * sizeof(uint32_t), 0);
    list->arguments.out = device_array_new(NULL, COUNT * sizeof(uint32_t), 0);
    list->column = (consort_column){.in = device_array_new(NULL, COUNT * VALUE, 0),
                                    .out = device_array_new(NULL, COUNT * VALUE, 0),
                                    .element_bytes = VALUE};
    list->workspace = device_array_new(NULL, consort_plan_workspace(plan), 0);
    assert_int_equal(real.cuStreamCreate(&list->stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
}

static void list_free(struct list *list)
{
    real.cuStreamDestroy(list->stream);
    device_array_free(list->workspace, 0);
    device_array_free((void *)list->column.in, 0);
    device_array_free(list->column.out, 0);
    device_array_free((void *)list->arguments.in, 0);
    device_array_free(list->arguments.out, 0);
}

static void upload(const void *to, const void *from, uint64_t bytes)
{
    assert_int_equal(real.cuMemcpyHtoD((CUdeviceptr)(uintptr_t)to, from, bytes), CUDA_SUCCESS);
    assert_int_equal(real.cuCtxSynchronize(), CUDA_SUCCESS);
}

/* New items: keys, and the same again as values. */
static void list_fill(struct list *list, uint32_t *keys)
{
    for (uint64_t i = 0; i < COUNT; i++)
        keys[i] = (uint32_t)random_below(&list->seed, 1000);
    upload(list->arguments.in, keys, COUNT * sizeof *keys);
    upload(list->column.in, keys, COUNT * sizeof *keys);
}

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void list_check(const struct list *list, uint32_t *keys)
{
    const uint64_t bytes = list->arguments.count * sizeof *keys;
    uint32_t *found = malloc(COUNT * sizeof *keys);
    assert_non_null(found);
    qsort(keys, list->arguments.count, sizeof *keys, by_value);
    device_array_read(found, list->arguments.out, bytes);
    assert_memory_equal(found, keys, bytes);
    device_array_read(found, list->column.out, bytes);
    assert_memory_equal(found, keys, bytes);
    free(found);
}

/* Sorts new items with the list's arguments as they are. True: by a graph. */
static bool list_sort(struct list *list)
{
    uint32_t *keys = malloc(COUNT * sizeof *keys);
    assert_non_null(keys);
    const uint32_t before = graph_launches;
    list->arguments.values = &list->column;
    list_fill(list, keys);
    if (consort_plan_run(list->plan, &list->arguments, list->workspace,
                         consort_plan_workspace(list->plan), list->stream) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    assert_int_equal(real.cuStreamSynchronize(list->stream), CUDA_SUCCESS);
    list_check(list, keys);
    free(keys);
    return graph_launches > before;
}

static void test_the_second_run_is_recorded(void **state)
{
    (void)state;
    struct list list;
    list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
    assert_false(list_sort(&list));
    for (int i = 0; i < 3; i++)
        assert_true(list_sort(&list));
    assert_int_equal(instantiated, 1);
    consort_plan_destroy(list.plan);
    assert_int_equal(destroyed, 1);
    list_free(&list);
}

static void test_nobody_asked(void **state)
{
    (void)state;
    struct list list;
    list_make(&list, plan_of(0, CONSORT_MEMORY_DEVICE));
    for (int i = 0; i < 3; i++)
        assert_false(list_sort(&list));
    assert_int_equal(instantiated, 0);
    consort_plan_destroy(list.plan);
    list_free(&list);
}

/* Columns are another array of the caller's each time: what they say counts. */
static void test_columns_are_compared(void **state)
{
    (void)state;
    struct list list;
    list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
    assert_false(list_sort(&list));
    struct list moved = list;
    assert_true(list_sort(&moved));
    consort_plan_destroy(list.plan);
    list_free(&list);
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

static void exchange(const struct list *other, int what, struct list *list)
{
    switch (what) {
    case OTHER_COUNT:
        list->arguments.count = COUNT - 1;
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
    struct list list, other;
    list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
    list_make(&other, list.plan);
    for (int what = 0; what < OTHERS; what++) {
        struct list changed = list;
        list_sort(&list);
        assert_true(list_sort(&list));
        exchange(&other, what, &changed);
        assert_false(list_sort(&changed));
        assert_true(list_sort(&changed));
        assert_true(list_sort(&list));
        if (what == OTHER_OUTCOME)
            device_array_free(changed.arguments.outcome, 0);
    }
    consort_plan_destroy(list.plan);
    list_free(&other);
    list_free(&list);
}

/* So many runs in turns, three times: how many were replayed. */
static uint32_t replayed_in_turns(uint64_t runs)
{
    struct list list;
    uint32_t replayed = 0;
    list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
    for (uint64_t i = 0; i < 3 * runs; i++) {
        list.arguments.count = COUNT - i % runs;
        replayed += list_sort(&list);
    }
    consort_plan_destroy(list.plan);
    list_free(&list);
    return replayed;
}

static void test_the_last_few_runs_are_remembered(void **state)
{
    (void)state;
    assert_int_equal(replayed_in_turns(REMEMBERED), 2 * REMEMBERED);
    assert_int_equal(destroyed, REMEMBERED);
    assert_int_equal(replayed_in_turns(REMEMBERED + 1), 0);
}

/* In place, keys come sorted the next time: replays take what is there then. */
static void test_in_place(void **state)
{
    (void)state;
    struct list list;
    list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
    struct list same = list;
    same.arguments.out = (void *)same.arguments.in;
    same.column.out = (void *)same.column.in;
    assert_false(list_sort(&same));
    assert_true(list_sort(&same));
    assert_true(list_sort(&same));
    consort_plan_destroy(list.plan);
    list_free(&list);
}

static void test_a_stream_being_captured_takes_launches(void **state)
{
    (void)state;
    struct list list;
    CUgraph graph = NULL;
    size_t nodes = 0;
    list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
    list_sort(&list);
    assert_true(list_sort(&list));
    const uint32_t before = graph_launches;
    assert_int_equal(real.cuStreamBeginCapture(list.stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
                     CUDA_SUCCESS);
    assert_int_equal(consort_plan_run(list.plan, &list.arguments, list.workspace,
                                      consort_plan_workspace(list.plan), list.stream),
                     CONSORT_OK);
    assert_int_equal(real.cuStreamEndCapture(list.stream, &graph), CUDA_SUCCESS);
    assert_int_equal(real.cuGraphGetNodes(graph, NULL, &nodes), CUDA_SUCCESS);
    assert_true(nodes > 0);
    assert_int_equal(graph_launches, before);
    real.cuGraphDestroy(graph);
    consort_plan_destroy(list.plan);
    list_free(&list);
}

/* Somebody's capture in global mode would be spoilt by memory that this thread takes. */
static void test_recording_spoils_no_other_capture(void **state)
{
    (void)state;
    struct list list;
    CUstream captured;
    CUgraph graph = NULL;
    uint32_t *keys = calloc(COUNT, sizeof *keys);
    assert_non_null(keys);
    list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
    list_sort(&list);
    list_fill(&list, keys);
    assert_int_equal(real.cuStreamCreate(&captured, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    assert_int_equal(real.cuStreamBeginCapture(captured, CU_STREAM_CAPTURE_MODE_GLOBAL),
                     CUDA_SUCCESS);
    assert_int_equal(consort_plan_run(list.plan, &list.arguments, list.workspace,
                                      consort_plan_workspace(list.plan), list.stream),
                     CONSORT_OK);
    assert_int_equal(real.cuStreamEndCapture(captured, &graph), CUDA_SUCCESS);
    assert_int_equal(real.cuStreamSynchronize(list.stream), CUDA_SUCCESS);
    assert_int_equal(graph_launches, 1);
    list_check(&list, keys);
    free(keys);
    real.cuGraphDestroy(graph);
    real.cuStreamDestroy(captured);
    consort_plan_destroy(list.plan);
    list_free(&list);
}

/* What the driver refuses is queued launch by launch, leaves no error, and is not tried again. */
static void test_a_driver_that_refuses(void **state)
{
    (void)state;
    bool *const refusals[] = {&refuse_capture, &refuse_instance, &refuse_launch};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct list list;
        start_counting(NULL);
        *refusals[i] = true;
        list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
        assert_int_equal(consort_plan_run(NULL, NULL, NULL, 0, NULL), CONSORT_ERROR_ARGUMENT);
        for (int run = 0; run < 3; run++)
            assert_false(list_sort(&list));
        assert_int_equal(consort_last_error()->status, CONSORT_ERROR_ARGUMENT);
        *refusals[i] = false;
        assert_false(list_sort(&list));
        assert_true(instantiated <= 1);
        consort_plan_destroy(list.plan);
        list_free(&list);
    }
}

static void test_the_stream_has_its_priority(void **state)
{
    (void)state;
    struct list list;
    int least = 0;
    list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
    real.cuStreamDestroy(list.stream);
    assert_int_equal(real.cuStreamCreateWithPriority(&list.stream, CU_STREAM_NON_BLOCKING, -1),
                     CUDA_SUCCESS);
    assert_int_equal(real.cuStreamGetPriority(list.stream, &least), CUDA_SUCCESS);
    list_sort(&list);
    assert_true(list_sort(&list));
    assert_int_equal(opened_priority, least);
    assert_int_equal(least, -1);
    consort_plan_destroy(list.plan);
    list_free(&list);
}

/* The default stream cannot be captured, and is replayed into all the same. */
static void test_the_default_stream(void **state)
{
    (void)state;
    struct list list;
    list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
    CUstream own = list.stream;
    list.stream = NULL;
    assert_false(list_sort(&list));
    assert_true(list_sort(&list));
    list.stream = own;
    consort_plan_destroy(list.plan);
    list_free(&list);
}

static void test_nothing_to_sort(void **state)
{
    (void)state;
    struct list list;
    list_make(&list, plan_of(1, CONSORT_MEMORY_DEVICE));
    list.arguments.count = 0;
    for (int i = 0; i < 3; i++)
        assert_false(list_sort(&list));
    consort_plan_destroy(list.plan);
    list_free(&list);
}

static void *sort_often(void *context)
{
    struct list *list = context;
    assert_true(device_array_begin());
    for (int i = 0; i < 5; i++)
        list_sort(list);
    return NULL;
}

static void test_threads_share_a_plan(void **state)
{
    (void)state;
    struct list lists[THREADS];
    consort_plan *plan = plan_of(1, CONSORT_MEMORY_DEVICE);
    for (int t = 0; t < THREADS; t++)
        list_make(&lists[t], plan);
    test_threads_run(THREADS, sort_often, lists, sizeof *lists);
    assert_int_equal(graph_launches, THREADS * 4);
    assert_int_equal(instantiated, THREADS);
    consort_plan_destroy(plan);
    for (int t = 0; t < THREADS; t++)
        list_free(&lists[t]);
}

/* Arrays of the host: runs block, and there is nothing to replay. */
static void test_host_arrays_do_not_mind(void **state)
{
    (void)state;
    uint32_t keys[] = {3, 1, 2}, values[] = {30, 10, 20};
    const uint32_t sorted[] = {1, 2, 3}, moved[] = {10, 20, 30};
    consort_column column = {.in = values, .out = values, .element_bytes = VALUE};
    consort_arguments arguments;
    consort_plan *plan = plan_of(1, CONSORT_MEMORY_HOST);
    consort_arguments_init(&arguments);
    arguments.count = 3;
    arguments.in = arguments.out = keys;
    arguments.values = &column;
    for (int i = 0; i < 3; i++)
        assert_int_equal(consort_plan_run(plan, &arguments, NULL, 0, NULL), CONSORT_OK);
    assert_memory_equal(keys, sorted, sizeof sorted);
    assert_memory_equal(values, moved, sizeof moved);
    assert_int_equal(instantiated, 0);
    consort_plan_destroy(plan);
}

#define COUNTED(test) cmocka_unit_test_setup(test, start_counting)

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
        COUNTED(test_recording_spoils_no_other_capture),
        COUNTED(test_a_driver_that_refuses),
        COUNTED(test_the_stream_has_its_priority),
        COUNTED(test_the_default_stream),
        COUNTED(test_nothing_to_sort),
        COUNTED(test_threads_share_a_plan),
        COUNTED(test_host_arrays_do_not_mind),
    };
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    watch_driver();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
