/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a tile's codes. */
#ifndef CONSORT_MERGE_INPUT_CUH
#define CONSORT_MERGE_INPUT_CUH

#include "cuda/sorts/merge/merge_keys.cuh"
#include "cuda/sorts/merge/merge_values.cuh"

/* Item j of the tile: from_a[j] for the first `a_items`, then from_b[j]. Places beyond the end get
 * the highest code: no code goes behind them. Full tiles carry no tests of that. A thread's items
 * lie at fixed distances from its first in either list: told so, the compiler makes one addition an
 * item of what else are two addresses of 64 bits, from the arguments on. */
template <typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
merge_load_tile(const merge_keys<K> &keys, const K *from_a, const K *from_b, uint32_t a_items,
                uint32_t filled, typename merge_keys<K>::word (&code)[Items])
{
    const merge_outputs<Threads> of_a(a_items), of_tile(filled);
    from_a += threadIdx.x;
    from_b += threadIdx.x;
    if (filled == Threads * Items) {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            code[i] = (of_a.has(i) ? from_a : from_b)[i * Threads];
    } else {
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            code[i] = 0;
            if (of_tile.has(i))
                code[i] = (of_a.has(i) ? from_a : from_b)[i * Threads];
        }
    }
    if (keys.transforms())
        keys.compare_all(code);
    if (filled == Threads * Items)
        return;
#pragma unroll
    for (unsigned i = 0; i < Items; i++)
        if (!of_tile.has(i))
            code[i] = keys.highest();
}

#endif
