/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The global exclusive scan: a chain of tiles that each learn what the tiles before them add up to
 * (decoupled look-back; D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
 * Look-back", 2016). A tile's number is a ticket: all before it are at work already, so that nobody
 * waits for a block that cannot start.
 *
 * A word is a mark of 16 bits and a sum of 48. Marks rise from pass to pass, and the words are
 * cleared once a run.
 */
#ifndef CONSORT_RADIX_STEPS_CHAIN_CUH
#define CONSORT_RADIX_STEPS_CHAIN_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/flag.cuh"
#include "cuda/sorts/radix_steps/radix_steps_layout.h"

enum : uint64_t {
    RADIX_STEPS_SUM_BITS = 48,
    RADIX_STEPS_SUM_MASK = ((uint64_t)1 << RADIX_STEPS_SUM_BITS) - 1
};

/* The number of the next tile nobody works on; the whole block calls it, once. */
static __device__ __forceinline__ uint32_t radix_steps_ticket(const radix_steps_pass &p,
                                                              uint32_t *shared)
{
    if (threadIdx.x == 0)
        *shared = atomicAdd(&p.control->tickets[p.number], 1u);
    __syncthreads();
    return *shared;
}

struct radix_steps_chain {
    uint64_t *words;
    uint64_t local, prefix; /* the marks of this pass */

    __device__ __forceinline__ explicit radix_steps_chain(const radix_steps_pass &p)
        : words(p.words), local(2 * (uint64_t)p.number + 1), prefix(local + 1)
    {
    }

    __device__ __forceinline__ void publish(uint64_t tile, uint64_t mark, uint64_t sum) const
    {
        if (threadIdx.x % 32 == 0)
            flag_publish(&words[tile], mark << RADIX_STEPS_SUM_BITS | sum);
    }

    /* The word of a tile as soon as it has one of this pass. Before the first lies nothing. */
    __device__ __forceinline__ uint64_t word_of(uint64_t tiles_before) const
    {
        if (tiles_before == 0)
            return prefix << RADIX_STEPS_SUM_BITS;
        for (;;) {
            const uint64_t word = flag_poll(&words[tiles_before - 1]);
            if (word >> RADIX_STEPS_SUM_BITS >= local)
                return word;
            spin_pause();
        }
    }

    /* A whole warp calls it: the sum over all tiles before `tile`, whose own sum is `sum`. */
    __device__ __forceinline__ uint64_t look_back(uint64_t tile, uint64_t sum) const
    {
        if (tile > 0)
            publish(tile, local, sum);
        const unsigned lane = threadIdx.x % 32;
        uint64_t before = 0;
        for (uint64_t left = tile;; left -= 32) {
            const uint64_t word = word_of(left > lane ? left - lane : 0);
            const bool is_prefix = word >> RADIX_STEPS_SUM_BITS == prefix;
            const uint32_t prefixes = __ballot_sync(0xffffffffu, is_prefix);
            const unsigned nearest = prefixes ? __ffs((int)prefixes) - 1 : 31;
            const uint64_t seen = lane <= nearest ? word & RADIX_STEPS_SUM_MASK : 0;
            before += __shfl_sync(0xffffffffu, warp_inclusive_sum(seen), 31);
            if (prefixes)
                break;
        }
        publish(tile, prefix, before + sum);
        return before;
    }
};

/* The sum over all entries of the scanned table before entry (row, tile). */
static __device__ __forceinline__ uint64_t radix_steps_before(const radix_steps_pass &p,
                                                              uint32_t row, uint64_t tile)
{
    const uint64_t entry = row * p.tiles + tile, scanned = entry / RADIX_STEPS_SCAN_ENTRIES;
    const uint64_t before = scanned > 0 ? p.words[scanned - 1] & RADIX_STEPS_SUM_MASK : 0;
    return before + p.table[entry];
}

/* The sum over the whole table. */
static __device__ __forceinline__ uint64_t radix_steps_total(const radix_steps_pass &p)
{
    return p.words[(p.entries - 1) / RADIX_STEPS_SCAN_ENTRIES] & RADIX_STEPS_SUM_MASK;
}

/* Four counts of the table; what lies behind its end counts nothing, and nobody has set it. */
static __device__ __forceinline__ uint4 radix_steps_counts(const radix_steps_pass &p,
                                                           uint64_t entry)
{
    const uint32_t *const counts = p.table + entry;
    if (entry + 3 < p.entries)
        return *(const uint4 *)counts;
    return make_uint4(entry < p.entries ? counts[0] : 0, entry + 1 < p.entries ? counts[1] : 0,
                      entry + 2 < p.entries ? counts[2] : 0, 0);
}

/* Scans the table in place, row after row. It has room for whole blocks of entries. */
__device__ __forceinline__ void radix_steps_scan(const radix_steps_pass &p)
{
    constexpr unsigned quads = RADIX_STEPS_SCAN_ENTRIES / RADIX_STEPS_SCAN_THREADS / 4;
    SHARED(ticket, uint32_t);
    SHARED(warp_sums, uint32_t[RADIX_STEPS_SCAN_THREADS / 32]);
    const uint64_t tile = radix_steps_ticket(p, &ticket);
    const uint64_t first = tile * RADIX_STEPS_SCAN_ENTRIES + threadIdx.x * quads * 4;
    uint4 quad[quads];
    uint32_t mine = 0, total;
#pragma unroll
    for (unsigned i = 0; i < quads; i++) {
        quad[i] = radix_steps_counts(p, first + 4 * i);
        mine += quad[i].x + quad[i].y + quad[i].z + quad[i].w;
    }
    uint32_t sum = block_exclusive_sum<RADIX_STEPS_SCAN_THREADS / 32>(mine, warp_sums, &total);
#pragma unroll
    for (unsigned i = 0; i < quads; i++) {
        const uint32_t second = sum + quad[i].x, third = second + quad[i].y;
        const uint32_t fourth = third + quad[i].z;
        *(uint4 *)(p.table + first + 4 * i) = make_uint4(sum, second, third, fourth);
        sum = fourth + quad[i].w;
    }
    if (threadIdx.x < 32)
        radix_steps_chain(p).look_back(tile, total);
}

#endif
