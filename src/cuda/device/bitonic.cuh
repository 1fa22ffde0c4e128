/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batcher's bitonic network over items in shared memory: a code and a position, which decides
 * between equal codes, so that the result is unique whatever order the items come in.
 */
#ifndef CONSORT_CUDA_BITONIC_CUH
#define CONSORT_CUDA_BITONIC_CUH

#include "cuda/device/device.cuh"

template <typename K, typename I>
static __device__ __forceinline__ void bitonic_exchange(K *codes, I *positions, uint32_t low,
                                                        uint32_t high, bool ascending)
{
    const K a = codes[low], b = codes[high];
    const I p = positions[low], q = positions[high];
    const bool swapped = b < a || (b == a && q < p);
    if (swapped != ascending)
        return;
    codes[low] = b;
    codes[high] = a;
    positions[low] = q;
    positions[high] = p;
}

/*
 * Sorts `count` items, a power of two, by `threads` threads: a warp alone, or a whole block. Pairs
 * at most 32 apart lie in the 64 items that one warp holds, so only wider steps wait for the block.
 */
template <typename K, typename I>
static __device__ __forceinline__ void bitonic_sort(K *codes, I *positions, uint32_t count,
                                                    uint32_t thread, uint32_t threads)
{
    for (uint32_t size = 2; size <= count; size *= 2) {
        for (uint32_t stride = size / 2; stride > 0; stride /= 2) {
            for (uint32_t pair = thread; pair < count / 2; pair += threads) {
                const uint32_t low = 2 * pair - (pair & (stride - 1));
                bitonic_exchange(codes, positions, low, low + stride, (low & size) == 0);
            }
            const bool next_is_wide = stride > 1 ? stride > 64 : size > 32;
            if (threads > 32 && (stride > 32 || next_is_wide))
                __syncthreads();
            else
                __syncwarp();
        }
    }
}

#endif
