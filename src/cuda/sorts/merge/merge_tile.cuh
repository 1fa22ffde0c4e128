/* SPDX-License-Identifier: Apache-2.0 */
/* The first launch of a sort: every block sorts a tile. */
#ifndef CONSORT_MERGE_TILE_CUH
#define CONSORT_MERGE_TILE_CUH

#include "cuda/sorts/merge/merge_input.cuh"
#include "cuda/sorts/merge/merge_output.cuh"

template <typename K, bool Placed, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
merge_tile(const merge_arguments &a,
           typename block_merge<K, Placed, Threads, Items>::storage &storage)
{
    using block_type = block_merge<K, Placed, Threads, Items>;
    using placed = typename block_type::placed;
    const merge_keys<K> keys(a);
    block_type block(storage);
    const uint64_t first = (uint64_t)blockIdx.x * block_type::keys;
    const uint64_t left = a.count - first;
    const uint32_t filled = left < block_type::keys ? (uint32_t)left : block_type::keys;
    const merge_window window = {first, 0, first, filled, filled};
    const K *in = (const K *)a.keys[0] + first;
    typename block_type::word code[Items];
    typename block_type::item_type item[Items];

    merge_load_tile<K, Threads>(keys, in, in, filled, filled, code);
    if constexpr (Placed) {
        /* Places must rise from thread to thread. */
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            storage.codes[merge_output<Threads>(i)] = code[i];
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t place = threadIdx.x * Items + i;
            item[i] = placed::of(storage.codes[place], place);
        }
        __syncthreads();
    } else {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            item[i] = placed::of(code[i], 0);
    }
    block.sort(item);
    block.store(item);
    __syncthreads();
    merge_store_tile<K, Placed>(a, block, window);
}

#endif
