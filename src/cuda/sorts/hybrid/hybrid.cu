/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `hybrid`, beside those of `lsd`; the host side is hybrid.c. */
#include "cuda/device/early_launch.cuh"
#include "cuda/device/key_class.cuh"
#include "cuda/sorts/hybrid/hybrid_alone.cuh"
#include "cuda/sorts/hybrid/hybrid_count.cuh"
#include "cuda/sorts/hybrid/hybrid_groups.cuh"
#include "cuda/sorts/hybrid/hybrid_halves.cuh"
#include "cuda/sorts/hybrid/hybrid_leaf.cuh"
#include "cuda/sorts/hybrid/hybrid_uneven.cuh"
#include "cuda/sorts/hybrid/hybrid_wide.cuh"

#define HYBRID_COUNT(bits)                                                                         \
    KERNEL(hybrid_count_##bits, HYBRID_COUNT_THREADS, 1)                                           \
    (const __grid_constant__ hybrid_arguments arguments)                                           \
    {                                                                                              \
        SHARED_DYNAMIC(storage, hybrid_count_storage);                                             \
        hybrid_count<key_class<bits>::type>(arguments, *storage);                                  \
    }                                                                                              \
    KERNEL_EXPORT(hybrid_count_##bits);
HYBRID_COUNT(32)
HYBRID_COUNT(64)
HYBRID_COUNT(128)

using hybrid_ahead_tile = lsd_tile<uint32_t, 16, HYBRID_PASS_THREADS, HYBRID_PASS_ITEMS, true>;
static_assert(sizeof(hybrid_ahead_tile::storage) ==
                  lsd_ahead_bytes(4, 16, HYBRID_PASS_THREADS, HYBRID_PASS_ITEMS),
              "the host asks for what the tile needs");
KERNEL(hybrid_pass_32_16, HYBRID_PASS_THREADS, 2)
(const __grid_constant__ lsd_arguments arguments, uint32_t pass, uint32_t portion,
 uint32_t portions)
{
    SHARED_DYNAMIC(storage, hybrid_ahead_tile::storage);
    early_launch_wait();
    lsd_pass<uint32_t, 16, HYBRID_PASS_THREADS, HYBRID_PASS_ITEMS, lsd_words<LSD_WINDOW>, true>(
        arguments, pass, portion, portions, *storage);
}
KERNEL_EXPORT(hybrid_pass_32_16);

KERNEL(hybrid_wide_32_4, HYBRID_WIDE_THREADS, 1)
(const __grid_constant__ hybrid_arguments arguments)
{
    SHARED_DYNAMIC(storage, hybrid_wide_tile::storage);
    early_launch_wait();
    hybrid_wide_pass(arguments, *storage);
}
KERNEL_EXPORT(hybrid_wide_32_4);

using hybrid_index_tile =
    lsd_tile<uint32_t, 4, HYBRID_INDEX_THREADS, HYBRID_INDEX_ITEMS, false, true>;
static_assert(sizeof(hybrid_index_tile::storage) ==
                  lsd_shared_bytes(4, 4, HYBRID_INDEX_THREADS, HYBRID_INDEX_ITEMS),
              "the host asks for what the tile needs");
KERNEL(hybrid_pass_32_4, HYBRID_INDEX_THREADS, 2)
(const __grid_constant__ lsd_arguments arguments, uint32_t pass, uint32_t portion,
 uint32_t portions)
{
    SHARED_DYNAMIC(storage, hybrid_index_tile::storage);
    early_launch_wait();
    lsd_pass<uint32_t, 4, HYBRID_INDEX_THREADS, HYBRID_INDEX_ITEMS, lsd_words<LSD_WINDOW>, false,
             true>(arguments, pass, portion, portions, *storage);
}
KERNEL_EXPORT(hybrid_pass_32_4);

KERNEL(hybrid_halves_32_4, HYBRID_HALF_THREADS, 3)
(const __grid_constant__ hybrid_arguments arguments)
{
    SHARED_DYNAMIC(storage, uint4);
    early_launch_wait();
    hybrid_sort_half_leaves<HYBRID_HALF_THREADS, HYBRID_HALF_ITEMS>(arguments, storage);
}
KERNEL_EXPORT(hybrid_halves_32_4);

#define HYBRID_LEAVES(bits, value_bytes, threads, items, blocks)                                   \
    static_assert(                                                                                 \
        sizeof(hybrid_leaf<key_class<bits>::type, value_bytes, threads, items, true>::storage) <=  \
            hybrid_leaf_bytes(bits / 8, value_bytes, threads, items),                              \
        "the host asks for what the leaf needs");                                                  \
    static_assert(                                                                                 \
        sizeof(hybrid_leaf<key_class<bits>::type, value_bytes, threads, items, false>::storage) <= \
            hybrid_leaf_bytes(0, value_bytes, threads, items),                                     \
        "the same without keys");                                                                  \
    static_assert(threads * items >= HYBRID_LEAST_LEAF, "buckets fit on average");                 \
    KERNEL(hybrid_leaves_##bits##_##value_bytes, threads, blocks)                                  \
    (const __grid_constant__ hybrid_arguments arguments)                                           \
    {                                                                                              \
        SHARED_DYNAMIC(storage, uint4);                                                            \
        early_launch_wait();                                                                       \
        hybrid_sort_leaves<key_class<bits>::type, value_bytes, threads, items>(arguments,          \
                                                                               storage);           \
    }                                                                                              \
    KERNEL_EXPORT(hybrid_leaves_##bits##_##value_bytes);
HYBRID_SHAPES(HYBRID_LEAVES)

#define HYBRID_ALONE(bits, value_bytes, ...)                                                       \
    using hybrid_alone_of_##bits##_##value_bytes =                                                 \
        hybrid_alone<key_class<bits>::type, value_bytes, HYBRID_ALONE_THREADS,                     \
                     HYBRID_ALONE_ITEMS>;                                                          \
    static_assert(                                                                                 \
        sizeof(hybrid_alone_of_##bits##_##value_bytes::storage) <=                                 \
            hybrid_leaf_bytes(bits / 8, value_bytes, HYBRID_ALONE_THREADS, HYBRID_ALONE_ITEMS),    \
        "the host asks for what the block needs");                                                 \
    KERNEL(hybrid_alone_##bits##_##value_bytes, HYBRID_ALONE_THREADS, 1)                           \
    (const __grid_constant__ lsd_arguments arguments)                                              \
    {                                                                                              \
        SHARED_DYNAMIC(storage, hybrid_alone_of_##bits##_##value_bytes::storage);                  \
        hybrid_alone_of_##bits##_##value_bytes(arguments, *storage).sort();                        \
    }                                                                                              \
    KERNEL_EXPORT(hybrid_alone_##bits##_##value_bytes);
HYBRID_SHAPES(HYBRID_ALONE)

#define HYBRID_UNEVEN_KERNEL(name, words, bits, value_bytes, threads, items, blocks)               \
    KERNEL(name, threads, blocks)                                                                  \
    (const __grid_constant__ hybrid_arguments arguments)                                           \
    {                                                                                              \
        using key = key_class<bits>::type;                                                         \
        constexpr bool ahead = bits == 32 && value_bytes == 16;                                    \
        using tile = lsd_tile<key, value_bytes, threads, items, ahead>;                            \
        SHARED_DYNAMIC(storage, tile::storage);                                                    \
        early_launch_wait();                                                                       \
        hybrid_uneven_pass<key, value_bytes, threads, items, words, ahead>(arguments, *storage);   \
    }                                                                                              \
    KERNEL_EXPORT(name);

#define HYBRID_UNEVEN(bits, value_bytes, ...)                                                      \
    HYBRID_UNEVEN_KERNEL(hybrid_uneven_##bits##_##value_bytes, lsd_words<LSD_WINDOW>, bits,        \
                         value_bytes, __VA_ARGS__)
HYBRID_UNEVEN_SHAPES(HYBRID_UNEVEN)

#define HYBRID_SHORT(bits, value_bytes, threads, items, blocks, tiles, most_bits)                  \
    HYBRID_UNEVEN_KERNEL(hybrid_short_##bits##_##value_bytes, lsd_short_words<most_bits>, bits,    \
                         value_bytes, threads, items, blocks)
LSD_SHORT_SHAPES(HYBRID_SHORT)

#define HYBRID_ROUND(bits, value_bytes, ...)                                                       \
    HYBRID_UNEVEN_KERNEL(hybrid_round_##bits##_##value_bytes, lsd_words<LSD_WINDOW>, bits,         \
                         value_bytes, __VA_ARGS__)
HYBRID_ROUND_SHAPES(HYBRID_ROUND)

#define HYBRID_GROUPS(bits, value_bytes, blocks)                                                   \
    using hybrid_groups_of_##bits##_##value_bytes =                                                \
        hybrid_groups<key_class<bits>::type, value_bytes, HYBRID_GROUP_THREADS,                    \
                      HYBRID_GROUP_ITEMS>;                                                         \
    static_assert(                                                                                 \
        sizeof(hybrid_groups_of_##bits##_##value_bytes::storage) <=                                \
            hybrid_leaf_bytes(bits / 8, value_bytes, HYBRID_GROUP_THREADS, HYBRID_GROUP_ITEMS),    \
        "the host asks for what the chunk needs");                                                 \
    KERNEL(hybrid_groups_##bits##_##value_bytes, HYBRID_GROUP_THREADS, blocks)                     \
    (const __grid_constant__ hybrid_arguments arguments)                                           \
    {                                                                                              \
        SHARED_DYNAMIC(storage, hybrid_groups_of_##bits##_##value_bytes::storage);                 \
        hybrid_finish_groups<hybrid_groups_of_##bits##_##value_bytes>(arguments, *storage);        \
    }                                                                                              \
    KERNEL_EXPORT(hybrid_groups_##bits##_##value_bytes);
HYBRID_GROUP_SHAPES(HYBRID_GROUPS)
