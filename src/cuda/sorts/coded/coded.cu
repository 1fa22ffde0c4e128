/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `coded`; the host side is coded.c. */
#include "cuda/sorts/coded/coded_places.cuh"

/* The inverse of a permutation: code[indices[i]] = i. Indices are as wide as codes. */
KERNEL(coded_ranks, CODED_THREADS)
(const __grid_constant__ coded_array codes, const void *indices, uint64_t count)
{
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads)
        coded_put(
            codes,
            codes.bytes == 4 ? ((const uint32_t *)indices)[i] : ((const uint64_t *)indices)[i], i);
}
KERNEL_EXPORT(coded_ranks);

KERNEL(coded_places, CODED_THREADS)(const __grid_constant__ coded_lists lists)
{
    SHARED(bounds, coded_bounds);
    coded_place_lists(lists, bounds);
}
KERNEL_EXPORT(coded_places);
