/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of 4, 8 or 16 aligned bytes from global to shared memory that go on beside the thread and
 * take none of its registers (sm_80; the emulator copies at once).
 */
#ifndef CONSORT_CUDA_ASYNC_COPY_CUH
#define CONSORT_CUDA_ASYNC_COPY_CUH

#include "cuda/device/device.cuh"

#ifdef __CUDACC__
#include <cuda_pipeline_primitives.h>

template <typename T> __device__ __forceinline__ void async_copy(T *shared, const T *global)
{
    __pipeline_memcpy_async(shared, global, sizeof(T));
}

/* Until all copies of this thread are there; others see them after a barrier. */
__device__ __forceinline__ void async_copy_wait()
{
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

#else

template <typename T> static inline void async_copy(T *shared, const T *global)
{
    *shared = *global;
}

static inline void async_copy_wait()
{
}

#endif

#endif
