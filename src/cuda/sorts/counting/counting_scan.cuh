/* SPDX-License-Identifier: Apache-2.0 */
/* What all blocks have counted of 16-bit keys becomes ends of those that there are, in the order of
 * codes. */
#ifndef CONSORT_COUNTING_SCAN_CUH
#define CONSORT_COUNTING_SCAN_CUH

#include "cuda/device/block_warp_scan.cuh"
#include "cuda/device/flag.cuh"
#include "cuda/device/warp_reduce.cuh"
#include "cuda/sorts/counting/counting_expand.cuh"
#include "cuda/sorts/counting/counting_rows.cuh"

struct counting_scan_storage {
    uint64_t warp_sums[2][COUNTING_THREADS / 32];
    uint32_t sums[COUNTING_STRETCH_CODES];
};

/* How often a key occurs, for each thread of a block that has one; the others add up as many rows
 * for the thread of the same place among them. */
static __device__ __forceinline__ uint64_t counting_total(const counting_arguments &a, uint16_t key,
                                                          uint32_t *sums)
{
    static_assert(COUNTING_THREADS == 2 * COUNTING_STRETCH_CODES, "two threads for each code");
    const counting_rows rows(a);
    const bool helps = threadIdx.x >= COUNTING_STRETCH_CODES;
    const uint64_t added = helps ? 0 : counting_totals(a).of(key);
    const uint32_t own = rows.sum(key, helps ? 1 : 0, min(a.control->rows, rows.room), 2);
    if (helps)
        sums[threadIdx.x - COUNTING_STRETCH_CODES] = own;
    __syncthreads();
    return helps ? 0 : added + own + sums[threadIdx.x];
}

/* What lower stretches have, as soon as their blocks have told. */
static __device__ __forceinline__ uint64_t counting_before(const counting_arguments &a,
                                                           uint32_t stretch, uint64_t *warp_sums)
{
    uint64_t told = 1, all;
    if (threadIdx.x < stretch)
        while ((told = flag_poll(&a.control->stretch_keys[threadIdx.x])) == 0)
            spin_pause(32);
    block_sum_of_lower_warps(warp_last(warp_inclusive_sum(told - 1)), warp_sums, &all);
    return all;
}

/* By a block, which tells the others what codes of a stretch have: in one word, how many have keys,
 * and how many these are. */
static __device__ __forceinline__ void
counting_scan_stretch(const counting_arguments &a, uint32_t stretch, counting_scan_storage &s)
{
    constexpr uint64_t one_code = (uint64_t)1 << COUNTING_KEYS_BITS;
    const counting_key_of<uint16_t> key_of = {codes<uint16_t>(a.codec)};
    const uint16_t key =
        key_of(stretch * COUNTING_STRETCH_CODES + threadIdx.x % COUNTING_STRETCH_CODES);
    const uint64_t count = counting_total(a, key, s.sums), own = count ? one_code + count : 0;
    const uint64_t inclusive = warp_inclusive_sum(own);
    uint64_t all;
    uint64_t before =
        inclusive - own + block_sum_of_lower_warps(warp_last(inclusive), s.warp_sums[0], &all);
    if (threadIdx.x == 0)
        flag_publish(&a.control->stretch_keys[stretch], all + 1);
    const uint64_t lower = counting_before(a, stretch, s.warp_sums[1]);
    before += lower;
    if (count) {
        a.ends[before / one_code] = before % one_code + count;
        a.present[before / one_code] = key;
    }
    if (stretch == COUNTING_STRETCHES - 1 && threadIdx.x == 0)
        a.control->present = (uint32_t)((lower + all) / one_code);
}

/* By all blocks of a cooperative launch, which wait for those of lower stretches. */
static __device__ __forceinline__ void counting_scan(const counting_arguments &a,
                                                     counting_scan_storage &s)
{
    for (uint32_t stretch = blockIdx.x; stretch < COUNTING_STRETCHES; stretch += gridDim.x)
        counting_scan_stretch(a, stretch, s);
    if (blockIdx.x == 0)
        counting_tell_outcome(a);
}

#endif
