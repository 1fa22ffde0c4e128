/* SPDX-License-Identifier: Apache-2.0 */
/* Which lanes of a warp hold the same digit. */
#ifndef CONSORT_CUDA_DIGIT_MATCH_CUH
#define CONSORT_CUDA_DIGIT_MATCH_CUH

#include "cuda/device/ptx.cuh"

/* `AtOnce` bits in a step. One ballot a bit: match.any.sync takes longer for few bits (CUB measured
 * the same; see NVIDIA/cccl, warp_utils). */
template <unsigned Bits, unsigned AtOnce = Bits>
static __device__ __forceinline__ uint32_t digit_match(uint32_t digit)
{
    uint32_t peers = 0xffffffffu;
#pragma unroll AtOnce
    for (unsigned bit = 0; bit < Bits; bit++)
        peers &= ballot_alike(digit, 1u << bit);
    return peers;
}

#endif
