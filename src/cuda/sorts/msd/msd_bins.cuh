/* SPDX-License-Identifier: Apache-2.0 */
/* A block's counters of the cells of `msd`'s histogram, in shared memory. */
#ifndef CONSORT_MSD_BINS_CUH
#define CONSORT_MSD_BINS_CUH

#include "cuda/device/device.cuh"
#include "cuda/sorts/msd/msd_layout.h"

/*
 * Two 16-bit counters a word. Where cells are few each has several counters, which lanes use in
 * turn: they do not queue up where keys crowd.
 *
 * Salted: where in a row of 32 words its counters are says a salt, so that nobody can know which
 * cells share a bank. Wider keys take longer to read than lanes need to add one after the other,
 * and leave no registers for it.
 */
template <bool Salted> struct msd_bins {
    static constexpr uint32_t half = 0x8000, full = half << 16 | half, most_copy_bits = 4;
    uint32_t *pairs, *totals;
    uint32_t copies, copy_bits, salt;

    __device__ __forceinline__ msd_bins(uint32_t *memory, uint32_t *sums, uint32_t bits,
                                        uint32_t salt_of_plan)
        : pairs(memory), totals(sums),
          copies(min((uint32_t)MSD_CELLS >> bits, 1u << most_copy_bits)),
          copy_bits(min(MSD_CELL_BITS - bits, most_copy_bits)), salt(salt_of_plan)
    {
    }

    __device__ __forceinline__ void clear(uint32_t bits) const
    {
        for (uint32_t i = threadIdx.x; i < words_of(bits); i += MSD_HISTOGRAM_THREADS)
            pairs[i] = 0;
        __syncthreads();
    }

    /* Of the counter that the thread uses: the offset of its word, and in bit 1 which half it is.
     */
    __device__ __forceinline__ uint32_t place_of(uint32_t cell) const
    {
        const uint32_t copy = threadIdx.x & ((1u << copy_bits) - 1);
        return turned((cell << (copy_bits + 1)) + 2 * copy);
    }

    static __device__ __forceinline__ uint32_t word_of(uint32_t place)
    {
        return place & ~3u;
    }

    /* 1 in its half of the word. */
    static __device__ __forceinline__ uint32_t one_of(uint32_t place)
    {
        return place & 2 ? 1u << 16 : 1u;
    }

    /* To both counters of a word. Returns what these were. Between two meetings of a block it adds
     * up to 16384, the last 128 of which may set a highest bit that no addition finds; those that
     * are found are moved then. */
    __device__ __forceinline__ uint32_t add_to(uint32_t word, uint32_t times) const
    {
        return atomicAdd(word_at(word), times);
    }

    /* Without salt. As in counting_histogram.cuh, a half that fills is moved to device memory, and
     * between two barriers a block counts at most 32768 keys. */
    __device__ __forceinline__ void add(uint32_t cell, uint32_t times) const
    {
        const uint32_t at = cell * copies + threadIdx.x % copies, shift = 16 * (at % 2);
        const uint32_t before = atomicAdd(&pairs[at / 2], times << shift) >> shift & 0xffff;
        if (before < half && before + times >= half) {
            atomicSub(&pairs[at / 2], half << shift);
            atomicAdd(&totals[cell], half);
        }
    }

    /* By the block. Warps that have done their part may add already: what they add fits, too. */
    __device__ __forceinline__ void move_full(uint32_t bits) const
    {
        for (uint32_t i = threadIdx.x; i < words_of(bits); i += MSD_HISTOGRAM_THREADS) {
            const uint32_t filled = atomicAnd(&pairs[i], ~full) & full;
            if (filled & half)
                atomicAdd(&totals[cell_at(4 * i)], half);
            if (filled >> 16)
                atomicAdd(&totals[cell_at(4 * i + 2)], half);
        }
    }

    /* Of a cell with several counters. Lanes begin at different ones, which are in other banks. */
    __device__ __forceinline__ uint32_t count_of(uint32_t cell) const
    {
        const uint32_t words = (1u << copy_bits) / 2;
        uint32_t sum = 0;
        for (uint32_t i = 0; i < words; i++) {
            const uint32_t pair = counts_of(cell * words + (i + cell * words / 32) % words);
            sum += (pair & 0xffff) + (pair >> 16);
        }
        return sum;
    }

    /* Counts are added to those of all blocks, two by one addition, which never carries. Blocks
     * begin at different cells: at the same ones they would queue up. */
    __device__ __forceinline__ void flush(uint32_t bits) const
    {
        if (copy_bits > 0) {
            for (unsigned i = threadIdx.x; i < 1u << bits; i += MSD_HISTOGRAM_THREADS) {
                const uint32_t count = count_of(i);
                if (count)
                    atomicAdd(&totals[i], count);
            }
            return;
        }
        const uint32_t words = (1u << bits) / 2, first = words / gridDim.x * blockIdx.x / 32 * 32;
        for (unsigned i = threadIdx.x; i < words; i += MSD_HISTOGRAM_THREADS) {
            const uint32_t at = (first + i) % words, pair = counts_of(at);
            if (pair)
                atomicAdd((unsigned long long *)&totals[2 * at],
                          (unsigned long long)(pair >> 16) << 32 | (pair & 0xffff));
        }
    }

  private:
    __device__ __forceinline__ uint32_t words_of(uint32_t bits) const
    {
        return (1u << bits << copy_bits) / 2;
    }

    /* Of twice the number of a counter: the five highest bits of a product turn the row, the next
     * one the halves of its words. The same undoes it, but for the lowest bit. */
    __device__ __forceinline__ uint32_t turned(uint32_t place) const
    {
        return Salted ? place ^ (place / 128 * salt >> 25) : place;
    }

    __device__ __forceinline__ uint32_t cell_at(uint32_t place) const
    {
        return turned(place) >> (copy_bits + 1);
    }

    __device__ __forceinline__ uint32_t *word_at(uint32_t word) const
    {
        return (uint32_t *)((char *)pairs + word);
    }

    /* Of counters 2i and 2i + 1. */
    __device__ __forceinline__ uint32_t counts_of(uint32_t i) const
    {
        const uint32_t place = turned(4 * i), pair = *word_at(word_of(place));
        return place & 2 ? pair << 16 | pair >> 16 : pair;
    }
};

#endif
