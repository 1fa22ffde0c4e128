/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts an array that a CUDA program already has in device memory, on that program's own stream:
 * pointers from cudaMalloc and a cudaStream_t are passed as they are. Nothing is copied to the host
 * or allocated by the sort.
 */
#include <consort.h>
#include <cuda_runtime_api.h>
#include <stdio.h>

enum {
    COUNT = 1000000
};

static float keys[COUNT];

static consort_status make_plan(consort_plan **plan)
{
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_F32;
    descriptor.maximum_count = COUNT;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    return consort_plan_create(&descriptor, plan);
}

static consort_status sort_on(const consort_plan *plan, float *device_keys, cudaStream_t stream)
{
    void *workspace = NULL;
    if (cudaMalloc(&workspace, consort_plan_workspace(plan)) != cudaSuccess)
        return CONSORT_ERROR_DEVICE_MEMORY;
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = device_keys; /* the same pointer twice sorts in place */
    arguments.out = device_keys;
    consort_status status =
        consort_plan_run(plan, &arguments, workspace, consort_plan_workspace(plan), stream);
    cudaStreamSynchronize(stream);
    cudaFree(workspace);
    return status;
}

int main(void)
{
    for (int i = 0; i < COUNT; i++)
        keys[i] = (float)((i * 7919LL) % COUNT);

    float *device_keys = NULL;
    cudaStream_t stream;
    if (cudaMalloc((void **)&device_keys, sizeof keys) != cudaSuccess ||
        cudaStreamCreate(&stream) != cudaSuccess) {
        fprintf(stderr, "no GPU\n");
        return 77;
    }
    cudaMemcpy(device_keys, keys, sizeof keys, cudaMemcpyHostToDevice);
    consort_plan *plan;
    consort_status status = make_plan(&plan);
    if (status == CONSORT_OK) {
        status = sort_on(plan, device_keys, stream);
        consort_plan_destroy(plan);
    }
    if (status != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    cudaMemcpy(keys, device_keys, sizeof keys, cudaMemcpyDeviceToHost);
    printf("%.0f %.0f %.0f … %.0f\n", keys[0], keys[1], keys[2], keys[COUNT - 1]);
    return 0;
}
