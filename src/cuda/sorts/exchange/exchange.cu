/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `exchange`: counting, drawing and moving, by key width and value class; the host
 * side is multi/exchange/. */
#include "cuda/device/key_class.cuh"
#include "cuda/sorts/exchange/exchange_count.cuh"
#include "cuda/sorts/exchange/exchange_tile.cuh"

#define EXCHANGE_COUNT(bits)                                                                       \
    KERNEL(exchange_count_##bits, EXCHANGE_COUNT_THREADS)                                          \
    (const __grid_constant__ exchange_count arguments)                                             \
    {                                                                                              \
        SHARED(storage, exchange_count_storage<key_class<bits>::type>);                            \
        SHARED_DYNAMIC(bins, uint32_t);                                                            \
        exchange_count_keys<key_class<bits>::type>(arguments, storage, bins);                      \
    }                                                                                              \
    KERNEL_EXPORT(exchange_count_##bits);                                                          \
    KERNEL(exchange_sample_##bits, EXCHANGE_COUNT_THREADS)                                         \
    (const __grid_constant__ exchange_sample arguments)                                            \
    {                                                                                              \
        exchange_take_sample<key_class<bits>::type>(arguments);                                    \
    }                                                                                              \
    KERNEL_EXPORT(exchange_sample_##bits);
EXCHANGE_COUNT(8)
EXCHANGE_COUNT(16)
EXCHANGE_COUNT(32)
EXCHANGE_COUNT(64)
EXCHANGE_COUNT(128)

#define EXCHANGE_MOVE(name, tile, threads, blocks, stable)                                         \
    KERNEL(name, threads, blocks)(const __grid_constant__ exchange_move arguments)                 \
    {                                                                                              \
        SHARED_DYNAMIC(storage, tile::storage);                                                    \
        exchange_move_tiles<tile, stable>(arguments, *storage);                                    \
    }                                                                                              \
    KERNEL_EXPORT(name);

#define EXCHANGE_TILE(bits, value_bytes, threads, items, blocks)                                   \
    using exchange_tile_##bits##_##value_bytes =                                                   \
        exchange_tile<key_class<bits>::type, value_bytes, threads, items>;                         \
    static_assert(sizeof(exchange_tile_##bits##_##value_bytes::storage) ==                         \
                      exchange_move_bytes(bits / 8, value_bytes, threads, items),                  \
                  "the host asks for what the tile needs");
EXCHANGE_SHAPES(EXCHANGE_TILE)

#define EXCHANGE_STABLE(bits, value_bytes, threads, items, blocks)                                 \
    EXCHANGE_MOVE(exchange_move_##bits##_##value_bytes, exchange_tile_##bits##_##value_bytes,      \
                  threads, blocks, true)
EXCHANGE_STABLE_SHAPES(EXCHANGE_STABLE)

/* Of keys alone that are the same bits where they are equal. */
#define EXCHANGE_FREE(bits)                                                                        \
    EXCHANGE_MOVE(exchange_free_##bits, exchange_tile_##bits##_0, 512, 2, false)
EXCHANGE_FREE(8)
EXCHANGE_FREE(16)
EXCHANGE_FREE(32)
EXCHANGE_FREE(64)
EXCHANGE_FREE(128)
