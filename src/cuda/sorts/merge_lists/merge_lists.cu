/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `merge-lists`, for each key width. */
#include "cuda/device/key_class.cuh"
#include "cuda/sorts/merge_lists/merge_lists_block.cuh"
#include "cuda/sorts/merge_lists/merge_lists_cuts.cuh"

#define MERGE_LISTS_FIND(what, bits)                                                               \
    KERNEL(merge_lists_##what##_##bits, MERGE_LISTS_CUT_THREADS)                                   \
    (const __grid_constant__ merge_lists_arguments arguments)                                      \
    {                                                                                              \
        SHARED(found, merge_lists_found);                                                          \
        merge_lists_find_##what<key_class<bits>::type>(arguments, found);                          \
    }                                                                                              \
    KERNEL_EXPORT(merge_lists_##what##_##bits);

#define MERGE_LISTS_KERNELS(bits, blocks)                                                          \
    MERGE_LISTS_FIND(pivots, bits)                                                                 \
    MERGE_LISTS_FIND(cuts, bits)                                                                   \
    using merge_lists_storage_##bits = merge_lists_block<key_class<bits>::type>::storage;          \
    static_assert(sizeof(merge_lists_storage_##bits) == merge_lists_shared_bytes(bits / 8),        \
                  "the host asks for what the block needs");                                       \
    KERNEL(merge_lists_merge_##bits, MERGE_LISTS_THREADS, blocks)                                  \
    (const __grid_constant__ merge_lists_arguments arguments)                                      \
    {                                                                                              \
        SHARED_DYNAMIC(storage, merge_lists_storage_##bits);                                       \
        merge_lists_merge<key_class<bits>::type>(arguments, *storage);                             \
    }                                                                                              \
    KERNEL_EXPORT(merge_lists_merge_##bits);
MERGE_LISTS_KERNELS(8, 3)
MERGE_LISTS_KERNELS(16, 3)
MERGE_LISTS_KERNELS(32, 3)
MERGE_LISTS_KERNELS(64, 3)
MERGE_LISTS_KERNELS(128, 2)

KERNEL(merge_lists_lift_pivots, MERGE_LISTS_STRAIGHTEN_THREADS)
(const __grid_constant__ merge_lists_arguments l)
{
    merge_lists_lift(l.crossed_pivots, l.pivot_blocks, l.a_segments,
                     [&](uint64_t i) -> uint64_t & { return l.pivots[i]; });
}
KERNEL_EXPORT(merge_lists_lift_pivots);

KERNEL(merge_lists_lift_cuts, MERGE_LISTS_STRAIGHTEN_THREADS)
(const __grid_constant__ merge_lists_arguments l)
{
    merge_lists_lift(l.crossed_cuts, l.cut_blocks, l.a_segments + l.b_segments,
                     [&](uint64_t i) -> uint64_t & { return l.cuts[i].a; });
}
KERNEL_EXPORT(merge_lists_lift_cuts);
