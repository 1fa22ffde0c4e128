/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What comparison sorts compare: a code alone, or a code with its item's place, by which equal
 * codes stay in order, so that even networks are stable, and values find their item.
 */
#ifndef CONSORT_CUDA_PLACED_CODE_CUH
#define CONSORT_CUDA_PLACED_CODE_CUH

#include "cuda/device/device.cuh"

/* Codes of 8 and 16 bits are compared as words. */
template <typename K> struct compared_code {
    using type = K;
};
template <> struct compared_code<uint8_t> {
    using type = uint32_t;
};
template <> struct compared_code<uint16_t> {
    using type = uint32_t;
};

template <typename W, bool Placed> struct placed_code {
    using type = W;

    static __device__ __forceinline__ type of(W code, uint32_t)
    {
        return code;
    }

    static __device__ __forceinline__ W code(type item)
    {
        return item;
    }

    static __device__ __forceinline__ uint32_t place(type)
    {
        return 0;
    }
};

template <typename W, typename P = uint32_t> struct code_and_place {
    W code;
    P place;

    __device__ __forceinline__ bool operator<(const code_and_place &other) const
    {
        return (code < other.code) | ((code == other.code) & (place < other.place));
    }
};

/* Member by member: selecting whole structures would put them into local memory. */
template <typename W, typename P>
static __device__ __forceinline__ code_and_place<W, P>
network_select(bool second, const code_and_place<W, P> &a, const code_and_place<W, P> &b)
{
    return {second ? b.code : a.code, second ? b.place : a.place};
}

template <typename W> struct placed_code<W, true> {
    using type = code_and_place<W>;

    static __device__ __forceinline__ type of(W code, uint32_t place)
    {
        return {code, place};
    }

    static __device__ __forceinline__ W code(const type &item)
    {
        return item.code;
    }

    static __device__ __forceinline__ uint32_t place(const type &item)
    {
        return item.place;
    }
};

template <> struct placed_code<uint32_t, true> {
    using type = uint64_t;

    static __device__ __forceinline__ type of(uint32_t code, uint32_t place)
    {
        return (uint64_t)code << 32 | place;
    }

    static __device__ __forceinline__ uint32_t code(type item)
    {
        return (uint32_t)(item >> 32);
    }

    static __device__ __forceinline__ uint32_t place(type item)
    {
        return (uint32_t)item;
    }
};

#endif
