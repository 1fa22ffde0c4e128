/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of `odd-even-merge`: K. E. Batcher's odd-even merge network (AFIPS 1968). Every
 * comparator puts the lesser item first, so items beyond the end would never move: any length works
 * with the comparators left out that would reach there.
 */
#include "cuda/device/network.cuh"
#include "cuda/sorts/items/items_kinds.h"
#include "cuda/sorts/odd_even_merge/odd_even_merge_layout.h"

/*
 * Comparator number `pair` of a step: in blocks of 2^log_size items, those 2^log_stride apart. The
 * first step of a size compares halves; the others compare what lies across the borders of pieces
 * of two strides, of which a block's last has none. `left`: items there are.
 */
template <typename Array>
static __device__ __forceinline__ void odd_even_compare(const Array &array, uint64_t pair,
                                                        uint64_t left, uint32_t log_size,
                                                        uint32_t log_stride)
{
    const uint64_t stride = (uint64_t)1 << log_stride, size = (uint64_t)1 << log_size;
    uint64_t first = network_group_start<1>(pair, log_stride);
    if (log_stride + 1 < log_size) {
        first += stride;
        if ((first & (size - 1)) + stride >= size)
            return;
    }
    if (first + stride >= left)
        return;
    typename Array::type low = array.load(first), high = array.load(first + stride);
    if (high.before(low)) {
        array.store(first, high);
        array.store(first + stride, low);
    }
}

template <typename K, typename I>
static __device__ __forceinline__ void odd_even_tile(const items &a, unsigned char *shared)
{
    const uint32_t size = 1u << ODD_EVEN_MERGE_LOG_TILE;
    const uint64_t first = (uint64_t)blockIdx.x * size;
    const uint32_t filled = a.count - first < size ? (uint32_t)(a.count - first) : size;
    const item_array<K, I> array{(K *)a.codes, (I *)a.indices};
    const padded_item_array<K, I> tile(shared, size);
    network_copy(array, first, tile, 0, filled);
    __syncthreads();
    for (uint32_t log_size = 1; log_size <= ODD_EVEN_MERGE_LOG_TILE; log_size++)
        for (uint32_t log_stride = log_size; log_stride-- > 0;) {
            for (uint32_t pair = threadIdx.x; pair < size / 2; pair += blockDim.x)
                odd_even_compare(tile, pair, filled, log_size, log_stride);
            __syncthreads();
        }
    network_copy(tile, 0, array, first, filled);
}

#define ODD_EVEN_KERNELS(code_bits, code, index_bits, index)                                       \
    KERNEL(odd_even_tile_##code_bits##_##index_bits, ODD_EVEN_MERGE_THREADS)(items a)              \
    {                                                                                              \
        SHARED_DYNAMIC(shared, unsigned char);                                                     \
        odd_even_tile<code, index>(a, shared);                                                     \
    }                                                                                              \
    KERNEL_EXPORT(odd_even_tile_##code_bits##_##index_bits);                                       \
    KERNEL(odd_even_step_##code_bits##_##index_bits, ODD_EVEN_MERGE_THREADS)                       \
    (items a, uint32_t log_size, uint32_t log_stride)                                              \
    {                                                                                              \
        const item_array<code, index> array{(code *)a.codes, (index *)a.indices};                  \
        odd_even_compare(array, (uint64_t)blockIdx.x *blockDim.x + threadIdx.x, a.count, log_size, \
                         log_stride);                                                              \
    }                                                                                              \
    KERNEL_EXPORT(odd_even_step_##code_bits##_##index_bits);
ITEMS_KINDS(ODD_EVEN_KERNELS)
