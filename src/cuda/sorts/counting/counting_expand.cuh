/* SPDX-License-Identifier: Apache-2.0 */
/* From ends, which counts of 8-bit keys become here, to sorted keys. */
#ifndef CONSORT_COUNTING_EXPAND_CUH
#define CONSORT_COUNTING_EXPAND_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/expansion.cuh"
#include "cuda/sorts/counting/counting_histogram.cuh"

static __device__ __forceinline__ void counting_tell_outcome(const counting_arguments &a)
{
    if (a.outcome && threadIdx.x == 0) {
        ((int32_t *)a.outcome)[0] = 0; /* CONSORT_OK */
        ((int32_t *)a.outcome)[1] = 1;
    }
}

template <typename K> struct counting_key_of {
    const codes<K> codec;

    __device__ __forceinline__ K operator()(uint32_t code) const
    {
        return codec.decode((K)code);
    }
};

/* The keys that there are. */
struct counting_present {
    const uint16_t *keys;

    __device__ __forceinline__ uint16_t operator()(uint32_t number) const
    {
        return keys[number];
    }
};

struct counting_expand_storage {
    uint32_t near[COUNTING_EXPAND_THREADS / 32 * EXPANSION_NEAR];
};

static __device__ __forceinline__ void counting_expand(const counting_arguments &a,
                                                       counting_expand_storage &s)
{
    const expansion<uint16_t, uint64_t, counting_present> all = {
        (uint16_t *)a.out, a.ends, a.control->present - 1, {a.present}, s.near};
    all.write_all(a.count);
}

struct counting_ends_8 {
    uint64_t ends[256];
    uint64_t warp_sums[8];
};

/* 8-bit keys have so few counts that each block makes ends of them by itself. */
static __device__ __forceinline__ void counting_expand_bytes(const counting_arguments &a,
                                                             counting_ends_8 &s)
{
    static_assert(COUNTING_EXPAND_THREADS == 256, "a thread for each code");
    const counting_key_of<uint8_t> key_of = {codes<uint8_t>(a.codec)};
    const uint64_t count = counting_totals(a).of(key_of(threadIdx.x));
    s.ends[threadIdx.x] = block_exclusive_sum_256(count, s.warp_sums) + count;
    __syncthreads();
    if (blockIdx.x == 0)
        counting_tell_outcome(a);
    const expansion<uint8_t, uint64_t, counting_key_of<uint8_t>> all = {(uint8_t *)a.out, s.ends,
                                                                        255, key_of, nullptr};
    all.write_all(a.count);
}

#endif
