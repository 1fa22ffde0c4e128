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
    EXPANSION_STEPS = 4, /* codes that are asked for at once before those behind are searched */
    EXPANSION_NEAR = 256 /* codes whose ends a warp brings nearer, if it has memory for them */
};

/* The key of a code that is numbered from another one on. */
template <typename KeyOf> struct expansion_key_from {
    const KeyOf &key_of;
    uint32_t first;

    __device__ __forceinline__ auto operator()(uint32_t code) const
    {
        return key_of(first + code);
    }
};

/* KeyOf makes the key of a code's number. */
template <typename K, typename End, typename KeyOf> struct expansion {
    static constexpr unsigned per_word = sizeof(uint4) / sizeof(K);
    K *keys;
    const End *ends; /* of codes 0 … top */
    uint32_t top;
    KeyOf key_of;
    uint32_t *near; /* EXPANSION_NEAR words of shared memory for each warp of the block, or NULL */

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
        End following[EXPANSION_STEPS];
#pragma unroll
        for (unsigned step = 0; step < EXPANSION_STEPS; step++)
            following[step] = ends[min(low + step, top)];
        uint32_t passed = 0;
#pragma unroll
        for (unsigned step = 0; step < EXPANSION_STEPS; step++)
            passed += following[step] <= position;
        return passed < EXPANSION_STEPS ? low + passed : code_at(position, low + passed, high);
    }

    /* As code_at(), by a warp, which looks at 32 codes at once. */
    __device__ __forceinline__ uint32_t code_by_warp(uint64_t position, uint32_t low,
                                                     uint32_t high) const
    {
        while (low < high) {
            const uint32_t step = (high - low + 31) / 32;
            const uint32_t probe = low + (threadIdx.x % 32 + 1) * step - 1;
            const uint32_t who =
                __ballot_sync(0xffffffffu, probe >= high || ends[probe] > position);
            const uint32_t first = who ? (uint32_t)__ffs((int)who) - 1 : 32;
            high = min(low + (first + 1) * step - 1, high);
            low = min(low + first * step, high);
        }
        return low;
    }

    /* By a warp, for a position that is likely to be a few codes further. */
    __device__ __forceinline__ uint32_t code_beyond(uint64_t position, uint32_t low) const
    {
        const bool beyond = ends[min(low + threadIdx.x % 32, top)] > position;
        const uint32_t who = __ballot_sync(0xffffffffu, beyond);
        return who ? low + (uint32_t)__ffs((int)who) - 1 : code_by_warp(position, low + 32, top);
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

    /* Words [first, last) of `out`, the first of them at a position, whose codes are in [low,
     * high], by a warp. */
    __device__ __forceinline__ void write_words(uint4 *out, uint64_t first, uint64_t last,
                                                uint64_t position, uint32_t low,
                                                uint32_t high) const
    {
        for (uint64_t word = first + threadIdx.x % 32; word < last; word += 32)
            out[word] = word_at(position + (word - first) * per_word, low, high);
    }

    /* The same of so few codes that their ends, from that position on, are brought nearer. */
    __device__ __forceinline__ void write_near(uint4 *out, uint64_t first, uint64_t last,
                                               uint64_t position, uint32_t low, uint32_t high) const
    {
        uint32_t *own = near + threadIdx.x / 32 * EXPANSION_NEAR;
        for (uint32_t i = threadIdx.x % 32; i <= high - low; i += 32)
            own[i] = (uint32_t)min((uint64_t)ends[low + i] - position, (uint64_t)UINT32_MAX);
        __syncwarp();
        const expansion<K, uint32_t, expansion_key_from<KeyOf>> nearer = {
            keys, own, high - low, {key_of, low}, nullptr};
        nearer.write_words(out, first, last, 0, 0, high - low);
        __syncwarp();
    }

    /* The same of so few codes that words with nothing else are written by one code after the
     * other. Positions count from `begin`, where `out` does. */
    __device__ __forceinline__ void write_runs(uint4 *out, uint64_t first, uint64_t last,
                                               uint64_t begin, uint32_t low, uint32_t high) const
    {
        for (uint32_t code = low; first < last; code++) {
            const uint64_t end = ends[code] - begin, whole = min(end / per_word, last);
            const uint4 repeated = word_of(key_of(code));
#pragma unroll 4
            for (uint64_t word = first + threadIdx.x % 32; word < whole; word += 32)
                out[word] = repeated;
            first = max(first, whole);
            if (first < last && end > first * per_word) {
                if (threadIdx.x % 32 == 0)
                    out[first] = word_at(begin + first * per_word, code, high);
                first++;
            }
        }
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
            const uint64_t position = begin + first * per_word;
            const uint32_t low = code_by_warp(position, 0, top);
            const uint32_t high = code_beyond(begin + last * per_word - 1, low);
            if (high - low < EXPANSION_STEPS) {
                write_runs(out, first, last, begin, low, high);
            } else if (near && high - low < EXPANSION_NEAR) {
                write_near(out, first, last, position, low, high);
            } else {
                write_words(out, first, last, position, low, high);
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
