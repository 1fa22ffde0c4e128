/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A short list of 8-bit keys, counted and written by one block, key by key: little code, which
 * comes from memory once for each launch, matters more than what a key takes.
 */
#ifndef CONSORT_COUNTING_ALONE_CUH
#define CONSORT_COUNTING_ALONE_CUH

#include "cuda/sorts/counting/counting_expand.cuh"

struct counting_alone_storage {
    uint32_t bins[COUNTING_ALONE_SETS][256];
    uint32_t ends[256];
    uint32_t warp_sums[8];
};

static __device__ __forceinline__ void counting_alone(const counting_arguments &a,
                                                      counting_alone_storage &s)
{
    const counting_key_of<uint8_t> key_of = {codes<uint8_t>(a.codec)};
    const uint32_t count = (uint32_t)a.count;
    const uint8_t *in = (const uint8_t *)a.in;
    for (unsigned i = threadIdx.x; i < COUNTING_ALONE_SETS * 256; i += COUNTING_THREADS)
        (&s.bins[0][0])[i] = 0;
    __syncthreads();
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < count; i += COUNTING_THREADS)
        atomicAdd(&s.bins[threadIdx.x % COUNTING_ALONE_SETS][key_of.codec.encode(in[i])], 1u);
    __syncthreads();
    uint32_t keys = 0;
    if (threadIdx.x < 256)
        for (unsigned set = 0; set < COUNTING_ALONE_SETS; set++)
            keys += s.bins[set][threadIdx.x];
    const uint32_t before = block_exclusive_sum_256(keys, s.warp_sums);
    if (threadIdx.x < 256)
        s.ends[threadIdx.x] = before + keys;
    __syncthreads();
    const expansion<uint8_t, uint32_t, counting_key_of<uint8_t>> all = {(uint8_t *)a.out, s.ends,
                                                                        255, key_of, nullptr};
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < count; i += COUNTING_THREADS)
        all.keys[i] = key_of(all.code_at(i, 0, 255));
    counting_tell_outcome(a);
}

#endif
