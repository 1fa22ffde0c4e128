/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What blocks of the front do while a sample is judged, which takes as long as to read 2^23 keys:
 * of a few keys, the same for all, they guess whether passes will sort. Then they begin to count
 * digits; else what they will read first comes to the cache.
 */
#ifndef CONSORT_MSD_GUESS_CUH
#define CONSORT_MSD_GUESS_CUH

#include "cuda/sorts/msd/msd_few.cuh"
#include "cuda/sorts/msd/msd_held_numbers.cuh"
#include "cuda/sorts/msd/msd_sample.cuh"
#include "cuda/sorts/msd/msd_separation.cuh"
#include "cuda/sorts/msd/msd_skew_passes.cuh"

enum {
    MSD_LINE_BYTES = 128,     /* of memory, that one prefetch brings */
    MSD_REPEATED_HASHES = 584 /* of sampled keys: fewer if many are the same */
};

template <typename K> struct msd_guess_storage {
    few_codes<K, MSD_PLAN_THREADS> few;
    code_range<K> ranges[MSD_PLAN_THREADS / 32];
    uint32_t parts[MSD_SAMPLE_PARTS];
    uint32_t low[MSD_LOW_BINS];
};

/* A line each thread. */
template <typename K> static __device__ __forceinline__ void msd_read_ahead(const msd_arguments &a)
{
    const uint64_t line = (uint64_t)blockIdx.x * MSD_HISTOGRAM_THREADS + threadIdx.x;
    if (line * MSD_LINE_BYTES < a.count * sizeof(K))
        prefetch_line((const char *)a.in + line * MSD_LINE_BYTES);
}

/* By a block: few different keys will be counted by their ranks, unless another way is found to
 * count each. Not inlined, for the sake of what counts. So it finds its shared memory by itself. */
template <typename K>
__attribute__((noinline)) static __device__ void msd_look_for_few(const msd_arguments &a,
                                                                  uint32_t cleared)
{
    using few_type = few_codes<K, MSD_PLAN_THREADS>;
    SHARED_DYNAMIC(few, few_type);
    const codes<K> codec(a.codec);
    const uint32_t found = few->find(codec.encode(msd_few_sample<K, MSD_PLAN_THREADS>(a)));
    grid_wait(cleared);
    if (found == 0)
        return;
    if (threadIdx.x < MSD_FEW)
        code_to_words(few->codes[threadIdx.x], a.control->few[threadIdx.x]);
    if (threadIdx.x == 0)
        atomicCAS(&a.control->counted, 0u, (uint32_t)MSD_RANKED);
}

/* Of a sample, of which a thread has one key. Of keys that passes sort a quarter and more are in
 * one of the parts of their range, which should have a 16th; of Gaussian u32, which they do not
 * sort, a sixth; or many are the same: 1024 different codes have 647 hashes, give or take ten,
 * those of zipf keys 524, which as floats lie evenly in their range. But numbers that are even in
 * theirs, and codes that are few, or in so short a range that each is counted, are not for passes.
 */
template <typename K>
static __device__ __forceinline__ bool msd_seem_crowded(const msd_arguments &a, K sampled,
                                                        msd_guess_storage<K> &s)
{
    constexpr uint32_t part_bits = 4;
    static_assert(1u << part_bits == MSD_SAMPLE_PARTS, "by so many bits");
    const codes<K> codec(a.codec);
    code_range<K> range;
    const K code = codec.encode(sampled);
    const uint32_t hashes = s.few.hashes(code);
    if (hashes <= FEW_CODES)
        return false;
    range.clear();
    if (msd_orders_numbers(a) &&
        msd_numbers_seem_even<K, MSD_PLAN_THREADS>(a, sampled, s.ranges, s.parts, &range))
        return false;
    range.add(code);
    if (threadIdx.x < MSD_SAMPLE_PARTS)
        s.parts[threadIdx.x] = 0;
    range.join_block(s.ranges);
    const msd_place<K> place = msd_place_cells(range.low, range.high);
    const uint32_t shift = place.bits > part_bits ? place.bits - part_bits : 0;
    atomicAdd(&s.parts[code_window((K)(code - place.base), shift) % MSD_SAMPLE_PARTS], 1u);
    __syncthreads();
    const bool heavy =
        threadIdx.x < MSD_SAMPLE_PARTS && s.parts[threadIdx.x] > MSD_PLAN_THREADS / 4;
    return __syncthreads_or(heavy || hashes < MSD_REPEATED_HASHES) && place.bits > a.counted_bits;
}

/* By blocks that do not judge, which guess before they wait for tables to be empty: `clear` tells
 * what to wait for. Some ask about prefixes. Where passes are for keys that crowd in their lowest
 * byte, too, the few keys tell whether those that differ do. (By all that crowd f64 infinities of
 * 2^24 took 688 µs, not 671.) */
template <typename K, typename Clear>
static __device__ __forceinline__ void msd_work_ahead(const msd_arguments &a,
                                                      const lsd_arguments &passes,
                                                      const Clear &clear, msd_guess_storage<K> &s)
{
    if constexpr (sizeof(K) > MSD_PASSED_KEY_BYTES) {
        grid_wait(clear());
    } else {
        const uint32_t number = blockIdx.x - msd_judges(a), askers = msd_askers<K>(a);
        const K sampled = msd_few_sample<K, MSD_PLAN_THREADS>(a);
        const uint32_t cleared = clear(); /* while they are on their way */
        bool crowded = a.passes != MSD_NEVER && msd_seem_crowded<K>(a, sampled, s);
        grid_wait(cleared);
        if constexpr (sizeof(K) == MSD_PREFIX_KEY_BYTES) {
            if (crowded && number < askers)
                return msd_ask_about_prefixes<K>(a, number, askers);
            const K code[1] = {codes<K>(a.codec).encode(sampled)};
            if (crowded && a.passes == MSD_BIASED)
                crowded = msd_differ_and_are_biased<K, MSD_PLAN_THREADS, 1, 1>(code, s.low);
        }
        if (crowded) {
            const uint32_t blocks = gridDim.x - msd_judges(a) - askers;
            if (threadIdx.x == 0)
                flag_publish(&a.control->ahead, blocks);
            return msd_count_ahead<K>(passes, a.pass_keys, number - askers, blocks);
        }
    }
    msd_read_ahead<K>(a);
}

#endif
