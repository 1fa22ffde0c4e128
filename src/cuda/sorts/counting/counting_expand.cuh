/* SPDX-License-Identifier: Apache-2.0 */
/* From counts to sorted keys: bins become ends, by which the output is written. */
#ifndef CONSORT_COUNTING_EXPAND_CUH
#define CONSORT_COUNTING_EXPAND_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/expansion.cuh"
#include "cuda/device/flag.cuh"
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

struct counting_scan_storage {
    uint64_t warp_sums[COUNTING_THREADS / 32];
    uint32_t stretch;
};

/* What lower stretches have, as soon as their blocks have told. */
static __device__ __forceinline__ uint64_t counting_before(const counting_arguments &a,
                                                           uint32_t stretch, uint64_t *warp_sums)
{
    uint64_t told = 1, all;
    if (threadIdx.x < stretch)
        while ((told = flag_poll(&a.control->stretch_keys[threadIdx.x])) == 0)
            spin_pause(32);
    block_exclusive_sum<COUNTING_THREADS / 32>(told - 1, warp_sums, &all);
    return all;
}

/* Counts of 16-bit keys become ends of those that there are, in the order of codes. A block takes a
 * stretch of codes, one for each thread, and tells the others what they have: in one word, how many
 * have keys, and how many these are. */
static __device__ __forceinline__ void counting_scan(const counting_arguments &a,
                                                     counting_scan_storage &s)
{
    constexpr uint64_t one_code = (uint64_t)1 << COUNTING_KEYS_BITS;
    if (threadIdx.x == 0)
        s.stretch = atomicAdd(&a.control->stretches, 1u);
    __syncthreads();
    const uint32_t stretch = s.stretch;
    const counting_key_of<uint16_t> key_of = {codes<uint16_t>(a.codec)};
    const uint16_t key = key_of(stretch * COUNTING_THREADS + threadIdx.x);
    const uint64_t count = counting_totals(a).of(key);
    uint64_t all;
    uint64_t before =
        block_exclusive_sum<COUNTING_THREADS / 32>(count ? one_code + count : 0, s.warp_sums, &all);
    if (threadIdx.x == 0)
        flag_publish(&a.control->stretch_keys[stretch], all + 1);
    const uint64_t lower = counting_before(a, stretch, s.warp_sums);
    before += lower;
    if (count) {
        a.ends[before / one_code] = before % one_code + count;
        a.present[before / one_code] = key;
    }
    if (stretch == COUNTING_STRETCHES - 1 && threadIdx.x == 0)
        a.control->present = (uint32_t)((lower + all) / one_code);
    if (stretch == 0)
        counting_tell_outcome(a);
}

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
