/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uneven keys that a few sampled ones give away: the launch that else counts cells counts all
 * digits, while some of its blocks ask about prefixes, and that of the histogram finds nothing to
 * do. Not inlined, for the sake of what counts cells. So they find their shared memory by
 * themselves, as additions to what a pointer points to are slower.
 */
#ifndef CONSORT_HYBRID_DIGITS_CUH
#define CONSORT_HYBRID_DIGITS_CUH

#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_sample.cuh"
#include "cuda/sorts/lsd/lsd_digits.cuh"

static_assert((int)HYBRID_COUNT_THREADS == (int)LSD_HISTOGRAM_THREADS,
              "blocks that count cells count digits");

/* By each of some blocks, of which this has a number. */
template <typename K>
__attribute__((noinline)) static __device__ void hybrid_count_digits(const hybrid_arguments &a,
                                                                     uint32_t rank, uint32_t blocks)
{
    SHARED_DYNAMIC(storage, lsd_digit_counters<K>);
    static_assert(sizeof *storage <= sizeof(hybrid_count_storage), "in the place of all that");
    lsd_digit_counters<K> &s = *storage;
    __syncthreads();
    lsd_clear_digits<K>(s);
    __syncthreads();
    lsd_count_digits<K>(a.sort, rank, lsd_stretches_of<K>(a.sort.count), blocks, 0, s);
    __syncthreads();
    lsd_add_digits<K>(a.sort, s);
}

/* By the block that is done last. */
template <typename K>
__attribute__((noinline)) static __device__ void hybrid_plan_digits(const hybrid_arguments &a)
{
    SHARED_DYNAMIC(storage, lsd_digit_counters<K>);
    __syncthreads();
    lsd_plan_passes<K>(a.sort, storage->plan);
    if (threadIdx.x == 0)
        a.sort.control->planned = 1;
}

#endif
