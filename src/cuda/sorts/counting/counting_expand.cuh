/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From counts to sorted keys: bins become ends, and every warp writes a stretch of the output,
 * whose codes it finds by searching the ends.
 */
#ifndef CONSORT_COUNTING_EXPAND_CUH
#define CONSORT_COUNTING_EXPAND_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/sorts/counting/counting_layout.h"

/*
 * One block replaces counts by ends. Every warp owns a stretch of bins and goes over it twice, with
 * all lanes on neighbouring bins: for its sum, and, when the block has scanned the sums, for the
 * ends. (A thread with bins of its own reads a line of memory for each: 150 µs on an H200.)
 */
static __device__ __forceinline__ void counting_scan(const counting_arguments &a,
                                                     uint64_t *warp_sums)
{
    constexpr unsigned warps = COUNTING_THREADS / 32, batch = 8;
    const unsigned each = a.bin_count / warps, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint64_t *bins = a.bins + warp * each;
    uint64_t sum = 0;
#pragma unroll batch
    for (unsigned bin = lane; bin < each; bin += 32)
        sum += bins[bin];
    const uint64_t inclusive = warp_inclusive_sum(sum);
    if (lane == 31)
        warp_sums[warp] = inclusive;
    __syncthreads();
    uint64_t before = 0;
    for (unsigned other = 0; other < warp; other++)
        before += warp_sums[other];
    for (unsigned first = 0; first < each; first += 32 * batch) {
        uint64_t count[batch];
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            const unsigned bin = first + i * 32 + lane;
            count[i] = bin < each ? bins[bin] : 0;
        }
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            const unsigned bin = first + i * 32 + lane;
            const uint64_t end = before + warp_inclusive_sum(count[i]);
            if (bin < each)
                bins[bin] = end;
            before = __shfl_sync(0xffffffffu, end, 31);
        }
    }
    if (a.outcome && threadIdx.x == 0) {
        ((int32_t *)a.outcome)[0] = 0; /* CONSORT_OK */
        ((int32_t *)a.outcome)[1] = 1;
    }
}

/* The code at `position` of the output, known to be in [low, high]: the first whose end is beyond.
 */
static __device__ __forceinline__ uint32_t counting_code_at(const uint64_t *ends, uint64_t position,
                                                            uint32_t low, uint32_t high)
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

/* Sixteen bytes of output from `position` on. */
template <typename K>
static __device__ __forceinline__ uint4 counting_word(const uint64_t *ends, const codes<K> &codec,
                                                      uint64_t position, uint32_t low,
                                                      uint32_t high)
{
    constexpr unsigned per_word = sizeof(uint4) / sizeof(K);
    uint32_t code = counting_code_at(ends, position, low, high);
    uint32_t parts[4];
    if (ends[code] >= position + per_word) {
        const uint32_t key = codec.decode((K)code);
        const uint32_t repeated = key * (sizeof(K) == 1 ? 0x01010101u : 0x00010001u);
        return make_uint4(repeated, repeated, repeated, repeated);
    }
#pragma unroll
    for (unsigned part = 0; part < 4; part++)
        parts[part] = 0;
#pragma unroll
    for (unsigned i = 0; i < per_word; i++) {
        while (ends[code] <= position + i)
            code++;
        const unsigned bit = i * 8 * sizeof(K);
        parts[bit / 32] |= (uint32_t)codec.decode((K)code) << (bit % 32);
    }
    return make_uint4(parts[0], parts[1], parts[2], parts[3]);
}

/*
 * A warp writes COUNTING_WARP_WORDS words; the code of its first and of its last key bound every
 * other search, and with long runs are the same. Keys before the first and after the last whole
 * word are written one by one.
 */
template <typename K>
static __device__ __forceinline__ void counting_expand(const counting_arguments &a)
{
    constexpr unsigned per_word = sizeof(uint4) / sizeof(K);
    const codes<K> codec(a.codec);
    K *keys = (K *)a.out;
    const uint64_t misaligned = (0 - (uintptr_t)keys) % sizeof(uint4) / sizeof(K);
    const uint64_t head = misaligned < a.count ? misaligned : a.count;
    const uint64_t words = (a.count - head) / per_word;
    const uint64_t tail = head + words * per_word;
    const uint32_t top = a.bin_count - 1;
    if (blockIdx.x == 0) {
        if (threadIdx.x < head)
            keys[threadIdx.x] = codec.decode((K)counting_code_at(a.bins, threadIdx.x, 0, top));
        if (tail + threadIdx.x < a.count)
            keys[tail + threadIdx.x] =
                codec.decode((K)counting_code_at(a.bins, tail + threadIdx.x, 0, top));
    }
    uint4 *out = (uint4 *)(keys + head);
    const uint64_t warps = (uint64_t)gridDim.x * (blockDim.x / 32);
    const uint64_t stretches = (words + COUNTING_WARP_WORDS - 1) / COUNTING_WARP_WORDS;
    for (uint64_t stretch = (uint64_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
         stretch < stretches; stretch += warps) {
        const uint64_t first = stretch * COUNTING_WARP_WORDS;
        const uint64_t last = min(first + COUNTING_WARP_WORDS, words);
        const uint32_t low = counting_code_at(a.bins, head + first * per_word, 0, top);
        const uint32_t high = counting_code_at(a.bins, head + last * per_word - 1, low, top);
        for (uint64_t word = first + threadIdx.x % 32; word < last; word += 32)
            out[word] = counting_word<K>(a.bins, codec, head + word * per_word, low, high);
    }
}

#endif
