/* SPDX-License-Identifier: Apache-2.0 */
/* When kernels go on that launch_following() has started, and when the next one may start. No
 * emulator sees a missing wait: there launches follow each other. */
#ifndef CONSORT_CUDA_EARLY_LAUNCH_CUH
#define CONSORT_CUDA_EARLY_LAUNCH_CUH

#include "cuda/device/ptx.cuh"

/* Before a kernel reads or writes anything: it may have been started while the one before it still
 * ran. */
static __device__ __forceinline__ void early_launch_wait()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    grid_dependency_wait();
#endif
}

/* Lets the next kernel start when all blocks of this one have. For kernels of few blocks: of others
 * the next one's are better placed when blocks of this one end, by which they let it start as well
 * (2^20 u64 by `merge` in 81 instead of 92 microseconds). */
static __device__ __forceinline__ void early_launch_release()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    grid_dependency_release();
#endif
}

#endif
