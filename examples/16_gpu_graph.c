/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records a sort on a stream of its own into a CUDA graph, and replays the graph on other keys: a
 * run queues the same launches whatever the data are, so one recording serves all.
 */
#include <consort.h>
#include <cuda.h>
#include <stdio.h>

enum {
    COUNT = 1000
};

static CUdeviceptr keys, workspace;
static uint64_t workspace_bytes;

static consort_plan *make_plan(void)
{
    consort_plan *plan;
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = COUNT;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        return NULL;
    workspace_bytes = consort_plan_workspace(plan);
    return plan;
}

static CUgraphExec record_sort(const consort_plan *plan, CUstream stream)
{
    CUgraph graph;
    CUgraphExec executable = NULL;
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = (void *)keys;
    arguments.out = (void *)keys;

    cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    consort_plan_run(plan, &arguments, (void *)workspace, workspace_bytes, stream);
    if (cuStreamEndCapture(stream, &graph) == CUDA_SUCCESS) {
        cuGraphInstantiate(&executable, graph, 0);
        cuGraphDestroy(graph);
    }
    return executable;
}

/* The graph holds pointers: whoever replays it puts other keys where they point. */
static void replay(CUgraphExec sort, CUstream stream, uint32_t factor)
{
    uint32_t host[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        host[i] = i * factor % 1009 + factor;
    cuMemcpyHtoD(keys, host, sizeof host);
    cuGraphLaunch(sort, stream);
    cuStreamSynchronize(stream);
    cuMemcpyDtoH(host, keys, sizeof host);
    printf("%u %u %u … %u\n", host[0], host[1], host[2], host[COUNT - 1]);
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUstream stream;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) {
        fprintf(stderr, "no GPU\n");
        return 77;
    }
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    consort_plan *plan = make_plan();
    if (!plan || cuMemAlloc(&keys, COUNT * sizeof(uint32_t)) != CUDA_SUCCESS ||
        (workspace_bytes > 0 && cuMemAlloc(&workspace, workspace_bytes) != CUDA_SUCCESS)) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    CUgraphExec sort = record_sort(plan, stream);
    if (!sort)
        return 1;
    replay(sort, stream, 7);
    replay(sort, stream, 500);
    cuGraphExecDestroy(sort);
    cuMemFree(workspace);
    cuMemFree(keys);
    consort_plan_destroy(plan);
    cuStreamDestroy(stream);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
