/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of device plans for tests: on a stream of their own, waited for. A captured run is replayed
 * on changed data: the graph runs on keys that are all alike before it runs on those of the test.
 * So does a run of a plan that replays by itself: launched, recorded, and then replayed.
 */
#include "device_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/algorithm.h"
#include "core/plan.h"
#include "cuda/driver/driver.h"
#include "device_array.h"
#include "support/random.h"

consort_options device_run_options(int32_t engine, int32_t direction, int32_t float_order)
{
    consort_options options;
    consort_options_init(&options);
    options.engine = engine;
    options.direction = direction;
    options.float_order = float_order;
    return options;
}

uint64_t device_run_room(uint64_t count)
{
    uint64_t draw = random_mix(count), size = draw >> 8;
    switch (draw % 4) {
    case 0:
        return 1 + size % 500;
    case 1:
        return (uint64_t)1500 << size % 11;
    default:
        return 0;
    }
}

bool device_run_sorts(uint32_t number, consort_algorithm_info *info)
{
    const struct algorithm *algorithm = algorithm_at(number);
    consort_algorithm_info_init(info);
    assert_int_equal(consort_algorithm_get_info(number, info), CONSORT_OK);
    return info->engine == CONSORT_ENGINE_CUDA && !algorithm->host_run && !algorithm->arrives &&
           (info->operation == CONSORT_OPERATION_SORT ||
            info->operation == CONSORT_OPERATION_ARGSORT);
}

