/* SPDX-License-Identifier: Apache-2.0 */
/* How kernels that launch_following() starts begin. */
#ifndef CONSORT_SEGMENTED_BEGIN_CUH
#define CONSORT_SEGMENTED_BEGIN_CUH

#include "cuda/device/early_launch.cuh"

/* Before a kernel reads or writes anything: it may have been started while the one before it still
 * ran, and lets the next one be. */
static __device__ __forceinline__ void segmented_begin()
{
    early_launch_release();
    early_launch_wait();
}

#endif
