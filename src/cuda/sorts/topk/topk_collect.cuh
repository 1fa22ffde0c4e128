/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collecting the candidates: one read that keeps every code up to a threshold. Where the threshold
 * itself is a crowd, only the codes below it are kept and the crowd is counted, block by block, so
 * that as many of it as are missing can be taken by lowest position in a second read, which ends
 * when they are found.
 */
#ifndef CONSORT_TOPK_COLLECT_CUH
#define CONSORT_TOPK_COLLECT_CUH

#include "cuda/sorts/topk/topk_threshold.cuh"

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
            if (b.a.ties_matter)
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
        ties += valid && code == threshold.code;
        put(valid && threshold.takes(code), code, position);
    }

    __device__ __forceinline__ void word(const topk_source<K> &source, bool valid, uint4 word,
                                         uint64_t position)
    {
        K codes[key_array<K>::per_word];
        source.codes_of(word, codes);
        bool some = false;
        if (threshold.crowded) {
            uint32_t equal = 0;
#pragma unroll
            for (unsigned i = 0; i < key_array<K>::per_word; i++) {
                some |= codes[i] < threshold.code;
                equal += codes[i] == threshold.code;
            }
            ties += valid ? equal : 0;
        } else {
#pragma unroll
            for (unsigned i = 0; i < key_array<K>::per_word; i++)
                some |= codes[i] <= threshold.code;
        }
        if (!__any_sync(0xffffffffu, valid && some))
            return;
#pragma unroll
        for (unsigned i = 0; i < key_array<K>::per_word; i++)
            put(valid && threshold.takes(codes[i]), codes[i], position + i);
    }
};

/* Takes the first of the equal codes of this block's share, in the order of positions: a thread
 * looks at neighbouring words, or at single keys. */
template <typename K, typename I> struct topk_tie_taker {
    topk_block<K, I> &b;
    const topk_source<K> &source;
    const K code;
    uint64_t at, end; /* where they go */

    __device__ __forceinline__ void put(uint64_t &place, uint64_t position)
    {
        if (place < end) {
            b.codes(0)[place] = code;
            if (b.a.ties_matter)
                b.positions(0)[place] = (I)position;
        }
        place++;
    }

    /* Where this thread's part of a tile's equal codes goes. */
    __device__ __forceinline__ uint64_t place_of(uint64_t mine)
    {
        uint64_t total;
        const uint64_t place = at + block_exclusive_sum<TOPK_WARPS>(mine, b.s.warp_sums, &total);
        at += total;
        return place;
    }

    __device__ __forceinline__ void singles(uint64_t first, uint64_t last)
    {
        for (; first < last && at < end; first += TOPK_THREADS) {
            const uint64_t i = first + threadIdx.x;
            const bool equal = i < last && source.code(i) == code;
            uint64_t place = place_of(equal);
            if (equal)
                put(place, i);
        }
    }

    /* One bit for each key of the word that is equal. */
    __device__ __forceinline__ uint32_t equal_keys(uint64_t word, uint64_t last) const
    {
        K codes[key_array<K>::per_word];
        source.codes_of(source.word(word < last ? word : last - 1), codes);
        uint32_t equal = 0;
#pragma unroll
        for (unsigned i = 0; i < key_array<K>::per_word; i++)
            equal |= (uint32_t)(word < last && codes[i] == code) << i;
        return equal;
    }

    __device__ __forceinline__ void words(uint64_t first, uint64_t last)
    {
        for (; first < last && at < end; first += TOPK_THREADS * TOPK_UNROLL) {
            const uint64_t mine = first + (uint64_t)threadIdx.x * TOPK_UNROLL;
            uint32_t equal[TOPK_UNROLL], count = 0;
#pragma unroll
            for (unsigned w = 0; w < TOPK_UNROLL; w++) {
                equal[w] = equal_keys(mine + w, last);
                count += (uint32_t)__popc(equal[w]);
            }
            uint64_t place = place_of(count);
#pragma unroll
            for (unsigned w = 0; w < TOPK_UNROLL; w++)
                for (uint32_t left = equal[w]; left; left &= left - 1)
                    put(place,
                        source.keys.first_of_word(mine + w) + (uint32_t)__ffs((int)left) - 1);
        }
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
    taker.singles(share.head, share.head_end);
    taker.words(share.word, share.word_end);
    taker.singles(share.tail, share.tail_end);
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
    b.visit(source, collector, threshold.crowded);
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
