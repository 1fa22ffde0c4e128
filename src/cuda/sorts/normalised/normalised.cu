/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `normalised`; the host side is normalised.c. */
#include "cuda/sorts/normalised/normalised_window.cuh"

/* One code for each place. */
template <typename K>
static __device__ __forceinline__ void normalised_encode(const normalised_items &a,
                                                         const normalised_window &window, K *codes)
{
    const byte_range range = normalised_range(a);
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < a.count; i += threads) {
        const uint64_t item = a.indices ? normalised_index(a.indices, a.index_bytes, i) : i;
        codes[i] = (K)normalised_look(window, range.begin + item * a.item_bytes, range);
    }
}

#define NORMALISED_ENCODE(bits, type)                                                              \
    KERNEL(normalised_encode_##bits, NORMALISED_THREADS)                                           \
    (const __grid_constant__ normalised_items items,                                               \
     const __grid_constant__ normalised_window window, void *codes)                                \
    {                                                                                              \
        normalised_encode<type>(items, window, (type *)codes);                                     \
    }                                                                                              \
    KERNEL_EXPORT(normalised_encode_##bits);
NORMALISED_ENCODE(32, uint32_t)
NORMALISED_ENCODE(64, uint64_t)
NORMALISED_ENCODE(128, uint128)
