/* SPDX-License-Identifier: Apache-2.0 */
/* By how many bits buckets are told apart so that each fits a leaf. */
#ifndef CONSORT_HYBRID_FIT_CUH
#define CONSORT_HYBRID_FIT_CUH

#include "cuda/device/device.cuh"
#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_tuning.h"

/* Of how many bits buckets may be. Short keys have two passes to lose: smaller leaves than half
 * would cost as much. */
template <typename K>
static __device__ __forceinline__ uint32_t hybrid_finest(const hybrid_arguments &a)
{
    return sizeof(K) == 4 ? min(a.bucket_bits + 1, a.cell_bits) : a.cell_bits;
}

static __device__ __forceinline__ bool hybrid_ranges_fit(const hybrid_arguments &a, uint32_t bits,
                                                         uint32_t most)
{
    const uint32_t *cells = a.control->cells, finer = a.cell_bits - bits;
    bool fit = true;
    for (uint32_t range = threadIdx.x; range < 1u << bits; range += HYBRID_COUNT_THREADS)
        fit &= cells[(range + 1) << finer] - cells[range << finer] <= most;
    return __syncthreads_and(fit);
}

/* Halves have a place to spare: the highest is nobody's. */
static __device__ __forceinline__ bool hybrid_buckets_fit(const hybrid_arguments &a, uint32_t bits)
{
    constexpr uint32_t places = 1u << (HYBRID_PLACE_BITS - 1);
    return hybrid_ranges_fit(a, bits, a.leaf) &&
           (bits != a.halved_bits || hybrid_ranges_fit(a, bits + 1, places - 1));
}

/* The fewest bits that make buckets fit; more than may be if none do. */
template <typename K>
static __device__ __forceinline__ uint32_t hybrid_choose_bits(const hybrid_arguments &a)
{
    uint32_t bits = a.bucket_bits;
    while (bits <= hybrid_finest<K>(a) && !hybrid_buckets_fit(a, bits))
        bits++;
    return bits;
}

#endif
