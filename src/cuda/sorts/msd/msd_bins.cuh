/* SPDX-License-Identifier: Apache-2.0 */
/* A block's counters of the cells of `msd`'s histogram, in shared memory. */
#ifndef CONSORT_MSD_BINS_CUH
#define CONSORT_MSD_BINS_CUH

#include "cuda/device/device.cuh"
#include "cuda/sorts/msd/msd_layout.h"

/* Two 16-bit counters a word; as in counting_histogram.cuh, a half that fills is moved to device
 * memory, and between two barriers a block counts at most 32768 keys. Where cells are few each has
 * several counters, which lanes use in turn: they do not queue up where keys crowd. */
struct msd_bins {
    static constexpr uint32_t half = 0x8000, most_copies = 16;
    uint32_t *pairs, *totals;
    uint32_t copies;

    static __device__ __forceinline__ uint32_t copies_of(uint32_t bits)
    {
        return min((uint32_t)MSD_CELLS >> bits, most_copies);
    }

    __device__ __forceinline__ void clear(uint32_t bits) const
    {
        for (unsigned i = threadIdx.x; i < (copies << bits) / 2; i += MSD_HISTOGRAM_THREADS)
            pairs[i] = 0;
        __syncthreads();
    }

    __device__ __forceinline__ void add(uint32_t cell, uint32_t times) const
    {
        const uint32_t at = cell * copies + threadIdx.x % copies, shift = 16 * (at % 2);
        const uint32_t before = atomicAdd(&pairs[at / 2], times << shift) >> shift & 0xffff;
        if (before < half && before + times >= half) {
            atomicSub(&pairs[at / 2], half << shift);
            atomicAdd(&totals[cell], half);
        }
    }

    /* Of a cell with several counters. Lanes begin at different ones, which are in other banks. */
    __device__ __forceinline__ uint32_t count_of(uint32_t cell) const
    {
        const uint32_t words = copies / 2;
        uint32_t sum = 0;
        for (uint32_t i = 0; i < words; i++) {
            const uint32_t pair = pairs[cell * words + (i + cell * words / 32) % words];
            sum += (pair & 0xffff) + (pair >> 16);
        }
        return sum;
    }

    /* Counts are added to those of all blocks, two by one addition, which never carries. Blocks
     * begin at different cells: at the same ones they would queue up. */
    __device__ __forceinline__ void flush(uint32_t bits) const
    {
        if (copies > 1) {
            for (unsigned i = threadIdx.x; i < 1u << bits; i += MSD_HISTOGRAM_THREADS) {
                const uint32_t count = count_of(i);
                if (count)
                    atomicAdd(&totals[i], count);
            }
            return;
        }
        const uint32_t words = (1u << bits) / 2, first = words / gridDim.x * blockIdx.x / 32 * 32;
        for (unsigned i = threadIdx.x; i < words; i += MSD_HISTOGRAM_THREADS) {
            const uint32_t at = (first + i) % words, pair = pairs[at];
            if (pair)
                atomicAdd((unsigned long long *)&totals[2 * at],
                          (unsigned long long)(pair >> 16) << 32 | (pair & 0xffff));
        }
    }
};

#endif
