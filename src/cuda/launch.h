/* SPDX-License-Identifier: Apache-2.0 */
/* Queueing work on a stream: kernels and clears. The device must be entered. */
#ifndef CONSORT_CUDA_LAUNCH_H
#define CONSORT_CUDA_LAUNCH_H

#include "cuda/driver/kernels.h"

/* A kernel with the shape it is launched in. */
struct launch {
    CUfunction function;
    uint32_t threads;
    uint32_t shared; /* dynamic shared memory, bytes */
};

/* `arguments` points to one pointer for each kernel parameter, as cuLaunchKernel wants. */
consort_status launch_kernel(const struct launch *launch, uint64_t blocks, consort_stream stream,
                             void **arguments);

/* Sets `bytes` bytes, a multiple of 4, to zero. */
consort_status launch_clear(void *memory, uint64_t bytes, consort_stream stream);

#endif
