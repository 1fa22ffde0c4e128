/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `normalised`; the host side is normalised.c. */
#include "cuda/sorts/lsd/lsd_tuning.h"
#include "cuda/sorts/normalised/normalised_refine.cuh"

/* The prefixes of all items. */
template <typename K>
static __device__ __forceinline__ void normalised_encode(const normalised_items &a,
                                                         const normalised_window &window, K *codes)
{
    const byte_range range = normalised_range(a);
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < a.count; i += threads) {
        codes[i] = (K)normalised_look(window, range.begin + i * a.item_bytes, range);
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

/* Some of an order's pieces to device memory. */
KERNEL(normalised_put_pieces, NORMALISED_THREADS)
(const __grid_constant__ normalised_window window, normalised_piece *to)
{
    for (uint32_t i = threadIdx.x; i < window.piece_count; i += blockDim.x)
        to[i] = window.pieces[i];
}
KERNEL_EXPORT(normalised_put_pieces);

/* The shapes are those of lsd_tuning.h for the same key width and value class. */
#define NORMALISED_SHAPE(bits, value_bytes, threads, items, blocks)                                \
    (Bits == bits && ValueBytes == value_bytes) ? items:
template <unsigned Bits, unsigned ValueBytes>
static constexpr unsigned normalised_items_a_thread = LSD_SHAPES(NORMALISED_SHAPE) 0;

#define NORMALISED_REFINE(bits, type, index_bytes)                                                 \
    using normalised_refiner_##bits##_##index_bytes =                                              \
        normalised_refiner<type, index_bytes, 32 * NORMALISED_WARPS,                               \
                           normalised_items_a_thread<bits, index_bytes>>;                          \
    KERNEL(normalised_refine_##bits##_##index_bytes, 32 * NORMALISED_WARPS, 2)                     \
    (const __grid_constant__ normalised_round round,                                               \
     const __grid_constant__ normalised_window window)                                             \
    {                                                                                              \
        SHARED(ties, normalised_ties_storage);                                                     \
        SHARED(sort, lsd_arguments);                                                               \
        SHARED_DYNAMIC(storage, normalised_refiner_##bits##_##index_bytes::storage);               \
        normalised_refine<type, index_bytes, 32 * NORMALISED_WARPS,                                \
                          normalised_items_a_thread<bits, index_bytes>>(round, window, ties, sort, \
                                                                        *storage);                 \
    }                                                                                              \
    KERNEL_EXPORT(normalised_refine_##bits##_##index_bytes);
NORMALISED_REFINE(64, uint64_t, 4)
NORMALISED_REFINE(64, uint64_t, 8)
NORMALISED_REFINE(128, uint128, 4)
NORMALISED_REFINE(128, uint128, 8)
