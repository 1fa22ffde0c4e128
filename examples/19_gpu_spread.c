/* SPDX-License-Identifier: Apache-2.0 */
/* A list that lies in the memory of several GPUs, sorted there: each part keeps its length. */
#include <consort.h>
#include <cuda.h>
#include <stdio.h>

enum {
    PARTS = 3,
    COUNT = 4 /* in each part */
};

/* A part in the memory of `device`, which stays the current one. */
static int make_part(consort_part *part, CUdevice device, const uint32_t *keys)
{
    CUcontext context;
    CUdeviceptr memory;
    if (cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS ||
        cuCtxSetCurrent(context) != CUDA_SUCCESS ||
        cuMemAlloc(&memory, COUNT * sizeof *keys) != CUDA_SUCCESS ||
        cuMemcpyHtoD(memory, keys, COUNT * sizeof *keys) != CUDA_SUCCESS)
        return 1;
    *part = (consort_part){
        .device = device, .count = COUNT, .in = (void *)memory, .out = (void *)memory};
    return 0;
}

int main(void)
{
    const uint32_t keys[PARTS][COUNT] = {{70, 20, 40, 41}, {10, 42, 90, 43}, {44, 0, 30, 80}};
    consort_part parts[PARTS];
    int devices = 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&devices) != CUDA_SUCCESS || devices == 0) {
        fprintf(stderr, "no GPU\n");
        return 77;
    }
    for (int p = 0; p < PARTS; p++)
        if (make_part(&parts[p], p % devices, keys[p]) != 0)
            return 1;
    if (consort_sort_spread(parts, PARTS, 0, CONSORT_U32, NULL) != CONSORT_OK) {
        fprintf(stderr, "%s\n", consort_last_error()->message);
        return 1;
    }
    for (int p = 0; p < PARTS; p++) {
        uint32_t sorted[COUNT];
        cuMemcpyDtoH(sorted, (CUdeviceptr)parts[p].out, sizeof sorted);
        printf("part %d: %u %u %u %u\n", p, sorted[0], sorted[1], sorted[2], sorted[3]);
        cuMemFree((CUdeviceptr)parts[p].out);
    }
    return 0;
}
