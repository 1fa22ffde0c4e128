/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of the GPU's `radix-select`, by key width and bytes of a position; the host side is
 * topk.c. */
#include "cuda/sorts/topk/topk_short.cuh"
#include "cuda/sorts/topk/topk_warp.cuh"

#define TOPK_ROWS(bits, key, position_bytes, position)                                             \
    static_assert(sizeof(topk_shared<key, position>) ==                                            \
                      topk_shared_bytes(bits / 8, position_bytes),                                 \
                  "the host asks for what the kernel needs");                                      \
    KERNEL(topk_rows_##bits##_##position_bytes, TOPK_THREADS, 2)                                   \
    (const __grid_constant__ topk_arguments arguments)                                             \
    {                                                                                              \
        using shared = topk_shared<key, position>;                                                 \
        SHARED_DYNAMIC(storage, shared);                                                           \
        topk_rows<key, position>(arguments, *storage);                                             \
    }                                                                                              \
    KERNEL_EXPORT(topk_rows_##bits##_##position_bytes);

#define TOPK_SHORT_ROWS(bits, key)                                                                 \
    KERNEL(topk_short_##bits, TOPK_SHORT_THREADS)                                                  \
    (const __grid_constant__ topk_arguments arguments)                                             \
    {                                                                                              \
        SHARED(storage, topk_short_shared<key>);                                                   \
        topk_short_rows<key>(arguments, storage);                                                  \
    }                                                                                              \
    KERNEL_EXPORT(topk_short_##bits);

#define TOPK_WARP_ROWS(bits, key)                                                                  \
    KERNEL(topk_short_##bits, TOPK_SHORT_THREADS)                                                  \
    (const __grid_constant__ topk_arguments arguments)                                             \
    {                                                                                              \
        SHARED(slots, uint64_t[TOPK_SHORT_THREADS]);                                               \
        topk_warp_kernel<key>(arguments, slots);                                                   \
    }                                                                                              \
    KERNEL_EXPORT(topk_short_##bits);

#define TOPK_KERNELS(bits, key)                                                                    \
    TOPK_ROWS(bits, key, 4, uint32_t)                                                              \
    TOPK_ROWS(bits, key, 8, uint64_t)
TOPK_KERNELS(8, uint8_t)
TOPK_KERNELS(16, uint16_t)
TOPK_KERNELS(32, uint32_t)
TOPK_KERNELS(64, uint64_t)
TOPK_KERNELS(128, uint128)
TOPK_WARP_ROWS(8, uint8_t)
TOPK_WARP_ROWS(16, uint16_t)
TOPK_WARP_ROWS(32, uint32_t)
TOPK_SHORT_ROWS(64, uint64_t)
TOPK_SHORT_ROWS(128, uint128)
