/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all stages of a selection work with: the arguments, the team, the shared memory, the phases,
 * and a walk over the keys of this block's share of a row.
 *
 * Phases: a stage that tells the team something does so in a slot of the control block and ends
 * with a barrier. The slot after next is cleared meanwhile: everybody has passed the barrier behind
 * which it was read last.
 */
#ifndef CONSORT_TOPK_BLOCK_CUH
#define CONSORT_TOPK_BLOCK_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/block_team.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/key_array.cuh"
#include "cuda/device/warp_reduce.cuh"
#include "cuda/sorts/topk/topk_layout.h"

template <typename K, typename I> struct topk_shared {
    static constexpr unsigned turns = sizeof(K) == 1 ? 1 : TOPK_TURNS; /* a byte is one digit */
    struct items {
        K codes[TOPK_BLOCK_SORT];
        I positions[TOPK_BLOCK_SORT];
    };
    struct stage {
        K codes[TOPK_WARPS][TOPK_STAGE];
        I positions[TOPK_WARPS][TOPK_STAGE];
    };
    struct counters {
        uint32_t bins[TOPK_BINS];
        I seen[turns][TOPK_BINS]; /* the team's, when they were read last */
    };
    union alignas(16) {
        items sort;
        stage staged;
        counters narrow;
        uint32_t bins[TOPK_SORT_BINS];
        uint32_t warp_bins[TOPK_WARPS][TOPK_SORT_BINS];
        uint64_t halves[2][TOPK_SORT_BINS];
    };
    uint64_t starts[TOPK_SORT_BINS];
    uint64_t warp_sums[TOPK_WARPS];
    uint64_t chosen[4]; /* digit, before it, in it */
};

/* The keys or codes of a row, of a sample, of candidates. */
template <typename K> struct topk_source {
    key_array<K> keys;
    ordered_codes<K> codec;
    bool written; /* by this kernel */

    __device__ __forceinline__ topk_source(const void *array, uint64_t count,
                                           const code_constants &constants)
        : keys(array, count), codec(constants), written(false)
    {
    }

    /* An array of codes. */
    __device__ __forceinline__ topk_source(const K *codes, uint64_t count, const topk_source &row)
        : keys(codes, count), codec(row.codec), written(true)
    {
        codec.identity = true;
        codec.equal_floats = false;
    }

    __device__ __forceinline__ K code(uint64_t index) const
    {
        return codec.encode(keys.at(index));
    }

    __device__ __forceinline__ void codes_of(uint4 word, K (&codes)[key_array<K>::per_word]) const
    {
        key_array<K>::split(word, codes);
        codec.encode_all(codes);
    }

    __device__ __forceinline__ uint4 word(uint64_t index) const
    {
        return written ? keys.written_word(index) : keys.word(index);
    }
};

/* A stretch of the keys by index, and one of words, which lie between two such stretches. */
struct topk_share {
    uint64_t head, head_end, word, word_end, tail, tail_end;

    template <typename K>
    __device__ __forceinline__ topk_share(const key_array<K> &keys, const block_team &team)
    {
        const bool last = team.rank == team.blocks - 1;
        const uint64_t tail_start = keys.first_of_word(keys.words);
        word = team.share(keys.words, team.rank);
        word_end = team.share(keys.words, team.rank + 1);
        head = keys.words ? 0 : team.share(keys.head, team.rank);
        head_end =
            keys.words ? (team.rank == 0 ? keys.head : 0) : team.share(keys.head, team.rank + 1);
        tail = last ? tail_start : keys.count;
        tail_end = keys.count;
    }
};

template <typename K, typename I> struct topk_block {
    const topk_arguments &a;
    topk_shared<K, I> &s;
    block_team team;
    topk_control *control;
    uint32_t number; /* of the team */
    uint32_t phase;

    __device__ __forceinline__ topk_block(const topk_arguments &arguments,
                                          topk_shared<K, I> &shared)
        : a(arguments), s(shared)
    {
        number = blockIdx.x / a.team_blocks;
        control = a.controls + number;
        team.blocks = a.team_blocks;
        team.rank = blockIdx.x % a.team_blocks;
        team.arrivals = &control->arrivals;
        phase = 0;
    }

    __device__ __forceinline__ I *bins(unsigned turn) const
    {
        return (I *)a.bins + (uint64_t)(number * TOPK_TURNS + turn) * TOPK_BINS;
    }

    __device__ __forceinline__ topk_slot &begin_phase()
    {
        const uint32_t now = phase++, next = phase % TOPK_SLOTS;
        if (team.rank == 0 && threadIdx.x == 0)
            control->slots[next] = {0, 0, 0};
        return control->slots[now % TOPK_SLOTS];
    }

    __device__ __forceinline__ K *codes(unsigned buffer) const
    {
        return (K *)a.codes[buffer] + number * a.capacity;
    }

    __device__ __forceinline__ I *positions(unsigned buffer) const
    {
        return (I *)a.positions[buffer] + number * a.capacity;
    }

    __device__ __forceinline__ K *sampled() const
    {
        return (K *)a.sampled + number * a.samples;
    }

    /* visitor(valid, code, position) for each key of the share; whole warps call it together. */
    template <typename Visitor>
    __device__ __forceinline__ void singles(const topk_source<K> &source, uint64_t first,
                                            uint64_t end, Visitor &visitor)
    {
        for (uint64_t from = first; from < end; from += TOPK_THREADS) {
            const uint64_t i = from + threadIdx.x;
            const K code = source.code(i < end ? i : end - 1);
            visitor.key(i < end, code, i);
        }
    }

    /* visitor.word(source, valid, word, position of its first key) for each word. The team goes
     * through the row together, or, if the order of blocks must be that of positions, each block
     * through its share: that is slower, for then many pages of memory are in use at once. */
    template <typename Visitor>
    __device__ __forceinline__ void visit(const topk_source<K> &source, Visitor &visitor,
                                          bool in_shares)
    {
        const topk_share share(source.keys, team);
        singles(source, share.head, share.head_end, visitor);
        constexpr uint32_t tile = TOPK_THREADS * TOPK_UNROLL;
        const uint64_t end = in_shares ? share.word_end : source.keys.words;
        const uint32_t step = in_shares ? tile : tile * team.blocks;
        for (uint64_t first = in_shares ? share.word : (uint64_t)team.rank * tile; first < end;
             first += step) {
            uint4 words[TOPK_UNROLL];
#pragma unroll
            for (unsigned i = 0; i < TOPK_UNROLL; i++) {
                const uint64_t at = first + i * TOPK_THREADS + threadIdx.x;
                words[i] = source.word(at < end ? at : end - 1);
            }
#pragma unroll
            for (unsigned i = 0; i < TOPK_UNROLL; i++) {
                const uint64_t at = first + i * TOPK_THREADS + threadIdx.x;
                visitor.word(source, at < end, words[i], source.keys.first_of_word(at));
            }
        }
        singles(source, share.tail, share.tail_end, visitor);
    }
};

#endif
