/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of bitonic steps; the host side is cuda_network.c. `wanted`, if not NULL, is a word in
 * device memory that is 0 if there is nothing to do.
 */
#include "cuda/device/network.cuh"
#include "cuda/sorts/network/network_layout.h"
#include "cuda/sorts/items/items_kinds.h"

template <typename K, typename I>
static __device__ __forceinline__ item_array<K, I> network_array(const items &a)
{
    return {(K *)a.codes, (I *)a.indices};
}

/* All steps that stay within a tile: the tile is read and written once. */
template <typename K, typename I>
static __device__ __forceinline__ void network_tile(const items &a, network_range range,
                                                    unsigned char *shared)
{
    const uint32_t size = 1u << range.log_tile;
    const uint64_t first = (uint64_t)blockIdx.x << range.log_tile;
    const uint32_t filled = a.count - first < size ? (uint32_t)(a.count - first) : size;
    const item_array<K, I> array = network_array<K, I>(a);
    const padded_item_array<K, I> tile(shared, size);
    network_copy(array, first, tile, 0, filled);
    __syncthreads();
    for (uint32_t log_size = range.log_first; log_size <= range.log_last; log_size++)
        network_merge_tile(tile, range.log_tile, filled, first, a.count, log_size,
                           min(log_size, range.log_tile));
    network_copy(tile, 0, array, first, filled);
}

/* `levels` steps at once, each thread with 2^levels items that lie 2^log_stride apart. */
template <unsigned Levels, typename K, typename I>
static __device__ __forceinline__ void network_group(const items &a, uint32_t log_size,
                                                     uint32_t log_stride)
{
    const uint64_t group = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64_t first = network_group_start<Levels>(group, log_stride);
    if (first < a.count)
        network_merge_group<Levels>(network_array<K, I>(a), first, (uint64_t)1 << log_stride,
                                    a.count, network_descends(first, log_size, a.count));
}

/* One step as the paper launches it: a thread for each item, of which every second one works. */
template <typename K, typename I>
static __device__ __forceinline__ void network_step(const items &a, uint32_t log_size,
                                                    uint32_t log_stride)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64_t stride = (uint64_t)1 << log_stride;
    if ((i & stride) == 0 && i + stride < a.count)
        network_merge_group<1>(network_array<K, I>(a), i, stride, a.count,
                               network_descends(i, log_size, a.count));
}

#define NETWORK_KERNELS(code_bits, code, index_bits, index)                                        \
    KERNEL(network_tile_##code_bits##_##index_bits, NETWORK_MOST_THREADS)                          \
    (items a, network_range range, const uint32_t *wanted)                                         \
    {                                                                                              \
        SHARED_DYNAMIC(shared, unsigned char);                                                     \
        if (wanted && *wanted == 0)                                                                \
            return;                                                                                \
        network_tile<code, index>(a, range, shared);                                               \
    }                                                                                              \
    KERNEL_EXPORT(network_tile_##code_bits##_##index_bits);                                        \
    KERNEL(network_group_##code_bits##_##index_bits, NETWORK_GROUP_THREADS)                        \
    (items a, uint32_t log_size, uint32_t log_stride, uint32_t levels, const uint32_t *wanted)     \
    {                                                                                              \
        if (wanted && *wanted == 0)                                                                \
            return;                                                                                \
        if (levels == 3)                                                                           \
            network_group<3, code, index>(a, log_size, log_stride);                                \
        else if (levels == 2)                                                                      \
            network_group<2, code, index>(a, log_size, log_stride);                                \
        else                                                                                       \
            network_group<1, code, index>(a, log_size, log_stride);                                \
    }                                                                                              \
    KERNEL_EXPORT(network_group_##code_bits##_##index_bits);                                       \
    KERNEL(network_step_##code_bits##_##index_bits, NETWORK_MOST_THREADS)                          \
    (items a, uint32_t log_size, uint32_t log_stride)                                              \
    {                                                                                              \
        network_step<code, index>(a, log_size, log_stride);                                        \
    }                                                                                              \
    KERNEL_EXPORT(network_step_##code_bits##_##index_bits);
ITEMS_KINDS(NETWORK_KERNELS)
