/* SPDX-License-Identifier: Apache-2.0 */
/* The order of keys in device memory, as indices there. The keys are only read. */
#include <consort.h>
#include <cuda.h>
#include <stdio.h>

enum {
    COUNT = 5
};

/* keys: COUNT times f64; indices: COUNT times u32; both in device memory. */
static consort_status order_of(CUdeviceptr keys, CUdeviceptr indices)
{
    consort_plan *plan;
    consort_options options;
    consort_descriptor descriptor;
    consort_options_init(&options);
    options.direction = CONSORT_DESCENDING;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_ARGSORT;
    descriptor.type = CONSORT_F64;
    descriptor.index_type = CONSORT_U32;
    descriptor.maximum_count = COUNT;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.options = &options;
    consort_status status = consort_plan_create(&descriptor, &plan);
    if (status != CONSORT_OK)
        return status;

    uint64_t bytes = consort_plan_workspace(plan);
    CUdeviceptr workspace = 0;
    if (bytes > 0 && cuMemAlloc(&workspace, bytes) != CUDA_SUCCESS)
        return CONSORT_ERROR_DEVICE_MEMORY;
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = (void *)keys;
    arguments.indices = (void *)indices;
    status = consort_plan_run(plan, &arguments, (void *)workspace, bytes, NULL);
    cuCtxSynchronize();
    cuMemFree(workspace);
    consort_plan_destroy(plan);
    return status;
}

int main(void)
{
    const double height[COUNT] = {8848.9, 4810.0, 6961.0, 5895.0, 6190.5};
    uint32_t order[COUNT];
    CUdevice device;
    CUcontext context;
    CUdeviceptr keys, indices;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) {
        fprintf(stderr, "no GPU\n");
        return 77;
    }
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    if (cuMemAlloc(&keys, sizeof height) != CUDA_SUCCESS ||
        cuMemAlloc(&indices, sizeof order) != CUDA_SUCCESS)
        return 1;
    cuMemcpyHtoD(keys, height, sizeof height);
    if (order_of(keys, indices) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    cuMemcpyDtoH(order, indices, sizeof order);
    for (int i = 0; i < COUNT; i++)
        printf("%d. number %u, %.1f\n", i + 1, order[i], height[order[i]]);
    cuMemFree(indices);
    cuMemFree(keys);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
