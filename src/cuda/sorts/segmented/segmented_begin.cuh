/* SPDX-License-Identifier: Apache-2.0 */
/* How kernels that launch_following() starts begin. */
#ifndef CONSORT_SEGMENTED_BEGIN_CUH
#define CONSORT_SEGMENTED_BEGIN_CUH

#include "cuda/device/ptx.cuh"

/* Before a kernel reads or writes anything: it may have been started while the one before it still
 * ran, and lets the next one be. */
static __device__ __forceinline__ void segmented_begin()
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    grid_dependency_release();
    grid_dependency_wait();
#endif
}

#endif
