/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Putting the candidates in order, when they are too many for one block: stable radix passes of a
 * byte by the whole team, codes first. Candidates come in any order, so positions of equal codes
 * are looked at afterwards: short runs are put right where they are; only if there are long ones
 * the candidates are sorted by position and then by code once more.
 */
#ifndef CONSORT_TOPK_ORDER_CUH
#define CONSORT_TOPK_ORDER_CUH

#include "cuda/device/digit_match.cuh"
#include "cuda/sorts/topk/topk_block.cuh"

template <typename K, typename I> struct topk_order {
    static constexpr unsigned tile = TOPK_THREADS * TOPK_SORT_ITEMS;
    topk_block<K, I> &b;
    topk_slot &ordered, &runs; /* phases of the look at positions; taken by idle blocks too */
    block_team team;           /* as many blocks as there is work for */
    const uint64_t count;
    uint64_t first, last; /* this block's share */
    unsigned buffer;      /* where the candidates are */
    unsigned passes;

    __device__ __forceinline__ topk_order(topk_block<K, I> &block, uint64_t candidates)
        : b(block), ordered(block.begin_phase()), runs(block.begin_phase()), team(block.team),
          count(candidates), first(0), last(0), buffer(0), passes(0)
    {
        const uint64_t worth = (count + TOPK_SORT_SHARE - 1) / TOPK_SORT_SHARE;
        team.blocks = worth < team.blocks ? (uint32_t)worth : team.blocks;
        team.arrivals = &b.control->sort_arrivals;
        if (is_idle())
            return;
        first = team.share(count, team.rank);
        last = team.share(count, team.rank + 1);
    }

    __device__ __forceinline__ bool is_idle() const
    {
        return team.rank >= team.blocks;
    }

    __device__ __forceinline__ uint32_t digit(uint64_t i, unsigned byte, bool by_position) const
    {
        return by_position ? (uint32_t)(b.positions(buffer)[i] >> (8 * byte)) & 0xff
                           : (uint32_t)(b.codes(buffer)[i] >> (8 * byte)) & 0xff;
    }

    __device__ __forceinline__ uint32_t *counts_of(uint32_t rank) const
    {
        const uint64_t block = (uint64_t)b.number * b.team.blocks + rank;
        return b.a.counts + (2 * block + passes % 2) * TOPK_SORT_BINS;
    }

    __device__ __forceinline__ void count_digits(unsigned byte, bool by_position)
    {
        if (threadIdx.x < TOPK_SORT_BINS)
            b.s.bins[threadIdx.x] = 0;
        __syncthreads();
        for (uint64_t i = first + threadIdx.x; i < last; i += TOPK_THREADS)
            atomicAdd(&b.s.bins[digit(i, byte, by_position)], 1u);
        __syncthreads();
        if (threadIdx.x < TOPK_SORT_BINS)
            counts_of(team.rank)[threadIdx.x] = b.s.bins[threadIdx.x];
        team.barrier();
    }

    /* Where this block's keys of each digit go: s.starts. False if all keys have one digit. Two
     * threads look at each digit, one at the blocks of odd rank. */
    __device__ __forceinline__ bool find_starts()
    {
        const unsigned d = threadIdx.x % TOPK_SORT_BINS;
        uint64_t before = 0, all = 0;
#pragma unroll 8
        for (uint32_t rank = threadIdx.x / TOPK_SORT_BINS; rank < team.blocks; rank += 2) {
            const uint32_t keys = __ldcg(&counts_of(rank)[d]);
            before += rank < team.rank ? keys : 0;
            all += keys;
        }
        if (threadIdx.x >= TOPK_SORT_BINS) {
            b.s.halves[0][d] = before;
            b.s.halves[1][d] = all;
        }
        __syncthreads();
        before += b.s.halves[0][d];
        all += b.s.halves[1][d];
        const bool alike = __syncthreads_or(threadIdx.x < TOPK_SORT_BINS && all == count);
        const uint64_t start = block_exclusive_sum_256(all, b.s.warp_sums);
        if (threadIdx.x < TOPK_SORT_BINS)
            b.s.starts[d] = start + before;
        __syncthreads();
        return !alike;
    }

    /* Rank of this thread's item among those of its digit and warp so far. */
    __device__ __forceinline__ uint32_t rank_in_warp(uint32_t *bins, uint32_t d)
    {
        const uint32_t peers = digit_match<8>(d);
        const unsigned rank = (unsigned)__popc(peers & lanemask_lt());
        const unsigned leader = 31 - (unsigned)__clz((int)peers);
        uint32_t before = 0;
        if (threadIdx.x % 32 == leader)
            before = atomicAdd(&bins[d], rank + 1);
        return __shfl_sync(0xffffffffu, before, (int)leader) + rank;
    }

    /* Counts of the warps become their starts within the tile; returns the tile's count. */
    __device__ __forceinline__ uint32_t starts_of_warps()
    {
        uint32_t start = 0;
        for (unsigned warp = 0; warp < TOPK_WARPS; warp++) {
            const uint32_t keys = b.s.warp_bins[warp][threadIdx.x];
            b.s.warp_bins[warp][threadIdx.x] = start;
            start += keys;
        }
        return start;
    }

    /* Warps own consecutive stretches of a tile, lanes consecutive items. Places beyond the end
     * count as the highest digit: they rank after every real one. */
    __device__ __forceinline__ void move_tile(uint64_t at, unsigned byte, bool by_position)
    {
        const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        uint32_t *bins = b.s.warp_bins[warp];
        uint32_t d[TOPK_SORT_ITEMS], place[TOPK_SORT_ITEMS];
        for (unsigned i = lane; i < TOPK_SORT_BINS; i += 32)
            bins[i] = 0;
        __syncwarp();
        const uint64_t mine = at + warp * (32 * TOPK_SORT_ITEMS) + lane;
#pragma unroll
        for (unsigned i = 0; i < TOPK_SORT_ITEMS; i++) {
            d[i] = mine + i * 32 < last ? digit(mine + i * 32, byte, by_position) : 0xff;
            place[i] = rank_in_warp(bins, d[i]);
        }
        __syncthreads();
        uint32_t keys = 0;
        if (threadIdx.x < TOPK_SORT_BINS)
            keys = starts_of_warps();
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < TOPK_SORT_ITEMS; i++) {
            const uint64_t from = mine + i * 32;
            if (from >= last)
                continue;
            const uint64_t to = b.s.starts[d[i]] + bins[d[i]] + place[i];
            b.codes(1 - buffer)[to] = b.codes(buffer)[from];
            if (b.a.ties_matter)
                b.positions(1 - buffer)[to] = b.positions(buffer)[from];
        }
        __syncthreads();
        if (threadIdx.x < TOPK_SORT_BINS)
            b.s.starts[threadIdx.x] += keys;
    }

    __device__ __forceinline__ void pass(unsigned byte, bool by_position)
    {
        count_digits(byte, by_position);
        const bool moves = find_starts();
        passes++;
        if (!moves)
            return;
        for (uint64_t at = first; at < last; at += tile)
            move_tile(at, byte, by_position);
        team.barrier();
        buffer = 1 - buffer;
    }

    __device__ __forceinline__ unsigned position_bytes() const
    {
        unsigned bytes = 0;
        while (bytes < sizeof(I) && (b.a.length - 1) >> (8 * bytes) != 0)
            bytes++;
        return bytes;
    }

    __device__ __forceinline__ bool same_code(uint64_t i, uint64_t j) const
    {
        return b.codes(buffer)[i] == b.codes(buffer)[j];
    }

    /* True if all positions of equal codes rise. */
    __device__ __forceinline__ bool is_ordered()
    {
        const I *positions = b.positions(buffer);
        bool falls = false;
        for (uint64_t i = first + threadIdx.x; i < last; i += TOPK_THREADS)
            falls |= i > 0 && positions[i] < positions[i - 1] && same_code(i, i - 1);
        if (__syncthreads_or(falls) && threadIdx.x == 0)
            atomicOr(&ordered.unordered, 1u);
        team.barrier();
        return load_relaxed(&ordered.unordered) == 0;
    }

    /* Sorts positions [from, end) by insertion. */
    __device__ __forceinline__ void insert_run(uint64_t from, uint64_t end)
    {
        I *positions = b.positions(buffer);
        for (uint64_t i = from + 1; i < end; i++) {
            const I position = positions[i];
            uint64_t j = i;
            for (; j > from && positions[j - 1] > position; j--)
                positions[j] = positions[j - 1];
            positions[j] = position;
        }
    }

    /* Puts short runs in order, a thread each; false if there are long ones. */
    __device__ __forceinline__ bool order_runs()
    {
        for (uint64_t i = first + threadIdx.x; i < last; i += TOPK_THREADS) {
            if (i > 0 && same_code(i, i - 1))
                continue;
            uint64_t end = i + 1;
            while (end < count && end - i <= TOPK_LONG_RUN && same_code(i, end))
                end++;
            if (end - i > TOPK_LONG_RUN)
                atomicOr(&runs.long_run, 1u);
            else
                insert_run(i, end);
        }
        team.barrier();
        return load_relaxed(&runs.long_run) == 0;
    }

    /* Passes over the codes, whose barriers make the cleared slots known; if that was not enough,
     * over positions and codes again. One loop, as a pass is long when compiled. */
    __device__ __forceinline__ void run()
    {
        const unsigned codes = b.a.code_bytes, positions = position_bytes();
        for (unsigned i = 0; i < codes + positions + codes; i++) {
            const bool by_position = codes <= i && i < codes + positions;
            if (i == codes && (!b.a.ties_matter || is_ordered() || order_runs()))
                return;
            pass(by_position ? i - codes : i < codes ? i : i - codes - positions, by_position);
        }
    }
};

#endif
