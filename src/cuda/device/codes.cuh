/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key codes on the device: the transform of core/codec_template.h, with its constants as kernel
 * arguments. Descriptions of the constants stand there.
 */
#ifndef CONSORT_CUDA_CODES_CUH
#define CONSORT_CUDA_CODES_CUH

#include "cuda/device/code_constants.h"
#include "cuda/device/device.cuh"

__extension__ typedef unsigned __int128 uint128;

template <typename K> struct codes {
    K magnitude, flip, bias;
    bool swap, identity;

    __device__ __forceinline__ explicit codes(const code_constants &constants)
        : magnitude(word(constants.magnitude)), flip(word(constants.flip)),
          bias(word(constants.bias)), swap(constants.swap != 0), identity(constants.identity != 0)
    {
    }

    __device__ __forceinline__ K encode(K x) const
    {
        if (identity)
            return x;
        if (swap)
            x = reversed(x);
        return transformed(x);
    }

    __device__ __forceinline__ K decode(K code) const
    {
        if (identity)
            return code;
        const K x = restored(code);
        return swap ? reversed(x) : x;
    }

    /* What the order is like is asked once for all of them. `W` may be wider than a key. */
    template <typename W, unsigned Count>
    __device__ __forceinline__ void encode_all(W (&keys)[Count]) const
    {
        if (identity)
            return;
        if (swap) {
#pragma unroll
            for (unsigned i = 0; i < Count; i++)
                keys[i] = reversed((K)keys[i]);
        }
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            keys[i] = transformed((K)keys[i]);
    }

    template <typename W, unsigned Count>
    __device__ __forceinline__ void decode_all(W (&keys)[Count]) const
    {
        if (identity)
            return;
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            keys[i] = restored((K)keys[i]);
        if (swap) {
#pragma unroll
            for (unsigned i = 0; i < Count; i++)
                keys[i] = reversed((K)keys[i]);
        }
    }

  protected:
    static __device__ __forceinline__ K word(const uint64_t *words)
    {
        if (sizeof(K) == 16)
            return (K)((uint128)words[1] << 64 | words[0]);
        return (K)words[0];
    }

    __device__ __forceinline__ K transformed(K x) const
    {
        return (K)((K)(x ^ (magnitude & sign(x)) ^ flip) - bias);
    }

    __device__ __forceinline__ K restored(K code) const
    {
        const K x = (K)((K)(code + bias) ^ flip);
        return (K)(x ^ (magnitude & sign(x)));
    }

    static __device__ __forceinline__ K sign(K x)
    {
        return (K)((K)0 - (K)(x >> (8 * sizeof(K) - 1)));
    }

    static __device__ __forceinline__ K reversed(K x)
    {
        K y = 0;
        for (unsigned i = 0; i < sizeof(K); i++)
            y = (K)(y << 8 % (8 * sizeof(K))) | (K)((x >> (8 * i)) & 0xff);
        return y;
    }
};

/* The same for every order, NumPy's included, where keys of different bits may share a code. */
template <typename K> struct ordered_codes : codes<K> {
    K infinity;
    bool equal_floats;

    __device__ __forceinline__ explicit ordered_codes(const code_constants &constants)
        : codes<K>(constants), infinity(codes<K>::word(constants.infinity)),
          equal_floats(constants.equal_floats != 0)
    {
    }

    __device__ __forceinline__ K encode(K x) const
    {
        if (!equal_floats)
            return codes<K>::encode(x);
        if (this->swap)
            x = codes<K>::reversed(x);
        const K size = (K)(x & this->magnitude);
        if (size > infinity)
            x = (K)(infinity + 1);
        else if (size == 0)
            x = 0;
        return this->transformed(x);
    }

    template <unsigned Count> __device__ __forceinline__ void encode_all(K (&keys)[Count]) const
    {
        if (!equal_floats)
            return codes<K>::encode_all(keys);
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            keys[i] = encode(keys[i]);
    }
};

/* Byte `index` of a code, the lowest being 0: one permute (and selects of whole words). */
template <typename K> struct code_byte {
    const uint32_t word, selector;

    __device__ __forceinline__ explicit code_byte(uint32_t index)
        : word(index / 4), selector(0x4440 | (index % 4))
    {
    }

    __device__ __forceinline__ uint32_t operator()(K code) const
    {
        uint32_t chosen = (uint32_t)code;
        if constexpr (sizeof(K) == 8)
            chosen = word ? (uint32_t)(code >> 32) : chosen;
        if constexpr (sizeof(K) == 16) {
            const uint64_t half = word >= 2 ? (uint64_t)(code >> 64) : (uint64_t)code;
            chosen = word % 2 ? (uint32_t)(half >> 32) : (uint32_t)half;
        }
        return __byte_perm(chosen, 0, selector);
    }
};

#endif
