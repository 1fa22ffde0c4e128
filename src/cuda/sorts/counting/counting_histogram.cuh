/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often each code occurs, in one read of the keys: a histogram per block in shared memory,
 * added to the one in device memory at the end.
 *
 * 16-bit keys have 65536 bins; two 16-bit counters share a word, 128 KiB a block. The thread whose
 * key takes a counter over its half moves that half to device memory. Between two barriers a block
 * counts at most 32768 keys, so a counter below its half cannot overflow before the next barrier,
 * and is below it again there. A word of 16 bytes whose keys are all equal is counted at once, so
 * that sorted and equal inputs do not queue up at one counter.
 */
#ifndef CONSORT_COUNTING_HISTOGRAM_CUH
#define CONSORT_COUNTING_HISTOGRAM_CUH

#include "cuda/device/codes.cuh"
#include "cuda/sorts/counting/counting_layout.h"

/* Counters of 8-bit keys: 32 bits each, one set for every warp. */
struct counting_bins_8 {
    static constexpr unsigned sets = COUNTING_THREADS / 32;
    static constexpr bool needs_barriers = false; /* no block ever counts 2³² keys */
    uint32_t bins[sets][256];

    __device__ __forceinline__ void clear()
    {
        for (unsigned i = threadIdx.x; i < sets * 256; i += COUNTING_THREADS)
            (&bins[0][0])[i] = 0;
    }

    __device__ __forceinline__ void add(uint64_t *, uint32_t code, uint32_t times)
    {
        atomicAdd(&bins[threadIdx.x / 32][code], times);
    }

    __device__ __forceinline__ void flush(uint64_t *totals)
    {
        for (unsigned bin = threadIdx.x; bin < 256; bin += COUNTING_THREADS) {
            uint32_t sum = 0;
            for (unsigned set = 0; set < sets; set++)
                sum += bins[set][bin];
            if (sum)
                atomicAdd((unsigned long long *)&totals[bin], (unsigned long long)sum);
        }
    }
};

struct counting_bins_16 {
    static constexpr bool needs_barriers = true;
    static constexpr uint32_t half = 0x8000;
    uint32_t pairs[COUNTING_BINS / 2];

    __device__ __forceinline__ void clear()
    {
        for (unsigned i = threadIdx.x; i < COUNTING_BINS / 2; i += COUNTING_THREADS)
            pairs[i] = 0;
    }

    __device__ __forceinline__ void add(uint64_t *totals, uint32_t code, uint32_t times)
    {
        const uint32_t shift = 16 * (code % 2);
        const uint32_t before = atomicAdd(&pairs[code / 2], times << shift) >> shift & 0xffff;
        if (before < half && before + times >= half) {
            atomicSub(&pairs[code / 2], half << shift);
            atomicAdd((unsigned long long *)&totals[code], (unsigned long long)half);
        }
    }

    __device__ __forceinline__ void flush(uint64_t *totals)
    {
        for (unsigned i = threadIdx.x; i < COUNTING_BINS / 2; i += COUNTING_THREADS) {
            const uint32_t pair = pairs[i];
            if (pair & 0xffff)
                atomicAdd((unsigned long long *)&totals[2 * i],
                          (unsigned long long)(pair & 0xffff));
            if (pair >> 16)
                atomicAdd((unsigned long long *)&totals[2 * i + 1],
                          (unsigned long long)(pair >> 16));
        }
    }
};

/* The keys of one 16-byte word. */
template <typename K, typename Bins>
static __device__ __forceinline__ void counting_add_word(Bins &bins, uint64_t *totals,
                                                         const codes<K> &codec, uint4 word)
{
    constexpr unsigned per_word = sizeof(uint4) / sizeof(K);
    const uint32_t parts[4] = {word.x, word.y, word.z, word.w};
    const uint32_t first = parts[0] & (sizeof(K) == 1 ? 0xffu : 0xffffu);
    const uint32_t repeated = first * (sizeof(K) == 1 ? 0x01010101u : 0x00010001u);
    const bool all_equal = parts[0] == repeated && parts[1] == repeated && parts[2] == repeated &&
                           parts[3] == repeated;
    if (all_equal) {
        bins.add(totals, codec.encode((K)first), per_word);
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < per_word; i++) {
        const unsigned bit = i * 8 * sizeof(K);
        bins.add(totals, codec.encode((K)(parts[bit / 32] >> (bit % 32))), 1);
    }
}

/*
 * Blocks take stretches of words in turn. Keys before the first and after the last whole 16-byte
 * word of the array are counted by the first block.
 */
template <typename K, typename Bins>
static __device__ __forceinline__ void counting_histogram(const counting_arguments &a, Bins &bins)
{
    constexpr unsigned per_word = sizeof(uint4) / sizeof(K), unroll = 64 / sizeof(uint4);
    constexpr uint64_t stretch = (uint64_t)COUNTING_THREADS * unroll; /* words */
    static_assert(!Bins::needs_barriers || stretch * per_word <= 32768, "a counter could overflow");
    const codes<K> codec(a.codec);
    const K *keys = (const K *)a.in;
    const uint64_t misaligned = (0 - (uintptr_t)keys) % sizeof(uint4) / sizeof(K);
    const uint64_t head = misaligned < a.count ? misaligned : a.count;
    const uint64_t words = (a.count - head) / per_word;
    const uint4 *word = (const uint4 *)(keys + head);
    bins.clear();
    __syncthreads();
    if (blockIdx.x == 0) {
        const uint64_t tail = head + words * per_word;
        if (threadIdx.x < head)
            bins.add(a.bins, codec.encode(keys[threadIdx.x]), 1);
        if (tail + threadIdx.x < a.count)
            bins.add(a.bins, codec.encode(keys[tail + threadIdx.x]), 1);
        __syncthreads();
    }
    for (uint64_t first = blockIdx.x * stretch; first < words; first += gridDim.x * stretch) {
        uint4 loaded[unroll];
#pragma unroll
        for (unsigned i = 0; i < unroll; i++) {
            const uint64_t at = first + i * COUNTING_THREADS + threadIdx.x;
            loaded[i] = word[at < words ? at : words - 1];
        }
#pragma unroll
        for (unsigned i = 0; i < unroll; i++)
            if (first + i * COUNTING_THREADS + threadIdx.x < words)
                counting_add_word<K>(bins, a.bins, codec, loaded[i]);
        if (Bins::needs_barriers)
            __syncthreads();
    }
    __syncthreads();
    bins.flush(a.bins);
}

#endif
