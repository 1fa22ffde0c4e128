/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A key and its place in the list as one word of 64 bits: the key's code above, the place below. No
 * two words are equal, and in their order equal keys keep theirs: an unstable sort of words is a
 * stable argsort.
 */
#ifndef CONSORT_FUSED_WORDS_CUH
#define CONSORT_FUSED_WORDS_CUH

#include "cuda/sorts/fused/fused_layout.h"
#include "cuda/sorts/msd/msd_codes.cuh"

enum {
    FUSED_KEY_BITS = 32
};

/* Words of keys as they come, from a place of the list on. */
struct fused_input {
    const uint32_t *keys;
    uint32_t first, shift;

    __device__ __forceinline__ fused_input(const void *list, uint32_t begin, uint32_t places_shift)
        : keys((const uint32_t *)list + begin), first(begin), shift(places_shift)
    {
    }

    __device__ __forceinline__ uint64_t operator[](uint32_t i) const
    {
        return (uint64_t)keys[i] << FUSED_KEY_BITS | (first + i) << shift;
    }
};

/* Their keys become codes. */
template <unsigned Count>
static __device__ __forceinline__ void fused_encode(const msd_codec<uint32_t> &codec,
                                                    uint64_t (&word)[Count])
{
    if (codec.identity)
        return;
#pragma unroll
    for (unsigned i = 0; i < Count; i++) {
        const uint64_t code = codec.encode((uint32_t)(word[i] >> FUSED_KEY_BITS));
        word[i] = code << FUSED_KEY_BITS | (uint32_t)word[i];
    }
}

/* Where leaves write, as msd_output has it: places alone. */
struct fused_output {
    uint32_t *places;
    uint32_t shift;

    __device__ __forceinline__ fused_output at(uint32_t begin) const
    {
        return {places + begin, shift};
    }
};

static __device__ __forceinline__ void msd_put(const fused_output &to, uint32_t at, uint64_t word)
{
    to.places[at] = (uint32_t)word >> to.shift;
}

#endif
