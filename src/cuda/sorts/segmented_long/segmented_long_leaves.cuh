/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves of keys alone that take a block, finished as `msd` finishes its own: equal keys are the
 * same bits, so that their order is free. */
#ifndef CONSORT_SEGMENTED_LONG_LEAVES_CUH
#define CONSORT_SEGMENTED_LONG_LEAVES_CUH

#include "cuda/sorts/msd/msd_worded.cuh"
#include "cuda/sorts/segmented/segmented_parts.cuh"

/* The range of a leaf's codes, for all threads. Words of 32 bits need no shuffles. */
template <typename Local, typename K>
static __device__ __forceinline__ code_range<K> segmented_long_range(Local &local)
{
    if constexpr (sizeof(K) > 4) {
        return local.range_of_keys();
    } else {
        constexpr unsigned threads = Local::keys / Local::items;
        code_range<K> range;
        range.clear();
#pragma unroll
        for (unsigned i = 0; i < Local::items; i++)
            if (i * threads + threadIdx.x < local.count)
                range.add(local.code[i]);
        range.low = __reduce_min_sync(0xffffffffu, range.low);
        range.high = __reduce_max_sync(0xffffffffu, range.high);
        if (threadIdx.x % 32 == 0)
            local.s.ranges[threadIdx.x / 32] = range;
        __syncthreads();
        range = local.s.ranges[threadIdx.x % Local::warps];
        range.low = __reduce_min_sync(0xffffffffu, range.low);
        range.high = __reduce_max_sync(0xffffffffu, range.high);
        return range;
    }
}

/* Writes a leaf in order. `fetch_next` is called once, when its keys have left the registers. */
template <typename Local, typename K, typename Fetch>
static __device__ __forceinline__ void segmented_long_sort(Local &local, K *to,
                                                           const Fetch &fetch_next)
{
    const code_range<K> range = segmented_long_range<Local, K>(local);
    if (range.low == range.high) {
        fetch_next();
        local.write_equal(to, range.low);
    } else {
        local.sort_within(range.low, code_bit_length((K)(range.high - range.low)), to, fetch_next);
    }
    __syncthreads();
}

/* All of class `c`. The next leaf's keys are on their way while one is finished. */
template <typename Local>
static __device__ __forceinline__ void segmented_long_leaves(const segmented_arguments &a, int c,
                                                             segmented_chain &chain,
                                                             typename Local::storage &s)
{
    using key_type = typename Local::key_type;
    const uint32_t count = (uint32_t)a.control->leaf_count[c];
    if (segmented_idle(a, (uint64_t)count + segmented_part_count(a, c)))
        return;
    if (threadIdx.x == 0)
        chain.begin(a, c, blockIdx.x);
    __syncthreads();
    uint32_t at = blockIdx.x;
    uint64_t next;
    if (!segmented_block_word(a, c, at, count, chain, next))
        return;
    Local local(a.codec, s);
    const auto fetch = [&] {
        const key_type *from = (const key_type *)a.keys[segmented_leaf_buffer(next)];
        local.fetch(from + segmented_leaf_start(next), segmented_leaf_length(next));
    };
    fetch();
    for (bool more = true; more;) {
        const uint64_t leaf = next;
        at += gridDim.x;
        more = segmented_block_word(a, c, at, count, chain, next);
        local.count = segmented_leaf_length(leaf);
        if (segmented_leaf_buffer(leaf) == 0)
            local.encode();
        segmented_long_sort(local, (key_type *)a.keys_out + segmented_leaf_start(leaf), [&] {
            if (more)
                fetch();
        });
    }
}

#endif
