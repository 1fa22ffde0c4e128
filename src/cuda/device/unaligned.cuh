/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Up to 16 bytes at any address, by aligned words: a load for each byte would cost a warp as many
 * requests as there are bytes.
 */
#ifndef CONSORT_CUDA_UNALIGNED_CUH
#define CONSORT_CUDA_UNALIGNED_CUH

#include "cuda/device/device.cuh"

/* An array that loads must not leave, not even by the rest of a word. */
struct byte_range {
    const unsigned char *begin, *end;
};

static __device__ __forceinline__ uint128 unaligned_bytewise(const unsigned char *at,
                                                             uint32_t count)
{
    uint128 value = 0;
    for (uint32_t i = 0; i < count; i++)
        value = value << 8 | at[i];
    return value << (128 - 8 * count);
}

/*
 * The 1…16 bytes at `at` as the highest of a number, the first byte on top. What follows them is
 * undefined.
 */
static __device__ __forceinline__ uint128 unaligned_load(const unsigned char *at, uint32_t count,
                                                         const byte_range &range)
{
    const uint32_t skew = (uint32_t)((uintptr_t)at % 4);
    const uint32_t words = (skew + count + 3) / 4;
    const unsigned char *first = at - skew;
    if (first < range.begin || first + 4 * words > range.end)
        return unaligned_bytewise(at, count);
    uint32_t word[5];
#pragma unroll
    for (uint32_t i = 0; i < 5; i++)
        word[i] = i < words ? ((const uint32_t *)first)[i] : 0;
    const uint32_t selector = 0x0123 + skew * 0x1111;
    uint128 value = 0;
#pragma unroll
    for (uint32_t i = 0; i < 4; i++)
        value = value << 32 | __byte_perm(word[i], word[i + 1], selector);
    return value;
}

static __device__ __forceinline__ uint128 bytes_reversed(uint128 value)
{
    uint128 result = 0;
#pragma unroll
    for (uint32_t i = 0; i < 4; i++)
        result = result << 32 | __byte_perm((uint32_t)(value >> (32 * i)), 0, 0x0123);
    return result;
}

#endif
