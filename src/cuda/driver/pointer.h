/* SPDX-License-Identifier: Apache-2.0 */
/* Where the driver says an address lives. */
#ifndef CONSORT_CUDA_POINTER_H
#define CONSORT_CUDA_POINTER_H

#include "cuda/driver/driver.h"

enum pointer_kind {
    POINTER_PAGEABLE, /* unknown to the driver: malloc, mmap, the stack */
    POINTER_PINNED,   /* cudaMallocHost, cudaHostRegister: the GPU copies it by itself */
    POINTER_MANAGED,  /* cudaMallocManaged: CPU and GPUs both reach it */
    POINTER_DEVICE
};

struct pointer_place {
    enum pointer_kind kind;
    int32_t device; /* whose memory a POINTER_DEVICE is; −1 for the others */
};

/* Asks the driver, which needs no current context for it (40 to 90 ns). NULL is pageable. */
consort_status pointer_locate(const void *pointer, struct pointer_place *place);

/* Whether kernels of the current context may write there. Peer access is enabled where it can be;
 * it is not enough: memory of pools, and memory that is mapped, is shared by whoever made it, or
 * not. */
bool pointer_is_writable(CUdeviceptr pointer);

#endif
