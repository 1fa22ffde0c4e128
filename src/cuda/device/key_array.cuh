/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An array of keys as whole 16-byte words, so that every load is as wide as it can be: a head of
 * keys before the first aligned word, the words, and a tail. Byte strings may start at addresses
 * that are no multiple of their length; then there are no words, and keys are read byte by byte.
 */
#ifndef CONSORT_CUDA_KEY_ARRAY_CUH
#define CONSORT_CUDA_KEY_ARRAY_CUH

#include "cuda/device/ptx.cuh"

template <typename K> struct key_array {
    static constexpr unsigned per_word = sizeof(uint4) / sizeof(K);
    const unsigned char *bytes;
    bool aligned;
    uint64_t count, head, words;

    __device__ __forceinline__ key_array(const void *keys, uint64_t keys_count)
        : bytes((const unsigned char *)keys), aligned((uintptr_t)keys % sizeof(K) == 0),
          count(keys_count)
    {
        const uint64_t before = (0 - (uintptr_t)keys) % sizeof(uint4) / sizeof(K);
        head = aligned && before < count ? before : count;
        words = (count - head) / per_word;
    }

    __device__ __forceinline__ K at(uint64_t index) const
    {
        if (aligned)
            return ((const K *)bytes)[index];
        /* volatile: else GCC 12, for the emulator, makes one aligned load of both cases. */
        const volatile unsigned char *from = bytes + index * sizeof(K);
        K key = 0;
        for (unsigned i = 0; i < sizeof(K); i++)
            key |= (K)((K)from[i] << (8 * i));
        return key;
    }

    __device__ __forceinline__ uint4 word(uint64_t index) const
    {
        return load_once((const uint4 *)(bytes + head * sizeof(K)) + index);
    }

    /* The same for arrays that this kernel wrote. */
    __device__ __forceinline__ uint4 written_word(uint64_t index) const
    {
        return ((const uint4 *)(bytes + head * sizeof(K)))[index];
    }

    /* Index of the first key of a word. */
    __device__ __forceinline__ uint64_t first_of_word(uint64_t index) const
    {
        return head + index * per_word;
    }

    static __device__ __forceinline__ void split(uint4 word, K (&keys)[per_word])
    {
        const uint32_t parts[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
        for (unsigned i = 0; i < per_word; i++) {
            const unsigned first = i * sizeof(K) / 4;
            if constexpr (sizeof(K) < 4)
                keys[i] = (K)(parts[first] >> (8 * (i * sizeof(K) % 4)));
            if constexpr (sizeof(K) == 4)
                keys[i] = parts[first];
            if constexpr (sizeof(K) == 8)
                keys[i] = (K)parts[first + 1] << 32 | parts[first];
            if constexpr (sizeof(K) == 16)
                keys[i] = (K)((uint64_t)parts[3] << 32 | parts[2]) << 64 |
                          (K)((uint64_t)parts[1] << 32 | parts[0]);
        }
    }
};

#endif
