/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collecting the candidates: one read that keeps every code up to a threshold. Where the threshold
 * itself is a crowd, only the codes below it are kept and the crowd is counted, block by block, so
 * that as many of it as are missing can be taken by lowest position in a second read, which ends
 * when they are found.
 */
#ifndef CONSORT_TOPK_COLLECT_CUH
#define CONSORT_TOPK_COLLECT_CUH

#include "cuda/sorts/topk/topk_block.cuh"

template <typename K> struct topk_threshold {
    K code;
    bool crowded; /* codes equal to it are counted, not collected */

    __device__ __forceinline__ bool takes(K other) const
    {
        return other <= code && !(crowded && other == code);
    }
};

/* A warp keeps what it finds in shared memory and writes it in lots, one atomic each. */
template <typename K, typename I> struct topk_collector {
    topk_block<K, I> &b;
    const topk_threshold<K> threshold;
    uint64_t *collected;
    uint64_t ties;
    uint32_t fill;

    __device__ __forceinline__ void flush()
    {
        const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        __syncwarp();
        uint64_t base = 0;
        if (lane == 0 && fill > 0)
            base = atomic_add_relaxed(collected, (uint64_t)fill);
        base = warp_from_lane(base, 0);
        for (uint32_t i = lane; i < fill && base + i < b.a.capacity; i += 32) {
            b.codes(0)[base + i] = b.s.staged.codes[warp][i];
            b.positions(0)[base + i] = b.s.staged.positions[warp][i];
        }
        __syncwarp();
        fill = 0;
    }

    __device__ __forceinline__ void put(bool wanted, K code, uint64_t position)
    {
        const uint32_t lanes = __ballot_sync(0xffffffffu, wanted);
        if (lanes == 0)
            return;
        if (wanted) {
            const uint32_t at = fill + (uint32_t)__popc(lanes & lanemask_lt());
            b.s.staged.codes[threadIdx.x / 32][at] = code;
            b.s.staged.positions[threadIdx.x / 32][at] = (I)position;
        }
        fill += (uint32_t)__popc(lanes);
        if (fill > TOPK_STAGE - 32)
            flush();
    }

    __device__ __forceinline__ void key(bool valid, K code, uint64_t position)
    {
        ties += valid && threshold.crowded && code == threshold.code;
        put(valid && threshold.takes(code), code, position);
    }

    __device__ __forceinline__ void word(const topk_source<K> &source, bool valid, uint4 word,
                                         uint64_t position)
    {
        bool some = false;
#pragma unroll
        for (unsigned i = 0; i < key_array<K>::per_word; i++)
            some |= source.codec.encode(key_array<K>::key_of(word, i)) <= threshold.code;
        if (!__any_sync(0xffffffffu, valid && some))
            return;
#pragma unroll
        for (unsigned i = 0; i < key_array<K>::per_word; i++)
            key(valid, source.codec.encode(key_array<K>::key_of(word, i)), position + i);
    }
};

/* Takes the first of the equal codes of this block's share, in the order of positions. */
template <typename K, typename I> struct topk_tie_taker {
    topk_block<K, I> &b;
    const topk_source<K> &source;
    const K code;
    uint64_t at, end; /* where they go */

    __device__ __forceinline__ void tile(uint64_t first, uint32_t keys, uint64_t limit)
    {
        uint64_t mine = 0, total;
        for (uint32_t i = 0; i < keys && first + i < limit; i++)
            mine += source.code(first + i) == code;
        uint64_t place = at + block_exclusive_sum<TOPK_WARPS>(mine, b.s.warp_sums, &total);
        for (uint32_t i = 0; mine > 0 && i < keys && first + i < limit; i++) {
            if (source.code(first + i) != code)
                continue;
            if (place < end) {
                b.codes(0)[place] = code;
                b.positions(0)[place] = (I)(first + i);
            }
            place++;
        }
        at += total;
    }

    __device__ __forceinline__ void stretch(uint64_t first, uint64_t last, uint32_t keys)
    {
        for (; first < last && at < end; first += (uint64_t)TOPK_THREADS * keys)
            tile(first + (uint64_t)threadIdx.x * keys, keys, last);
    }
};

/* The number of equal codes in the shares of all blocks before this one, and of all. */
template <typename K, typename I>
static __device__ __forceinline__ void topk_count_ties(topk_block<K, I> &b, uint64_t *before,
                                                       uint64_t *all)
{
    uint64_t lower = 0, sum = 0;
    for (uint32_t i = threadIdx.x; i < b.team.blocks; i += TOPK_THREADS) {
        const uint64_t ties = load_relaxed(&b.a.ties[b.number * b.team.blocks + i]);
        lower += i < b.team.rank ? ties : 0;
        sum += ties;
    }
    block_exclusive_sum<TOPK_WARPS>(lower, b.s.warp_sums, before);
    block_exclusive_sum<TOPK_WARPS>(sum, b.s.warp_sums, all);
}

/* Fills the candidates from `collected` to `kept` with equal codes. Ends with a barrier. */
template <typename K, typename I>
static __device__ __forceinline__ void topk_take_ties(topk_block<K, I> &b,
                                                      const topk_source<K> &source, K code,
                                                      uint64_t collected, uint64_t before)
{
    const topk_share share(source.keys, b.team);
    topk_tie_taker<K, I> taker = {b, source, code, collected + before, b.a.kept};
    const uint64_t first = source.keys.first_of_word(share.word);
    const uint64_t last = source.keys.first_of_word(share.word_end);
    taker.stretch(share.head, share.head_end, 1);
    taker.stretch(first, last, key_array<K>::per_word);
    taker.stretch(share.tail, share.tail_end, 1);
    b.team.barrier();
}

/* Collects by a threshold. Returns how many candidates there are, the first `kept` of the row among
 * them, or 0 if the threshold was no good. */
template <typename K, typename I>
static __device__ __forceinline__ uint64_t topk_collect(topk_block<K, I> &b,
                                                        const topk_source<K> &source,
                                                        topk_threshold<K> threshold)
{
    topk_slot &slot = b.begin_phase();
    topk_collector<K, I> collector = {b, threshold, &slot.collected, 0, 0};
    __syncthreads(); /* the staging room held something else before */
    b.visit(source, collector);
    collector.flush();
    uint64_t mine;
    block_exclusive_sum<TOPK_WARPS>(collector.ties, b.s.warp_sums, &mine);
    if (threadIdx.x == 0)
        b.a.ties[blockIdx.x] = mine;
    b.team.barrier();
    const uint64_t collected = load_relaxed(&slot.collected);
    if (collected > b.a.capacity)
        return 0;
    if (collected >= b.a.kept)
        return collected;
    if (!threshold.crowded)
        return 0;
    uint64_t before, all;
    topk_count_ties(b, &before, &all);
    if (collected + all < b.a.kept)
        return 0;
    topk_take_ties(b, source, threshold.code, collected, before);
    return b.a.kept;
}

#endif
