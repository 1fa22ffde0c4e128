/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of what was split too often: the whole grid sorts it by a bitonic network in device
 * memory, eight items of a thread in registers at a time. O(n log² n) whatever the data.
 */
#ifndef CONSORT_SPLIT_NETWORK_CUH
#define CONSORT_SPLIT_NETWORK_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/device/network.cuh"
#include "cuda/sorts/split/split_batch.cuh"

/* `Levels` steps of the whole grid, down to the stride 2^log_stride. */
template <unsigned Levels, typename Array>
static __device__ __forceinline__ void split_network_steps(const Array &array, uint64_t count,
                                                           uint32_t log_size, uint32_t log_stride)
{
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t group = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;; group += threads) {
        const uint64_t first = network_group_start<Levels>(group, log_stride);
        if (first - (first & (((uint64_t)1 << log_stride) - 1)) >= count)
            return;
        if (first < count)
            network_merge_group<Levels>(array, first, (uint64_t)1 << log_stride, count,
                                        network_descends(first, log_size, count));
    }
}

template <typename Array>
static __device__ __forceinline__ void split_network_sort(const Array &array, uint64_t count,
                                                          uint32_t *arrivals)
{
    for (uint32_t log_size = 1; log_size == 1 || (uint64_t)1 << (log_size - 1) < count; log_size++)
        for (uint32_t left = log_size; left > 0;) {
            const uint32_t levels = left < 3 ? left : 3;
            left -= levels;
            if (levels == 3)
                split_network_steps<3>(array, count, log_size, left);
            else if (levels == 2)
                split_network_steps<2>(array, count, log_size, left);
            else
                split_network_steps<1>(array, count, log_size, left);
            grid_barrier(arrivals);
        }
}

/* Every block of the grid. */
template <typename K, typename I>
static __device__ __forceinline__ void split_finish_stuck(const split_arguments &a)
{
    const uint32_t stuck = a.control->stuck;
    for (uint32_t i = 0; i < stuck; i++) {
        const split_segment segment = a.stuck[i];
        item_array<K, I> array = split_array<K, I>(a, 0);
        array.codes += segment.begin;
        if constexpr (!split_word<K, I>::alone)
            array.indices += segment.begin;
        const item_array<K, I> from = split_array<K, I>(a, segment.state & SPLIT_SPARE);
        if (segment.state & SPLIT_SPARE)
            for (uint64_t j = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; j < segment.count;
                 j += (uint64_t)gridDim.x * blockDim.x)
                array.store(j, from.load(segment.begin + j));
        grid_barrier(&a.control->arrivals);
        split_network_sort(array, segment.count, &a.control->arrivals);
    }
}

#endif
