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

#include "cpu/radix_prefix.h"

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

/* Digits by prefixes, a vector of codes at a time; returns how many are done. */
static inline uint64_t radix_digits_u32(const struct radix_prefixes *prefixes,
                                        const uint32_t *codes, uint64_t count, uint32_t *digits)
{
    const __m128i shift = _mm_cvtsi32_si128((int)prefixes->shift);
    const __m512i mask = _mm512_set1_epi32((int)prefixes->mask),
                  shifts = _mm512_set1_epi32((1 << RADIX_CELL_SHIFT) - 1),
                  buckets = _mm512_set1_epi32(RADIX_PREFIX_BUCKETS - 1);
    uint64_t j = 0;
    for (; j + 16 <= count; j += 16) {
        __m512i code = _mm512_loadu_si512(codes + j);
        __m512i place = _mm512_and_si512(_mm512_srl_epi32(code, shift), mask);
        __m512i cell = _mm512_i32gather_epi32(place, prefixes->cells, 4);
        __m512i rest = _mm512_srlv_epi32(code, _mm512_and_si512(cell, shifts));
        __m512i digit = _mm512_add_epi32(_mm512_srli_epi32(cell, RADIX_CELL_SHIFT), rest);
        _mm512_storeu_si512(digits + j, _mm512_and_si512(digit, buckets));
    }
    return j;
}

static inline uint64_t radix_digits_u64(const struct radix_prefixes *prefixes,
                                        const uint64_t *codes, uint64_t count, uint32_t *digits)
{
    const __m128i shift = _mm_cvtsi32_si128((int)prefixes->shift);
    const __m512i mask = _mm512_set1_epi64(prefixes->mask),
                  shifts = _mm512_set1_epi64((1 << RADIX_CELL_SHIFT) - 1),
                  buckets = _mm512_set1_epi64(RADIX_PREFIX_BUCKETS - 1);
    uint64_t j = 0;
    for (; j + 8 <= count; j += 8) {
        __m512i code = _mm512_loadu_si512(codes + j);
        __m512i place = _mm512_and_si512(_mm512_srl_epi64(code, shift), mask);
        __m512i cell = _mm512_cvtepu32_epi64(_mm512_i64gather_epi32(place, prefixes->cells, 4));
        __m512i rest = _mm512_srlv_epi64(code, _mm512_and_si512(cell, shifts));
        __m512i digit = _mm512_add_epi64(_mm512_srli_epi64(cell, RADIX_CELL_SHIFT), rest);
        _mm256_storeu_si256((__m256i *)(void *)(digits + j),
                            _mm512_cvtepi64_epi32(_mm512_and_si512(digit, buckets)));
    }
    return j;
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
