/* SPDX-License-Identifier: Apache-2.0 */
/* Structures in device memory by several columns: by city, and within a city by amount. */
#include <consort.h>
#include <cuda.h>
#include <stddef.h>
#include <stdio.h>

struct sale {
    char city[8]; /* padded with zeros, so that it compares as a byte string */
    uint32_t number;
    float amount;
};

enum {
    COUNT = 5
};

static consort_plan *make_plan(void)
{
    consort_plan *plan;
    const consort_field fields[] = {
        {.offset = offsetof(struct sale, city), .type = consort_type_bytes(8)},
        {.offset = offsetof(struct sale, amount),
         .type = CONSORT_F32,
         .direction = CONSORT_DESCENDING},
    };
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_RECORD;
    descriptor.record_bytes = sizeof(struct sale);
    descriptor.fields = fields;
    descriptor.field_count = 2;
    descriptor.maximum_count = COUNT;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    return consort_plan_create(&descriptor, &plan) == CONSORT_OK ? plan : NULL;
}

static consort_status sort_on_device(const consort_plan *plan, struct sale *sales)
{
    CUdeviceptr records, workspace = 0;
    uint64_t bytes = consort_plan_workspace(plan);
    if (cuMemAlloc(&records, COUNT * sizeof *sales) != CUDA_SUCCESS ||
        (bytes > 0 && cuMemAlloc(&workspace, bytes) != CUDA_SUCCESS))
        return CONSORT_ERROR_DEVICE_MEMORY;
    cuMemcpyHtoD(records, sales, COUNT * sizeof *sales);
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = COUNT;
    arguments.in = (void *)records;
    arguments.out = (void *)records;
    consort_status status = consort_plan_run(plan, &arguments, (void *)workspace, bytes, NULL);
    cuMemcpyDtoH(sales, records, COUNT * sizeof *sales);
    cuMemFree(workspace);
    cuMemFree(records);
    return status;
}

int main(void)
{
    struct sale sales[COUNT] = {
        {"Oslo", 1, 10.0f},  {"Bergen", 2, 35.5f}, {"Oslo", 3, 99.0f},
        {"Bergen", 4, 8.0f}, {"Oslo", 5, 10.0f},
    };
    CUdevice device;
    CUcontext context;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) {
        fprintf(stderr, "no GPU\n");
        return 77;
    }
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    consort_plan *plan = make_plan();
    if (!plan || sort_on_device(plan, sales) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    for (int i = 0; i < COUNT; i++)
        printf("%-8s %6.2f  number %u\n", sales[i].city, (double)sales[i].amount,
               (unsigned)sales[i].number);
    consort_plan_destroy(plan);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
