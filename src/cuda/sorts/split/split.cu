/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels that all sorts by splitting end with; the host side is cuda_split.c. */
#include "cuda/sorts/items/items_kinds.h"
#include "cuda/sorts/split/split_leaf.cuh"

template <typename K, typename I> struct split_leaves {
    using shape = typename split_kind<K, I>::shape;
    using block_type =
        block_merge<typename split_kind<K, I>::word, false, shape::leaf_threads, shape::leaf_items>;
    using storage = typename block_type::storage;
    static_assert(sizeof(storage) <= split_leaf_bytes(sizeof(typename split_kind<K, I>::word),
                                                      shape::leaf_threads, shape::leaf_items),
                  "the host asks for what the kernels need");
};

#define SPLIT_KERNELS(code_bits, code, index_bits, index)                                          \
    using split_leaves_of_##code_bits##_##index_bits = split_leaves<code, index>;                  \
    KERNEL(split_leaves_##code_bits##_##index_bits,                                                \
           split_leaves_of_##code_bits##_##index_bits::shape::leaf_threads,                        \
           split_leaves_of_##code_bits##_##index_bits::shape::leaf_blocks)                         \
    (const __grid_constant__ split_arguments a)                                                    \
    {                                                                                              \
        SHARED_DYNAMIC(storage, split_leaves_of_##code_bits##_##index_bits::storage);              \
        SHARED(ticket, uint32_t);                                                                  \
        split_leaves_of_##code_bits##_##index_bits::block_type block(*storage);                    \
        split_sort_leaves<code, index>(a, block, &ticket);                                         \
    }                                                                                              \
    KERNEL_EXPORT(split_leaves_##code_bits##_##index_bits);
ITEMS_KINDS(SPLIT_KERNELS)

/* counters: levels, leaves, items that a network had to sort. */
KERNEL(split_tell, 1)(const split_control *control, uint64_t *counters)
{
    counters[0] = control->depth;
    counters[1] = control->leaves;
    counters[2] = control->fallback;
}
KERNEL_EXPORT(split_tell);
