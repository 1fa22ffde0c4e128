/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts of bins in shared memory become places, by a whole block. Every thread owns four
 * neighbouring bins in each of some rows, so that no two lanes meet in a bank; the sums of two rows
 * are scanned at once, as halves of a word: bins hold less than 65536 items in all.
 */
#ifndef CONSORT_CUDA_BIN_SCAN_CUH
#define CONSORT_CUDA_BIN_SCAN_CUH

#include "cuda/device/block_scan.cuh"

template <unsigned Threads, unsigned BinBits> struct bin_scan {
    static constexpr unsigned warps = Threads / 32, rows = (1u << BinBits) / 4 / Threads;
    static_assert(rows % 2 == 0, "bins are scanned in pairs of rows");

    using sums = uint32_t[rows / 2][warps];

    static __device__ __forceinline__ void clear(uint32_t *bins)
    {
#pragma unroll
        for (unsigned row = 0; row < rows; row++)
            ((uint4 *)bins)[row * Threads + threadIdx.x] = make_uint4(0, 0, 0, 0);
    }

    /* Returns the largest count among the thread's bins. Holds a barrier; others have to wait for
     * one more. */
    static __device__ __forceinline__ uint32_t scan(uint32_t *bins, sums &warp_sums)
    {
        uint4 *bin = (uint4 *)bins + threadIdx.x;
        uint4 size[rows];
        uint32_t sum[rows / 2], largest = 0;
#pragma unroll
        for (unsigned row = 0; row < rows; row++) {
            size[row] = bin[row * Threads];
            const uint32_t own = size[row].x + size[row].y + size[row].z + size[row].w;
            sum[row / 2] = row % 2 == 0 ? own : sum[row / 2] + (own << 16);
            largest =
                max(largest, max(max(size[row].x, size[row].y), max(size[row].z, size[row].w)));
        }
        uint32_t inclusive[rows / 2];
#pragma unroll
        for (unsigned pair = 0; pair < rows / 2; pair++) {
            inclusive[pair] = warp_inclusive_sum(sum[pair]);
            if (threadIdx.x % 32 == 31)
                warp_sums[pair][threadIdx.x / 32] = inclusive[pair];
        }
        __syncthreads();
        uint32_t before_rows = 0;
#pragma unroll
        for (unsigned pair = 0; pair < rows / 2; pair++) {
            const uint32_t other = warp_sums[pair][threadIdx.x % 32 % warps];
            const uint32_t scanned = warp_inclusive_sum(threadIdx.x % 32 < warps ? other : 0);
            const uint32_t all = __shfl_sync(0xffffffffu, scanned, 31);
            const unsigned warp = threadIdx.x / 32;
            uint32_t before = __shfl_sync(0xffffffffu, scanned, warp > 0 ? warp - 1 : 0);
            before = (warp > 0 ? before : 0) + inclusive[pair] - sum[pair];
            bin[2 * pair * Threads] = places_of(size[2 * pair], before_rows + (before & 0xffff));
            before_rows += all & 0xffff;
            bin[(2 * pair + 1) * Threads] =
                places_of(size[2 * pair + 1], before_rows + (before >> 16));
            before_rows += all >> 16;
        }
        return largest;
    }

  private:
    static __device__ __forceinline__ uint4 places_of(uint4 size, uint32_t first)
    {
        return make_uint4(first, first + size.x, first + size.x + size.y,
                          first + size.x + size.y + size.z);
    }
};

#endif
