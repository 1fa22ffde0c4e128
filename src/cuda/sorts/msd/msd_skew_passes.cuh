/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long lists of keys that crowd, by passes over all digits: the launch that else counts cells
 * counts digits, the first partition, whose order is free, moves keys by the lowest digit, and a
 * launch behind the levels does the stable passes over the others, by tiles of `lsd`.
 */
#ifndef CONSORT_MSD_SKEW_PASSES_CUH
#define CONSORT_MSD_SKEW_PASSES_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/lsd/lsd_digits.cuh"
#include "cuda/sorts/lsd/lsd_finish.cuh"
#include "cuda/sorts/msd/msd_codes.cuh"
#include "cuda/sorts/msd/msd_tuning.h"

enum {
    MSD_STRETCHES_AHEAD = 12 /* of a block: 2^23 keys of 4 bytes of an H200's */
};

static_assert((int)MSD_HISTOGRAM_THREADS == (int)LSD_HISTOGRAM_THREADS &&
                  (int)MSD_PREFIX_KEY_BYTES == (int)LSD_CUT_KEY_BYTES,
              "blocks of the front count digits");

/* By so many blocks together, of which this has a number. */
static __device__ __forceinline__ void
msd_clear_lookback(const lsd_arguments &a, uint32_t pass_keys, uint32_t rank, uint32_t blocks)
{
    const uint32_t words = (uint32_t)((a.count + pass_keys - 1) / pass_keys) * LSD_BINS;
    for (uint32_t i = rank * MSD_HISTOGRAM_THREADS + threadIdx.x; i < words;
         i += blocks * MSD_HISTOGRAM_THREADS)
        a.lookback[i] = 0;
}

/* By one block, when all digits are counted, or all but `cut`: plans passes, of which the first
 * partition will be one. (There are at least two: more bits of the sampled keys differ than one
 * digit has, or they would have been counted.) */
template <typename K>
static __device__ __forceinline__ void msd_plan_passes(const lsd_arguments &a, uint32_t cut,
                                                       msd_control *control,
                                                       lsd_digit_counters<K> &s)
{
    if (threadIdx.x == 0)
        a.control->cut = cut; /* which this thread reads */
    lsd_plan_passes<K>(a, s.plan);
    const uint32_t pass = (uint32_t)__ffs((int)~(s.plan.agreed | ((1u << cut) - 1))) - 1;
    if (threadIdx.x < LSD_BINS)
        control->bucket_cursor[threadIdx.x] = (uint32_t)a.control->bins[pass][threadIdx.x];
    if (threadIdx.x == 0) {
        control->mode = MSD_PASSES;
        code_to_words((K)0, control->base);
        control->shift = LSD_DIGIT_BITS * pass;
    }
}

/* Whether so many blocks count all that there is while a sample is judged. */
template <typename K>
static __device__ __forceinline__ bool msd_is_counted_ahead(const lsd_arguments &a, uint32_t blocks)
{
    return lsd_stretches_of<K>(a.count) <= blocks * MSD_STRETCHES_AHEAD;
}

/* By each of some blocks, of which this has a number: counts digits of the first stretches, as many
 * as can be read while a sample is judged, and adds up what they have counted if these are all. Not
 * inlined, for the sake of what counts cells. So it finds its shared memory by itself, as additions
 * to what a pointer points to are slower. */
template <typename K>
__attribute__((noinline)) static __device__ void
msd_count_ahead(const lsd_arguments &a, uint32_t pass_keys, uint32_t rank, uint32_t blocks)
{
    SHARED_DYNAMIC(storage, lsd_digit_counters<K>);
    lsd_digit_counters<K> &s = *storage;
    msd_clear_lookback(a, pass_keys, rank, blocks);
    __syncthreads();
    lsd_clear_digits<K>(s);
    __syncthreads();
    const uint32_t end = min(lsd_stretches_of<K>(a.count), blocks * MSD_STRETCHES_AHEAD);
    lsd_count_digits<K>(a, rank, end, blocks, 0, s);
    if (!msd_is_counted_ahead<K>(a, blocks))
        return;
    __syncthreads();
    lsd_add_digits<K>(a, s);
}

/* By all blocks, of which so many, all but the first, have counted ahead: counts digits, all but
 * `cut`, that are not counted yet; the block that is done last plans. Not inlined, either. */
template <typename K>
__attribute__((noinline)) static __device__ void
msd_prepare_passes(const lsd_arguments &a, uint32_t pass_keys, uint32_t ahead, uint32_t cut,
                   msd_control *control)
{
    SHARED_DYNAMIC(storage, lsd_digit_counters<K>);
    lsd_digit_counters<K> &s = *storage;
    if (ahead && msd_is_counted_ahead<K>(a, ahead)) {
        if (blockIdx.x == 0)
            msd_plan_passes<K>(a, cut, control, s);
        return;
    }
    if (!ahead)
        msd_clear_lookback(a, pass_keys, blockIdx.x, gridDim.x);
    if (blockIdx.x < gridDim.x - ahead)
        lsd_clear_digits<K>(s);
    __syncthreads();
    lsd_count_digits<K>(a, ahead * MSD_STRETCHES_AHEAD + blockIdx.x, lsd_stretches_of<K>(a.count),
                        gridDim.x, cut, s);
    __syncthreads();
    lsd_add_digits<K>(a, s);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        s.last = atomicAdd(&a.control->finished_blocks, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!s.last)
        return;
    __threadfence();
    msd_plan_passes<K>(a, cut, control, s);
}

#endif
