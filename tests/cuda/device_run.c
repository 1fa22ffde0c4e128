/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of device plans for tests: on a stream of their own, waited for. */
#include "device_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cuda/driver/driver.h"

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

void device_run(const consort_plan *plan, const consort_arguments *arguments, void *workspace,
                bool captured)
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
