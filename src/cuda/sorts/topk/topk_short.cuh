/* SPDX-License-Identifier: Apache-2.0 */
/* Short rows of wide keys: a warp sorts each one whole in its part of shared memory. */
#ifndef CONSORT_TOPK_SHORT_CUH
#define CONSORT_TOPK_SHORT_CUH

#include "cuda/sorts/topk/topk_row.cuh"

template <typename K> struct topk_short_shared {
    K codes[TOPK_SHORT_THREADS / 32][TOPK_SHORT];
    uint16_t positions[TOPK_SHORT_THREADS / 32][TOPK_SHORT];
};

template <typename K>
static __device__ __forceinline__ void topk_short_rows(const topk_arguments &a,
                                                       topk_short_shared<K> &s)
{
    constexpr uint64_t warps = TOPK_SHORT_THREADS / 32;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    K *codes = s.codes[warp];
    uint16_t *positions = s.positions[warp];
    const uint32_t size = topk_power_of_two(a.length);
    for (uint64_t row = blockIdx.x * warps + warp; row < a.rows; row += gridDim.x * warps) {
        const topk_source<K> source((const unsigned char *)a.in + row * a.length * sizeof(K),
                                    a.length, a.codec);
        for (uint32_t i = lane; i < size; i += 32) {
            codes[i] = i < a.length ? source.code(i) : (K) ~(K)0;
            positions[i] = (uint16_t)i;
        }
        __syncwarp();
        bitonic_sort(codes, positions, size, lane, 32);
        for (uint32_t j = lane; j < a.kept; j += 32)
            topk_emit(a, source, row, j, codes[j], (uint64_t)positions[j]);
        __syncwarp();
    }
}

#endif
