/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Partition of codes by one bit, in place, a vector at a time: those without the bit go to the
 * front, those with it to the back. For sources compiled for AVX-512 (Bramas, "A novel hybrid
 * quicksort algorithm vectorized using AVX-512", 2017).
 */
#ifndef CONSORT_CPU_RADIX_PARTITION_H
#define CONSORT_CPU_RADIX_PARTITION_H

#include <immintrin.h>
#include <stdint.h>

/* One vector of 16 or 8 codes; returns how many lack the bit. The front is stored whole: there is
 * room, and what comes next overwrites the rest. */
static inline __attribute__((always_inline)) uint32_t
radix_part_u32(uint32_t *front, uint32_t *back, __m512i codes, __m512i bit)
{
    __mmask16 with = _mm512_test_epi32_mask(codes, bit), without = (__mmask16)~with;
    uint32_t many = (uint32_t)__builtin_popcount(with);
    _mm512_storeu_si512(front, _mm512_maskz_compress_epi32(without, codes));
    _mm512_mask_storeu_epi32(back - many, (__mmask16)((1u << many) - 1),
                             _mm512_maskz_compress_epi32(with, codes));
    return 16 - many;
}

static inline __attribute__((always_inline)) uint32_t
radix_part_u64(uint64_t *front, uint64_t *back, __m512i codes, __m512i bit)
{
    __mmask8 with = _mm512_test_epi64_mask(codes, bit), without = (__mmask8)~with;
    uint32_t many = (uint32_t)__builtin_popcount(with);
    _mm512_storeu_si512(front, _mm512_maskz_compress_epi64(without, codes));
    _mm512_mask_storeu_epi64(back - many, (__mmask8)((1u << many) - 1),
                             _mm512_maskz_compress_epi64(with, codes));
    return 8 - many;
}

static inline __m512i radix_bit_u32(uint32_t bit)
{
    return _mm512_set1_epi32((int)(UINT32_C(1) << bit));
}

static inline __m512i radix_bit_u64(uint32_t bit)
{
    return _mm512_set1_epi64((long long)(UINT64_C(1) << bit));
}

#endif
