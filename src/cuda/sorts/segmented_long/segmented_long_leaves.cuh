/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves of keys alone that take a block, finished as `msd` finishes its own: equal keys are the
 * same bits, so that their order is free. */
#ifndef CONSORT_SEGMENTED_LONG_LEAVES_CUH
#define CONSORT_SEGMENTED_LONG_LEAVES_CUH

#include "cuda/sorts/msd/msd_worded.cuh"
#include "cuda/sorts/segmented/segmented_lists.cuh"

/* All of class `c`. The next leaf's keys are on their way while one is finished. */
template <typename Local>
static __device__ __forceinline__ void segmented_long_leaves(const segmented_arguments &a, int c,
                                                             typename Local::storage &s)
{
    using key_type = typename Local::key_type;
    if (segmented_refused(a))
        return;
    const uint64_t leaves = a.control->leaf_count[c];
    uint64_t at = blockIdx.x;
    if (at >= leaves)
        return;
    Local local(a.codec, s);
    uint64_t next = segmented_get(a, c, at);
    const auto fetch = [&] {
        const key_type *from = (const key_type *)a.keys[segmented_leaf_buffer(next)];
        local.fetch(from + segmented_leaf_start(next), segmented_leaf_length(next));
    };
    fetch();
    for (bool more = true; more;) {
        const uint64_t leaf = next;
        at += gridDim.x;
        more = at < leaves;
        if (more)
            next = segmented_get(a, c, at);
        local.count = segmented_leaf_length(leaf);
        if (segmented_leaf_buffer(leaf) == 0)
            local.encode();
        msd_sort_leaf(local, (key_type *)a.keys_out + segmented_leaf_start(leaf), [&] {
            if (more)
                fetch();
        });
    }
}

#endif
