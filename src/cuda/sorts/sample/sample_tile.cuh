/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of a segment that is split: which part each item belongs to, and moving them there. The
 * rank in a part is what an atomic counter in shared memory returns, and a tile's place in it what
 * one addition to the part's cursor returns: no tile waits for another. Items that are equal are
 * the same bits, so their order is free.
 */
#ifndef CONSORT_SAMPLE_TILE_CUH
#define CONSORT_SAMPLE_TILE_CUH

#include "cuda/device/digit_crowd.cuh"
#include "cuda/device/packed_places.cuh"
#include "cuda/device/ptx.cuh"
#include "cuda/sorts/sample/sample_splitters.cuh"

template <typename K, typename I> struct sample_tile {
    using kind = split_kind<K, I>;
    using words = typename kind::words;
    using word = typename kind::word;
    static constexpr unsigned items = kind::shape::tile_items;
    static constexpr unsigned group = items < 8 ? items : 8; /* searched at a time */

    struct alignas(16) storage {
        word sorted[kind::tile];
        unsigned char part[kind::tile];
        word node[SPLIT_MOST_PARTS];
        uint64_t base[SPLIT_MOST_PARTS]; /* where a part's items go, less where they begin here */
        uint32_t bins[SPLIT_MOST_PARTS]; /* items of a part, then where they begin here */
        uint32_t warp_sums[8];
    };

    storage &s;
    sample_tree<word> tree;
    uint32_t filled;
    word item[items];
    packed_digits<items> part;
    packed_places<items> rank;

    __device__ __forceinline__ explicit sample_tile(storage &memory)
        : s(memory), tree{memory.node, 0}, filled(0)
    {
    }

    __device__ __forceinline__ void open(const split_arguments &a, const split_tile &tile)
    {
        tree.load((const word *)a.rows + (uint64_t)tile.owner * SPLIT_MOST_PARTS,
                  sample_log_ways(a, tile.segment.count));
    }

    __device__ __forceinline__ void clear_bins()
    {
        if (threadIdx.x < SPLIT_MOST_PARTS)
            s.bins[threadIdx.x] = 0;
    }

    __device__ __forceinline__ void load(const split_arguments &a, const split_tile &tile)
    {
        filled = tile.filled;
        split_load_tile<K, I>(a, tile, item);
    }

    __device__ __forceinline__ bool has(unsigned i) const
    {
        return i * SPLIT_THREADS + threadIdx.x < filled;
    }

    /* Counts the tile's items by parts. */
    template <bool Ranked> __device__ __forceinline__ void count()
    {
        bool crowds = false;
#pragma unroll
        for (unsigned first = 0; first < items; first += group) {
            uint32_t found[group];
            tree.template find<group>(item + first, found);
            if (first == 0)
                crowds = filled == kind::tile && digit_crowds(found[0]);
#pragma unroll
            for (unsigned j = 0; j < group; j++) {
                uint32_t before = 0;
                if (crowds)
                    before = digit_place_in_crowd<8>(s.bins, found[j]);
                else if (has(first + j))
                    before = atomicAdd(&s.bins[found[j]], 1u);
                if constexpr (Ranked) {
                    part.set(first + j, found[j]);
                    rank.set(first + j, before);
                }
            }
        }
    }

    /* Between two barriers: counts become places, here and in memory. */
    __device__ __forceinline__ void find_places(uint64_t *cursors)
    {
        const uint32_t count = threadIdx.x < SPLIT_MOST_PARTS ? s.bins[threadIdx.x] : 0;
        const uint64_t place = count ? atomic_add_relaxed(&cursors[threadIdx.x], count) : 0;
        const uint32_t start = block_exclusive_sum_256(count, s.warp_sums);
        if (threadIdx.x < SPLIT_MOST_PARTS) {
            s.bins[threadIdx.x] = start;
            s.base[threadIdx.x] = place - start;
        }
    }

    __device__ __forceinline__ void put_in_order()
    {
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            if (filled != kind::tile && !has(i))
                continue;
            const uint32_t at = s.bins[part.at(i)] + rank.at(i);
            s.sorted[at] = item[i];
            s.part[at] = (unsigned char)part.at(i);
        }
    }

    /* The registers may hold the next tile already. */
    __device__ __forceinline__ void write(const split_arguments &a, const split_tile &tile) const
    {
        const item_array<K, I> to = split_array<K, I>(a, ~tile.segment.state & SPLIT_SPARE);
        for (uint32_t j = threadIdx.x; j < tile.filled; j += SPLIT_THREADS)
            to.store(s.base[s.part[j]] + j, words::item_of(s.sorted[j]));
    }
};

#endif
