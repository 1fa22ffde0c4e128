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

    __device__ __forceinline__ bool decodes() const
    {
        return a.decode && !codec.identity;
    }

    /* What is compared. */
    __device__ __forceinline__ word compared(K stored) const
    {
        K code = a.encode ? codec.encode(stored) : stored;
        if constexpr (sizeof(K) == 2 || sizeof(K) == 4 || sizeof(K) == 8) {
            if (a.equal_floats) {
                code = code < (K)a.first_nan ? code : (K)a.first_nan;
                code = (K)(code - (code == (K)a.zero));
            }
        }
        return (word)code;
    }

    /* From a stored key to what the next launch, or the caller, wants. */
    __device__ __forceinline__ K moved(K stored) const
    {
        if (a.encode == a.decode)
            return stored;
        return a.encode ? codec.encode(stored) : codec.decode(stored);
    }

    __device__ __forceinline__ K of_code(word code) const
    {
        return a.decode ? codec.decode((K)code) : (K)code;
    }

    static __device__ __forceinline__ word highest()
    {
        return (word) ~(word)0;
    }
};

#endif
