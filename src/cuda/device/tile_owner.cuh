/* SPDX-License-Identifier: Apache-2.0 */
/* Which of several segments a tile belongs to, when tiles are numbered segment by segment. */
#ifndef CONSORT_CUDA_TILE_OWNER_CUH
#define CONSORT_CUDA_TILE_OWNER_CUH

#include "cuda/device/device.cuh"

/* The last of `count` + 1 ascending entries, from 0 on, that is at most `tile`. */
static __device__ __forceinline__ uint32_t tile_owner(const uint32_t *first_tile, uint32_t count,
                                                      uint32_t tile)
{
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (first_tile[middle] <= tile)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

#endif
