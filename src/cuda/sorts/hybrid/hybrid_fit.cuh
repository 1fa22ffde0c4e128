/* SPDX-License-Identifier: Apache-2.0 */
/* By how many bits buckets are told apart so that each fits a leaf. */
#ifndef CONSORT_HYBRID_FIT_CUH
#define CONSORT_HYBRID_FIT_CUH

#include "cuda/device/device.cuh"
#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_tuning.h"

/* Which ranges of 1, 2 or 4 cells are too large. */
struct hybrid_misfits {
    enum : uint32_t {
        LEAF = 1, /* for a leaf: of one cell; the next two bits of more */
        HALF = 8  /* for the half of a bucket, the same */
    };
    uint32_t which;

    /* Halves have a place to spare: the highest is nobody's. */
    __device__ __forceinline__ void look(const hybrid_arguments &a, uint32_t log, uint32_t count)
    {
        constexpr uint32_t places = 1u << (HYBRID_PLACE_BITS - 1);
        which |= (count > a.leaf ? LEAF << log : 0) | (count >= places ? HALF << log : 0);
    }

    /* Of four neighbouring cells; returns how many keys they have. */
    __device__ __forceinline__ uint32_t look(const hybrid_arguments &a, uint32_t count_0,
                                             uint32_t count_1, uint32_t count_2, uint32_t count_3)
    {
        const uint32_t lower = count_0 + count_1, upper = count_2 + count_3;
        look(a, 0, max(max(count_0, count_1), max(count_2, count_3)));
        look(a, 1, max(lower, upper));
        look(a, 2, lower + upper);
        return lower + upper;
    }
};

static __device__ __forceinline__ bool hybrid_buckets_fit(const hybrid_arguments &a, uint32_t bits,
                                                          uint32_t misfits)
{
    const uint32_t finer = a.cell_bits - bits;
    return (misfits & hybrid_misfits::LEAF << finer) == 0 &&
           (bits != a.halved_bits || (misfits & hybrid_misfits::HALF << (finer - 1)) == 0);
}

/* The fewest bits that make buckets fit; more than may be if none do. */
static __device__ __forceinline__ uint32_t hybrid_choose_bits(const hybrid_arguments &a,
                                                              uint32_t misfits)
{
    static_assert(HYBRID_FINER_BITS <= 2, "ranges of more cells are not looked at");
    uint32_t bits = a.bucket_bits;
    while (bits <= a.cell_bits && !hybrid_buckets_fit(a, bits, misfits))
        bits++;
    return bits;
}

#endif
