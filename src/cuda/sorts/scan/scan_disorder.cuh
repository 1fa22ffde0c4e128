/* SPDX-License-Identifier: Apache-2.0 */
/* The first key that comes before its predecessor, in one read of whole words. */
#ifndef CONSORT_SCAN_DISORDER_CUH
#define CONSORT_SCAN_DISORDER_CUH

#include "cuda/device/codes.cuh"
#include "cuda/device/disorder.cuh"
#include "cuda/device/key_array.cuh"
#include "cuda/sorts/scan/scan_found.cuh"

template <typename K> struct scan_disorder {
    static constexpr unsigned keys_per_word = key_array<K>::per_word;
    const scan_arguments &a;
    const ordered_codes<K> codec;
    const key_array<K> keys;

    __device__ __forceinline__ explicit scan_disorder(const scan_arguments &arguments)
        : a(arguments), codec(arguments.codec), keys(arguments.in, arguments.count)
    {
    }

    __device__ __forceinline__ bool disorder_at(uint64_t i)
    {
        return i > 0 && codec.encode(keys.at(i)) < codec.encode(keys.at(i - 1));
    }

    /* Keys outside whole words: few, or all of them where there are no words. */
    __device__ __forceinline__ void singles(uint64_t first, uint64_t last)
    {
        scan_each(a.control, first, last, [&](uint64_t i) { return disorder_at(i); });
    }

    __device__ __forceinline__ uint64_t first_in_word(uint64_t word)
    {
        uint64_t i = keys.first_of_word(word);
        while (!disorder_at(i))
            i++;
        return i;
    }

    /* A warp's words are consecutive: each lane has its neighbour's last key, only the first lane
     * of the first row reads one from memory. */
    __device__ __forceinline__ void stretch(uint64_t first)
    {
        const unsigned lane = threadIdx.x % 32;
        uint4 word[SCAN_UNROLL];
#pragma unroll
        for (unsigned i = 0; i < SCAN_UNROLL; i++)
            word[i] = keys.word(first + i * 32 + lane);
        const uint64_t start = keys.first_of_word(first);
        K last = lane == 0 && start > 0 ? codec.encode(keys.at(start - 1)) : (K)0;
        uint64_t disorder = SCAN_NONE;
#pragma unroll
        for (unsigned i = 0; i < SCAN_UNROLL; i++) {
            K code[keys_per_word];
            keys.split(word[i], code);
            codec.encode_all(code);
            if (disorder_in_row(code, last) && disorder == SCAN_NONE)
                disorder = first_in_word(first + i * 32 + lane);
        }
        scan_tell(a.control, disorder);
    }

    __device__ __forceinline__ void words()
    {
        constexpr uint64_t warp_words = 32 * SCAN_UNROLL;
        const uint64_t warps = (uint64_t)gridDim.x * (SCAN_THREADS / 32);
        const uint64_t warp = (uint64_t)blockIdx.x * (SCAN_THREADS / 32) + threadIdx.x / 32;
        const uint64_t whole = keys.words / warp_words;
        for (uint64_t i = warp; i < whole; i += warps) {
            if (scan_passed(a.control, keys.first_of_word(i * warp_words)))
                return;
            stretch(i * warp_words);
        }
        singles(keys.first_of_word(whole * warp_words), a.count);
    }
};

template <typename K>
static __device__ __forceinline__ void scan_kernel(const scan_arguments &a, uint32_t *last)
{
    scan_disorder<K> scan(a);
    scan.singles(0, scan.keys.head);
    scan.words();
    scan_finish(a.control, a.outcome, a.count, last);
}

#endif
