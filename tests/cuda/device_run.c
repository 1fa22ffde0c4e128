/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of device plans for tests: on a stream of their own, waited for. */
#include "device_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cuda/driver/driver.h"
#include "device_array.h"

consort_options device_run_options(int32_t engine, int32_t direction, int32_t float_order)
{
    consort_options options;
    consort_options_init(&options);
    options.engine = engine;
    options.direction = direction;
    options.float_order = float_order;
    return options;
}

consort_plan *device_run_plan(const consort_descriptor *descriptor)
{
    consort_plan *plan;
    if (consort_plan_create(descriptor, &plan) != CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    return plan;
}

static void device_run_graph(CUstream stream)
{
    const struct driver *driver = driver_get();
    CUgraph graph;
    CUgraphExec executable;
    assert_int_equal(driver->cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
    assert_int_equal(driver->cuGraphInstantiate(&executable, graph, 0), CUDA_SUCCESS);
    assert_int_equal(driver->cuGraphLaunch(executable, stream), CUDA_SUCCESS);
    assert_int_equal(driver->cuStreamSynchronize(stream), CUDA_SUCCESS);
    driver->cuGraphExecDestroy(executable);
    driver->cuGraphDestroy(graph);
}

static void device_run_on_stream(const consort_plan *plan, const consort_arguments *arguments,
                                 void *workspace, bool captured)
{
    const struct driver *driver = driver_get();
    CUstream stream;
    assert_int_equal(driver->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    if (captured)
        assert_int_equal(driver->cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
                         CUDA_SUCCESS);
    if (consort_plan_run(plan, arguments, workspace, consort_plan_workspace(plan), stream) !=
        CONSORT_OK)
        fail_msg("%s", consort_last_error()->message);
    if (captured)
        device_run_graph(stream);
    assert_int_equal(driver->cuStreamSynchronize(stream), CUDA_SUCCESS);
    driver->cuStreamDestroy(stream);
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
