/* SPDX-License-Identifier: Apache-2.0 */
/* Small numbers for each of a thread's items, packed to spare registers. */
#ifndef CONSORT_CUDA_PACKED_PLACES_CUH
#define CONSORT_CUDA_PACKED_PLACES_CUH

#include "cuda/device/device.cuh"

/* Places in a tile of at most 65536 keys, two to a register. As everywhere, index with constants of
 * unrolled loops only: else the array leaves the registers. */
template <unsigned Items> struct packed_places {
    uint32_t words[(Items + 1) / 2];

    __device__ __forceinline__ void set(unsigned i, uint32_t place)
    {
        if (i % 2 == 0)
            words[i / 2] = place;
        else
            words[i / 2] |= place << 16;
    }

    __device__ __forceinline__ void add(unsigned i, uint32_t more)
    {
        words[i / 2] += i % 2 == 0 ? more : more << 16;
    }

    __device__ __forceinline__ uint32_t at(unsigned i) const
    {
        return i % 2 == 0 ? words[i / 2] & 0xffff : words[i / 2] >> 16;
    }
};

/* Digits of a thread's items: two to a register, */
template <unsigned Items, unsigned Bits = 8> struct packed_digits : packed_places<Items> {
    static_assert(Bits > 8 && Bits <= 16, "two to a register");
};

/* or four. */
template <unsigned Items> struct packed_digits<Items, 8> {
    uint32_t words[(Items + 3) / 4];

    __device__ __forceinline__ void set(unsigned i, uint32_t digit)
    {
        if (i % 4 == 0)
            words[i / 4] = digit;
        else
            words[i / 4] |= digit << (8 * (i % 4));
    }

    __device__ __forceinline__ uint32_t at(unsigned i) const
    {
        return words[i / 4] >> (8 * (i % 4)) & 0xff;
    }
};

#endif
