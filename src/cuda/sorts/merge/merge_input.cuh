/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a tile's codes. */
#ifndef CONSORT_MERGE_INPUT_CUH
#define CONSORT_MERGE_INPUT_CUH

#include "cuda/sorts/merge/merge_keys.cuh"
#include "cuda/sorts/merge/merge_values.cuh"

/* Item j of the tile: from_a[j] for the first `a_items`, then from_b[j]. Places beyond the end get
 * the highest code: no code goes behind them. Full tiles carry no tests of that. */
template <typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
merge_load_tile(const merge_keys<K> &keys, const K *from_a, const K *from_b, uint32_t a_items,
                uint32_t filled, typename merge_keys<K>::word (&code)[Items])
{
    if (filled == Threads * Items) {
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = merge_output<Threads>(i);
            code[i] = j < a_items ? from_a[j] : from_b[j];
        }
    } else {
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = merge_output<Threads>(i);
            code[i] = 0;
            if (j < filled)
                code[i] = j < a_items ? from_a[j] : from_b[j];
        }
    }
    if (keys.transforms()) {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            code[i] = keys.compared((K)code[i]);
    }
    if (filled == Threads * Items)
        return;
#pragma unroll
    for (unsigned i = 0; i < Items; i++)
        if (merge_output<Threads>(i) >= filled)
            code[i] = keys.highest();
}

#endif
