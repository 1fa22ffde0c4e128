/* SPDX-License-Identifier: Apache-2.0 */
/* Places at which kernels look at keys before they decide how to go on. Who makes a list does not
 * know them: keys cannot hide from all of them. */
#ifndef CONSORT_CUDA_SCATTERED_CUH
#define CONSORT_CUDA_SCATTERED_CUH

#include "cuda/device/device.cuh"

/* A place below `room`, which is less than 2^32, for each number. The steps are the last ones of
 * MurmurHash3 (Appleby, 2011). */
static __device__ __forceinline__ uint64_t scattered_place(uint32_t number, uint32_t seed,
                                                           uint64_t room)
{
    uint32_t word = number * 2654435761u + seed;
    word = (word ^ word >> 16) * 0x85ebca6bu;
    word = (word ^ word >> 13) * 0xc2b2ae35u;
    return (word ^ word >> 16) * room >> 32;
}

#endif
