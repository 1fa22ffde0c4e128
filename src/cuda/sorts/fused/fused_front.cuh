/* SPDX-License-Identifier: Apache-2.0 */
/* Whether keys are even, so that words get rooms: the sample of `msd` tells. */
#ifndef CONSORT_FUSED_FRONT_CUH
#define CONSORT_FUSED_FRONT_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/fused/fused_words.cuh"
#include "cuda/sorts/msd/msd_rooms.cuh"
#include "cuda/sorts/msd/msd_sample.cuh"

enum {
    FUSED_SAMPLE = 16 /* keys a thread reads: as many as of keys that are as wide as words, whose
                       * leaves are as large */
};

using fused_front_storage = msd_sample_storage<uint32_t>;

/* All blocks empty tables; the first, before it samples, what it will write to. A cell of keys is
 * one of words, with all that their lower halves may be. */
static __device__ __forceinline__ void fused_look(const fused_arguments &a, fused_front_storage &s)
{
    msd_arguments keys = a.words;
    msd_control *control = keys.control;
    grid_clear(keys.cells, keys.cleared);
    if (blockIdx.x > 0)
        return;
    block_clear(control, control + 1);
    __syncthreads();
    keys.in = a.keys;
    keys.codec = a.codec;
    const msd_sampled<uint32_t, FUSED_SAMPLE> sampled(keys, s.warps, [] {});
    const bool crowd = msd_look_at_codes<uint32_t>(keys, sampled, s);
    msd_choose_rooms_of_codes<uint32_t>(keys, sampled, crowd, s.skew);
    if (threadIdx.x == 0) {
        control->base[0] <<= FUSED_KEY_BITS;
        control->shift += FUSED_KEY_BITS;
    }
}

#endif
