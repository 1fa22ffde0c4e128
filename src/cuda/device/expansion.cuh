/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From counts to sorted keys: every warp writes a stretch of the output, whose codes it finds by
 * searching where each code's keys end.
 */
#ifndef CONSORT_EXPANSION_CUH
#define CONSORT_EXPANSION_CUH

#include "cuda/device/device.cuh"

enum {
    /* 16-byte words a warp writes at a stretch: long enough to pay for finding its first code, but
     * a word a lane if warps would else have none. (2^22 u16, Gaussian, by 4096 stretches for 8448
     * warps 99 µs, by short ones 68; 2^24 uniform by short ones 90 µs, by longer ones 68.) */
    EXPANSION_SHORT_WORDS = 32,
    EXPANSION_LEAST_WORDS = 128,
    EXPANSION_MOST_WORDS = 1024,
    EXPANSION_STEPS = 4 /* codes that are asked for at once before those behind are searched */
};

/* KeyOf makes the key of a code's number. */
template <typename K, typename End, typename KeyOf> struct expansion {
    static constexpr unsigned per_word = sizeof(uint4) / sizeof(K);
    K *keys;
    const End *ends; /* of codes 0 … top */
    uint32_t top;
    KeyOf key_of;

    /* The code at `position`, known to be in [low, high]: the first whose end is beyond. */
    __device__ __forceinline__ uint32_t code_at(uint64_t position, uint32_t low,
                                                uint32_t high) const
    {
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (ends[middle] > position)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }

    /* The same for the position behind a key of code `low`: usually it is near, but all codes
     * between two may have no keys. */
    __device__ __forceinline__ uint32_t code_from(uint64_t position, uint32_t low,
                                                  uint32_t high) const
    {
        End near[EXPANSION_STEPS];
#pragma unroll
        for (unsigned step = 0; step < EXPANSION_STEPS; step++)
            near[step] = ends[min(low + step, top)];
        uint32_t passed = 0;
#pragma unroll
        for (unsigned step = 0; step < EXPANSION_STEPS; step++)
            passed += near[step] <= position;
        return passed < EXPANSION_STEPS ? low + passed : code_at(position, low + passed, high);
    }

    /* The same for a position that is likely to be a few codes further. */
    __device__ __forceinline__ uint32_t code_beyond(uint64_t position, uint32_t low) const
    {
        uint32_t high = low;
        for (uint32_t step = 1; high < top && ends[high] <= position; step *= 2) {
            low = high + 1;
            high = min(high + step, top);
        }
        return code_at(position, low, high);
    }

    static __device__ __forceinline__ void put(uint32_t (&parts)[4], unsigned i, K key)
    {
        constexpr unsigned words = sizeof(K) / 4;
        if constexpr (words == 0) {
            parts[i * sizeof(K) / 4] |= (uint32_t)key << (i * 8 * sizeof(K) % 32);
        } else {
#pragma unroll
            for (unsigned word = 0; word < words; word++)
                parts[i * words + word] = (uint32_t)(key >> 32 * word);
        }
    }

    static __device__ __forceinline__ uint4 word_of(K key)
    {
        uint32_t parts[4] = {0, 0, 0, 0};
#pragma unroll
        for (unsigned i = 0; i < per_word; i++)
            put(parts, i, key);
        return make_uint4(parts[0], parts[1], parts[2], parts[3]);
    }

    /* Sixteen bytes from `position` on. */
    __device__ __forceinline__ uint4 word_at(uint64_t position, uint32_t low, uint32_t high) const
    {
        uint32_t code = code_at(position, low, high);
        K key = key_of(code);
        uint64_t end = ends[code];
        uint32_t parts[4] = {0, 0, 0, 0};
        if (end >= position + per_word)
            return word_of(key);
#pragma unroll
        for (unsigned i = 0; i < per_word; i++) {
            if (end <= position + i) {
                code = code_from(position + i, code + 1, high);
                key = key_of(code);
                end = ends[code];
            }
            put(parts, i, key);
        }
        return make_uint4(parts[0], parts[1], parts[2], parts[3]);
    }

    /* Positions [from, to), by so many warps of which this is one. The code of the first and of the
     * last key of a stretch bound every other search. Keys before the first and after the last
     * whole word are written one by one. */
    __device__ __forceinline__ void write(uint64_t from, uint64_t to, uint64_t warp,
                                          uint64_t warps) const
    {
        const uint64_t misaligned = (0 - (uintptr_t)(keys + from)) % sizeof(uint4) / sizeof(K);
        const uint64_t begin = min(from + misaligned, to), words = (to - begin) / per_word;
        const unsigned lane = threadIdx.x % 32;
        if (warp == 0) {
            const uint64_t tail = begin + words * per_word;
            if (from + lane < begin)
                keys[from + lane] = key_of(code_at(from + lane, 0, top));
            if (tail + lane < to)
                keys[tail + lane] = key_of(code_at(tail + lane, 0, top));
        }
        uint4 *out = (uint4 *)(keys + begin);
        const uint64_t share = words / (4 * warps) / 32 * 32;
        const uint64_t least =
            words >= warps * EXPANSION_LEAST_WORDS ? EXPANSION_LEAST_WORDS : EXPANSION_SHORT_WORDS;
        const uint64_t stretch = max(min(share, (uint64_t)EXPANSION_MOST_WORDS), least);
        for (uint64_t first = warp * stretch; first < words; first += warps * stretch) {
            const uint64_t last = min(first + stretch, words);
            const uint32_t low = code_at(begin + first * per_word, 0, top);
            const uint32_t high = code_beyond(begin + last * per_word - 1, low);
            if (low == high) {
                const uint4 repeated = word_of(key_of(low));
                for (uint64_t word = first + lane; word < last; word += 32)
                    out[word] = repeated;
            } else {
                for (uint64_t word = first + lane; word < last; word += 32)
                    out[word] = word_at(begin + word * per_word, low, high);
            }
        }
    }

    /* All of them, by all threads of the grid. */
    __device__ __forceinline__ void write_all(uint64_t count) const
    {
        const uint64_t each = blockDim.x / 32;
        write(0, count, blockIdx.x * each + threadIdx.x / 32, gridDim.x * each);
    }
};

#endif
