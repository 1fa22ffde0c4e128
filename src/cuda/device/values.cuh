/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that move with keys, by size class: 4, 8 or 16 bytes. Arrays of values need no alignment;
 * one that is aligned is moved in whole words, which costs a test that is the same for all threads.
 */
#ifndef CONSORT_CUDA_VALUES_CUH
#define CONSORT_CUDA_VALUES_CUH

#include "cuda/device/device.cuh"

template <unsigned Bytes> struct value_class;

template <> struct value_class<0> {
    using type = uint32_t;
};

template <> struct value_class<4> {
    using type = uint32_t;
    static __device__ __forceinline__ type of_index(uint64_t index)
    {
        return (type)index;
    }
};

template <> struct value_class<8> {
    using type = uint64_t;
    static __device__ __forceinline__ type of_index(uint64_t index)
    {
        return index;
    }
};

template <> struct value_class<16> {
    using type = uint4;
    static __device__ __forceinline__ type of_index(uint64_t index)
    {
        return make_uint4((uint32_t)index, (uint32_t)(index >> 32), 0, 0);
    }
};

template <unsigned Bytes> struct value_reader {
    using type = typename value_class<Bytes>::type;
    const unsigned char *bytes;
    bool aligned;

    __device__ __forceinline__ explicit value_reader(const void *array)
        : bytes((const unsigned char *)array), aligned((uintptr_t)array % sizeof(type) == 0)
    {
    }

    __device__ __forceinline__ type at(uint64_t index) const
    {
        if (aligned)
            return ((const type *)bytes)[index];
        /* volatile: else GCC 12, for the emulator, makes one aligned load of both cases. */
        const volatile unsigned char *from = bytes + index * Bytes;
        type value;
        for (unsigned i = 0; i < Bytes; i++)
            ((unsigned char *)&value)[i] = from[i];
        return value;
    }
};

template <unsigned Bytes> struct value_writer {
    using type = typename value_class<Bytes>::type;
    unsigned char *bytes;
    bool aligned;

    __device__ __forceinline__ explicit value_writer(void *array)
        : bytes((unsigned char *)array), aligned((uintptr_t)array % sizeof(type) == 0)
    {
    }

    __device__ __forceinline__ void put(uint64_t index, type value) const
    {
        if (aligned) {
            ((type *)bytes)[index] = value;
            return;
        }
        volatile unsigned char *to = bytes + index * Bytes;
        for (unsigned i = 0; i < Bytes; i++)
            to[i] = ((const unsigned char *)&value)[i];
    }
};

#endif
