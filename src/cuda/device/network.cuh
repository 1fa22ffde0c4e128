/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of sorting networks over items in device or shared memory (device/item.cuh).
 *
 * Bitonic networks for any length: blocks of a size S sort in turn descending and ascending, except
 * that the last block always ascends. Then missing items behave like items greater than all others:
 * an ascending step never brings one forward, and a descending block is always whole. (After
 * K. E. Batcher, "Sorting networks and their applications", AFIPS 1968, and H. W. Lang's form of it
 * for lengths that are no powers of two.)
 */
#ifndef CONSORT_CUDA_NETWORK_CUH
#define CONSORT_CUDA_NETWORK_CUH

#include "cuda/device/item.cuh"

template <typename Item>
static __device__ __forceinline__ void network_exchange(Item &first, Item &second)
{
    const bool swap = second.before(first);
    const Item low = swap ? second : first;
    second = swap ? first : second;
    first = low;
}

/* All ones if the block of 2^log_size items around `position` sorts descending, else 0. */
static __device__ __forceinline__ uint32_t network_descends(uint64_t position, uint32_t log_size,
                                                            uint64_t count)
{
    const uint64_t block = position >> log_size, last = (count - 1) >> log_size;
    return block % 2 == 0 && block != last ? 0xffffffffu : 0;
}

/*
 * `Levels` successive bitonic steps in registers: of the 2^Levels items at first + j · stride,
 * steps of 2^(Levels − 1) strides down to one. Items at `left` and beyond are missing.
 */
template <unsigned Levels, typename Array>
static __device__ __forceinline__ void network_merge_group(const Array &items, uint64_t first,
                                                           uint64_t stride, uint64_t left,
                                                           uint32_t descends)
{
    constexpr unsigned size = 1u << Levels;
    typename Array::type x[size];
#pragma unroll
    for (unsigned j = 0; j < size; j++) {
        x[j] = Array::type::highest();
        if (first + j * stride < left) {
            x[j] = items.load(first + j * stride);
            x[j].flip(descends);
        }
    }
#pragma unroll
    for (unsigned step = size / 2; step > 0; step /= 2)
#pragma unroll
        for (unsigned j = 0; j < size; j++)
            if ((j & step) == 0)
                network_exchange(x[j], x[j + step]);
#pragma unroll
    for (unsigned j = 0; j < size; j++) {
        if (first + j * stride < left) {
            x[j].flip(descends);
            items.store(first + j * stride, x[j]);
        }
    }
}

/* The first item of group `group` when groups take items 2^log_stride apart. */
template <unsigned Levels>
static __device__ __forceinline__ uint64_t network_group_start(uint64_t group, uint32_t log_stride)
{
    const uint64_t low = group & (((uint64_t)1 << log_stride) - 1);
    return (group >> log_stride << (log_stride + Levels)) + low;
}

/*
 * A block's threads take the tile of 2^log_tile items, `filled` of them there, that begins at
 * `tile_first` of all `count`, through the bitonic steps of strides 2^(log_strides − 1) … 1 that
 * belong to blocks of 2^log_size items. Ends with a barrier.
 */
template <unsigned Levels, typename Array>
static __device__ __forceinline__ void
network_merge_tile_levels(const Array &tile, uint32_t log_tile, uint32_t filled,
                          uint64_t tile_first, uint64_t count, uint32_t log_size,
                          uint32_t log_stride)
{
    for (uint32_t group = threadIdx.x; group < 1u << (log_tile - Levels); group += blockDim.x) {
        const uint32_t first = (uint32_t)network_group_start<Levels>(group, log_stride);
        if (first < filled)
            network_merge_group<Levels>(tile, first, 1u << log_stride, filled,
                                        network_descends(tile_first + first, log_size, count));
    }
    __syncthreads();
}

template <typename Array>
static __device__ __forceinline__ void
network_merge_tile(const Array &tile, uint32_t log_tile, uint32_t filled, uint64_t tile_first,
                   uint64_t count, uint32_t log_size, uint32_t log_strides)
{
    for (uint32_t left = log_strides; left > 0;) {
        const uint32_t levels = left < 3 ? left : 3;
        left -= levels;
        if (levels == 3)
            network_merge_tile_levels<3>(tile, log_tile, filled, tile_first, count, log_size, left);
        else if (levels == 2)
            network_merge_tile_levels<2>(tile, log_tile, filled, tile_first, count, log_size, left);
        else
            network_merge_tile_levels<1>(tile, log_tile, filled, tile_first, count, log_size, left);
    }
}

/* Moves a tile between device memory and shared memory; the caller puts the barrier. */
template <typename From, typename To>
static __device__ __forceinline__ void network_copy(const From &from, uint64_t from_first,
                                                    const To &to, uint64_t to_first,
                                                    uint32_t filled)
{
    for (uint32_t i = threadIdx.x; i < filled; i += blockDim.x)
        to.store(to_first + i, from.load(from_first + i));
}

#endif
