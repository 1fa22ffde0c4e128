/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `hybrid`, beside those of `lsd`; the host side is hybrid.c. */
#include "cuda/device/key_class.cuh"
#include "cuda/sorts/hybrid/hybrid_alone.cuh"
#include "cuda/sorts/hybrid/hybrid_count.cuh"
#include "cuda/sorts/hybrid/hybrid_leaf.cuh"

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
