/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of `heap-bitonic`: every thread heap-sorts a chunk in shared memory (J. W. J.
 * Williams and R. W. Floyd, CACM 7, 1964). Chunks that descend are sorted complemented, so that one
 * max-heap does for both; the host side, with the merges that follow, is heap_bitonic.c.
 */
#include "cuda/device/network.cuh"
#include "cuda/sorts/heap_bitonic/heap_bitonic_layout.h"
#include "cuda/sorts/items/items_kinds.h"

/* Moves the item at `root` down the heap of `size` items until no child comes after it. */
template <typename Tile>
static __device__ __forceinline__ void heap_sift(const Tile &tile, uint32_t first, uint32_t root,
                                                 uint32_t size)
{
    const typename Tile::type moved = tile.load(first + root);
    for (;;) {
        uint32_t child = 2 * root + 1;
        if (child >= size)
            break;
        typename Tile::type greater = tile.load(first + child);
        if (child + 1 < size) {
            const typename Tile::type right = tile.load(first + child + 1);
            if (greater.before(right)) {
                greater = right;
                child++;
            }
        }
        if (!moved.before(greater))
            break;
        tile.store(first + root, greater);
        root = child;
    }
    tile.store(first + root, moved);
}

template <typename Tile>
static __device__ __forceinline__ void heap_sort(const Tile &tile, uint32_t first, uint32_t size)
{
    for (uint32_t root = size / 2; root-- > 0;)
        heap_sift(tile, first, root, size);
    for (uint32_t left = size; left-- > 1;) {
        const typename Tile::type greatest = tile.load(first);
        tile.store(first, tile.load(first + left));
        tile.store(first + left, greatest);
        heap_sift(tile, first, 0, left);
    }
}

/* Loads or stores a tile, complementing the items of chunks that descend. */
template <typename From, typename To>
static __device__ __forceinline__ void
heap_move(const From &from, uint64_t from_first, const To &to, uint64_t to_first, uint32_t filled,
          uint64_t tile_first, uint64_t count, uint32_t log_chunk)
{
    for (uint32_t i = threadIdx.x; i < filled; i += blockDim.x) {
        typename From::type x = from.load(from_first + i);
        x.flip(network_descends(tile_first + i, log_chunk, count));
        to.store(to_first + i, x);
    }
}

template <typename K, typename I>
static __device__ __forceinline__ void heap_chunks(const items &a, uint32_t log_chunk,
                                                   unsigned char *shared)
{
    const uint32_t size = 1u << HEAP_BITONIC_LOG_TILE, chunk = 1u << log_chunk;
    const uint64_t tile_first = (uint64_t)blockIdx.x << HEAP_BITONIC_LOG_TILE;
    const uint32_t filled = a.count - tile_first < size ? (uint32_t)(a.count - tile_first) : size;
    const item_array<K, I> array{(K *)a.codes, (I *)a.indices};
    const padded_item_array<K, I> tile(shared, size);
    heap_move(array, tile_first, tile, 0, filled, tile_first, a.count, log_chunk);
    __syncthreads();
    const uint32_t first = threadIdx.x << log_chunk;
    if (first < filled)
        heap_sort(tile, first, filled - first < chunk ? filled - first : chunk);
    __syncthreads();
    heap_move(tile, 0, array, tile_first, filled, tile_first, a.count, log_chunk);
}

#define HEAP_KERNEL(code_bits, code, index_bits, index)                                            \
    KERNEL(heap_chunks_##code_bits##_##index_bits, HEAP_BITONIC_MOST_THREADS)                      \
    (items a, uint32_t log_chunk)                                                                  \
    {                                                                                              \
        SHARED_DYNAMIC(shared, unsigned char);                                                     \
        heap_chunks<code, index>(a, log_chunk, shared);                                            \
    }                                                                                              \
    KERNEL_EXPORT(heap_chunks_##code_bits##_##index_bits);
ITEMS_KINDS(HEAP_KERNEL)
