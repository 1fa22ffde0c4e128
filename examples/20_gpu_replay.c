/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts what comes again and again in the same buffers, frame after frame: a plan that is told so
 * records its launches the second time, and replays them from then on.
 */
#include <consort.h>
#include <cuda.h>
#include <stdio.h>

enum {
    COUNT = 1000,
    FRAMES = 4
};

static consort_plan *make_plan(void)
{
    consort_plan *plan;
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = COUNT;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.replay = 1;
    return consort_plan_create(&descriptor, &plan) == CONSORT_OK ? plan : NULL;
}

/* The arguments are the same for every frame: that is what a plan knows a run by. */
static consort_status sort_frames(const consort_plan *plan, CUdeviceptr keys, CUdeviceptr workspace,
                                  CUstream stream)
{
    uint32_t frame[COUNT];
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = (void *)keys;
    arguments.out = (void *)keys;
    for (uint32_t f = 1; f <= FRAMES; f++) {
        for (uint32_t i = 0; i < COUNT; i++)
            frame[i] = i * 101 * f % 1009 + f;
        cuMemcpyHtoD(keys, frame, sizeof frame);
        consort_status status = consort_plan_run(plan, &arguments, (void *)workspace,
                                                 consort_plan_workspace(plan), stream);
        if (status != CONSORT_OK)
            return status;
        cuStreamSynchronize(stream);
        cuMemcpyDtoH(frame, keys, sizeof frame);
        printf("frame %u: %u %u %u … %u\n", f, frame[0], frame[1], frame[2], frame[COUNT - 1]);
    }
    return CONSORT_OK;
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUdeviceptr keys, workspace = 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) {
        fprintf(stderr, "no GPU\n");
        return 77;
    }
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    consort_plan *plan = make_plan();
    uint64_t bytes = consort_plan_workspace(plan);
    if (!plan || cuMemAlloc(&keys, COUNT * sizeof(uint32_t)) != CUDA_SUCCESS ||
        (bytes > 0 && cuMemAlloc(&workspace, bytes) != CUDA_SUCCESS)) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    if (sort_frames(plan, keys, workspace, stream) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    cuStreamDestroy(stream);
    consort_plan_destroy(plan);
    cuMemFree(workspace);
    cuMemFree(keys);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
