/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys on their way: between rounds they are stored as codes, so that the first launch encodes and
 * the last one decodes. NumPy's float order compares codes in which zeros and NaNs are made equal,
 * from which no key comes back: there keys follow their places, like values.
 */
#ifndef CONSORT_MERGE_KEYS_CUH
#define CONSORT_MERGE_KEYS_CUH

#include "cuda/device/codes.cuh"
#include "cuda/device/placed_code.cuh"
#include "cuda/sorts/merge/merge_layout.h"

template <typename K> struct merge_keys {
    using word = typename compared_code<K>::type;
    const merge_arguments &a;
    const codes<K> codec;

    __device__ __forceinline__ explicit merge_keys(const merge_arguments &arguments)
        : a(arguments), codec(arguments.codec)
    {
    }

    /* False if what is stored is compared. */
    __device__ __forceinline__ bool transforms() const
    {
        return (a.encode && !codec.identity) || a.equal_floats;
    }

    /* What is compared. */
    __device__ __forceinline__ word compared(K stored) const
    {
        const K code = a.encode ? codec.encode(stored) : stored;
        return equal_floats() ? equalised(code) : (word)code;
    }

    /* The same for many, asking once how. */
    template <unsigned Count>
    __device__ __forceinline__ void compare_all(word (&stored)[Count]) const
    {
        if (a.encode)
            codec.encode_all(stored);
        if (equal_floats()) {
#pragma unroll
            for (unsigned i = 0; i < Count; i++)
                stored[i] = equalised((K)stored[i]);
        }
    }

    /* From a stored key to what the next launch, or the caller, wants. */
    __device__ __forceinline__ K moved(K stored) const
    {
        if (a.encode == a.decode)
            return stored;
        return a.encode ? codec.encode(stored) : codec.decode(stored);
    }

    static __device__ __forceinline__ word highest()
    {
        return (word) ~(word)0;
    }

  private:
    __device__ __forceinline__ bool equal_floats() const
    {
        return (sizeof(K) == 2 || sizeof(K) == 4 || sizeof(K) == 8) && a.equal_floats;
    }

    /* One code for both zeros, one for every NaN. */
    __device__ __forceinline__ word equalised(K code) const
    {
        code = code < (K)a.first_nan ? code : (K)a.first_nan;
        return (K)(code - (code == (K)a.zero));
    }
};

#endif