consort_plan *device_run_plan(const consort_descriptor *descriptor)
{
    consort_plan *plan;
    if (consort_plan_create(descriptor, &plan) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    return plan;
}

enum {
    MOST_INPUTS = 16,
    REPLAYED_ITEMS = 1000 /* at most, where large lists are not asked for */
};

/* The driver's whole allocation that an input lies in, and what stood there. */
struct input {
    CUdeviceptr memory;
    size_t bytes;
    void *contents;
};

static struct input device_run_keep(const void *pointer)
{
    const struct driver *driver = driver_get();
    CUdeviceptr inside = (CUdeviceptr)(uintptr_t)pointer;
    struct input input;
    assert_int_equal(
        driver->cuPointerGetAttribute(&input.memory, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, inside),
        CUDA_SUCCESS);
    assert_int_equal(
        driver->cuPointerGetAttribute(&input.bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, inside),
        CUDA_SUCCESS);
    input.contents = malloc(input.bytes);
    assert_non_null(input.contents);
    device_array_read(input.contents, (void *)(uintptr_t)input.memory, input.bytes);
    return input;
}

static uint32_t device_run_keep_inputs(const consort_plan *plan, const consort_arguments *arguments,
                                       struct input *inputs)
{
    const void *pointers[MOST_INPUTS] = {arguments->in, arguments->in_b};
    uint32_t columns = arguments->values ? plan->request.value_count : 0, count = 0;
    assert_true(2 + 2 * columns <= MOST_INPUTS);
    for (uint32_t i = 0; i < columns; i++) {
        pointers[2 + 2 * i] = arguments->values[i].in;
        pointers[3 + 2 * i] = arguments->values[i].in_b;
    }
    for (uint32_t i = 0; i < 2 + 2 * columns; i++)
        if (pointers[i])
            inputs[count++] = device_run_keep(pointers[i]);
    return count;
}

/* What is done with the same arguments more than once. */
struct again {
    const consort_plan *plan;
    const consort_arguments *arguments;
    void *workspace;
    CUgraphExec executable; /* NULL: the plan's own */
    CUstream stream;
};

static void device_run_queue(const struct again *again)
{
    if (consort_plan_run(again->plan, again->arguments, again->workspace,
                         consort_plan_workspace(again->plan), again->stream) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
}

static void device_run_once(const struct again *again)
{
    const struct driver *driver = driver_get();
    if (again->executable)
        assert_int_equal(driver->cuGraphLaunch(again->executable, again->stream), CUDA_SUCCESS);
    else
        device_run_queue(again);
    assert_int_equal(driver->cuStreamSynchronize(again->stream), CUDA_SUCCESS);
}

static void device_run_on_others(const struct again *again, uint32_t times)
{
    const struct driver *driver = driver_get();
    struct input inputs[MOST_INPUTS];
    uint32_t count = device_run_keep_inputs(again->plan, again->arguments, inputs);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(driver->cuMemsetD8(inputs[i].memory, 0x5a, inputs[i].bytes), CUDA_SUCCESS);
    assert_int_equal(driver->cuCtxSynchronize(), CUDA_SUCCESS);
    for (uint32_t i = 0; i < times; i++)
        device_run_once(again);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(
            driver->cuMemcpyHtoD(inputs[i].memory, inputs[i].contents, inputs[i].bytes),
            CUDA_SUCCESS);
        free(inputs[i].contents);
    }
    /* A copy from ordinary memory may return before it has arrived, and this stream does not wait
     * for it. */
    assert_int_equal(driver->cuCtxSynchronize(), CUDA_SUCCESS);
}

/* Other data are not for long lists, which would take long. */
static bool device_run_is_short(const consort_arguments *arguments)
{
    return arguments->count + arguments->count_b <= REPLAYED_ITEMS || getenv("CONSORT_TEST_LARGE");
}

static bool device_run_keeps_inputs(const struct again *again)
{
    const consort_arguments *arguments = again->arguments;
    return again->plan->request.form == CONSORT_FORM_COPY && arguments->in != arguments->out;
}

static uint32_t graphs_launched;
static cuGraphLaunch_call *launch_graph;

static CUresult device_run_count_graph(CUgraphExec executable, CUstream stream)
{
    graphs_launched++;
    return launch_graph(executable, stream);
}

/* Launched, recorded, and replayed, or the test has failed. A long list is sorted so three times.
 */
static void device_run_replay(const struct again *again)
{
    struct driver *driver = (struct driver *)driver_get();
    const bool others = device_run_is_short(again->arguments);
    if (!others && !device_run_keeps_inputs(again)) {
        device_run_once(again);
        return;
    }
    launch_graph = driver->cuGraphLaunch;
    driver->cuGraphLaunch = device_run_count_graph;
    graphs_launched = 0;
    if (others)
        device_run_on_others(again, 2);
    for (uint32_t i = others ? 2 : 0; i < 3; i++)
        device_run_once(again);
    driver->cuGraphLaunch = launch_graph;
    const bool nothing = again->arguments->count + again->arguments->count_b == 0;
    assert_int_equal(graphs_launched, nothing ? 0 : 2);
}

static void device_run_graph(const struct again *run)
{
    const struct driver *driver = driver_get();
    struct again again = *run;
    CUgraph graph;
    assert_int_equal(driver->cuStreamBeginCapture(run->stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
                     CUDA_SUCCESS);
    device_run_queue(run);
    assert_int_equal(driver->cuStreamEndCapture(run->stream, &graph), CUDA_SUCCESS);
    assert_int_equal(driver->cuGraphInstantiate(&again.executable, graph, 0), CUDA_SUCCESS);
    if (device_run_is_short(run->arguments))
        device_run_on_others(&again, 1);
    device_run_once(&again);
    driver->cuGraphExecDestroy(again.executable);
    driver->cuGraphDestroy(graph);
}

static void device_run_on_stream(const consort_plan *plan, const consort_arguments *arguments,
                                 void *workspace, bool captured)
{
    const struct driver *driver = driver_get();
    struct again run = {.plan = plan, .arguments = arguments, .workspace = workspace};
    assert_int_equal(driver->cuStreamCreate(&run.stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    if (plan->request.replay)
        device_run_replay(&run);
    else if (captured)
        device_run_graph(&run);
    else
        device_run_once(&run);
    driver->cuStreamDestroy(run.stream);
}

/* Every run tells that it worked, also where the test does not ask. */
void device_run(const consort_plan *plan, const consort_arguments *arguments, void *workspace,
                bool captured)
{
    if (arguments->outcome) {
        device_run_on_stream(plan, arguments, workspace, captured);
        return;
    }
    consort_outcome told = {.status = -1, .buffer = -1};
    consort_arguments asking = *arguments;
    asking.outcome = device_array_new(&told, sizeof told, 0);
    device_run_on_stream(plan, &asking, workspace, captured);
    device_array_read(&told, asking.outcome, sizeof told);
    assert_int_equal(told.status, CONSORT_OK);
    assert_in_range(told.buffer, 0, 1);
    device_array_free(asking.outcome, 0);
}
