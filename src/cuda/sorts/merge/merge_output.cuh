/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a tile whose items stand in shared memory in their final order. */
#ifndef CONSORT_MERGE_OUTPUT_CUH
#define CONSORT_MERGE_OUTPUT_CUH

#include "cuda/device/block_merge.cuh"
#include "cuda/sorts/merge/merge_keys.cuh"
#include "cuda/sorts/merge/merge_values.cuh"

/* Full tiles carry no tests. */
template <typename K, typename Block>
static __device__ __forceinline__ void merge_store_keys(const merge_arguments &a,
                                                        const Block &block, K *out, uint32_t filled)
{
    constexpr unsigned threads = Block::threads, items = Block::keys / threads;
    const merge_keys<K> keys(a);
    const merge_outputs<threads> of_tile(filled);
    typename merge_keys<K>::word code[items];
    out += threadIdx.x;
#pragma unroll
    for (unsigned i = 0; i < items; i++)
        code[i] = block.code(merge_output<threads>(i));
    if (a.decode)
        keys.codec.decode_all(code);
    if (filled == Block::keys) {
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            out[i * threads] = (K)code[i];
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < items; i++)
        if (of_tile.has(i))
            out[i * threads] = (K)code[i];
}

template <typename K, typename Block, typename Window>
static __device__ __forceinline__ void
merge_gather_keys(const merge_arguments &a, const Block &block, K *out, const Window &window)
{
    const merge_keys<K> keys(a);
    for (uint32_t j = threadIdx.x; j < window.filled; j += Block::threads) {
        const uint32_t place = block.place(j);
        const K *in = (const K *)a.keys[window.in_b(place)];
        out[j] = keys.moved(in[window.index(place)]);
    }
}

/* Each branch computes its own address on purpose. Chosen before them (keys_out ? ... : nullptr)
 * it was, by ptxas 13.0.88, a zero (CS2R) under a predicated IMAD.WIDE, read five cycles after the
 * zero, where arithmetic elsewhere waits for six: on an H200 a warp of merge_tile_16_1 took what
 * the register had held for an address, and an argsort wrote keys to address 0. */
template <typename K, bool Placed, typename Block, typename Window>
static __device__ __forceinline__ void merge_store_tile(const merge_arguments &a,
                                                        const Block &block, const Window &window)
{
    if (Placed && a.equal_floats && a.keys_out)
        merge_gather_keys(a, block, (K *)a.keys_out + window.out_first, window);
    else if (a.keys_out)
        merge_store_keys(a, block, (K *)a.keys_out + window.out_first, window.filled);
    if constexpr (Placed)
        merge_store_values(a, block, window);
    if (a.outcome && blockIdx.x == 0 && threadIdx.x == 0) {
        ((int32_t *)a.outcome)[0] = 0; /* CONSORT_OK */
        ((int32_t *)a.outcome)[1] = a.buffer;
    }
}

#endif
