/* SPDX-License-Identifier: Apache-2.0 */
/* Whether keys are even, so that words get rooms: the sample of `msd` tells. */
#ifndef CONSORT_FUSED_FRONT_CUH
#define CONSORT_FUSED_FRONT_CUH

#include "cuda/sorts/fused/fused_words.cuh"
#include "cuda/sorts/msd/msd_rooms.cuh"
#include "cuda/sorts/msd/msd_sample.cuh"

using fused_front_storage = msd_sample_storage<uint32_t>;

/* By one block. A cell of keys is one of words, with all that their lower halves may be. */
static __device__ __forceinline__ void fused_look(const fused_arguments &a, fused_front_storage &s)
{
    msd_arguments keys = a.words;
    keys.in = a.keys;
    keys.codec = a.codec;
    msd_sample<uint32_t>(keys, s, [&](const code_range<uint32_t> &range, bool crowd) {
        msd_choose_rooms<uint32_t>(keys, range, crowd, s.skew);
    });
    if (threadIdx.x == 0) {
        a.words.control->base[0] <<= FUSED_KEY_BITS;
        a.words.control->shift += FUSED_KEY_BITS;
    }
}

#endif
