/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places that the items of two sorted lists take in their merge, as codes: an item's place in
 * its list and the number of items of the other list that go before it. A block takes neighbours:
 * once its first and its last are placed, the others are looked for between those alone. Items are
 * compared by the first bytes of their normalised keys, piece by piece only where these are equal.
 */
#ifndef CONSORT_CODED_PLACES_CUH
#define CONSORT_CODED_PLACES_CUH

#include "cuda/device/merge_path.cuh"
#include "cuda/sorts/coded/coded_layout.h"
#include "cuda/sorts/normalised/normalised_compare.cuh"

/* Of the other list's items, how many go before the first of a tile, and before its last. */
struct coded_bounds {
    uint64_t first, last;
};

static __device__ __forceinline__ void coded_put(const coded_array &a, uint64_t i, uint64_t code)
{
    if (a.bytes == 4)
        ((uint32_t *)a.codes)[i] = (uint32_t)code;
    else
        ((uint64_t *)a.codes)[i] = code;
}

/* One of the lists, with the other. */
struct coded_side {
    const normalised_order &order;
    const normalised_array own, other;
    const uint64_t *const own_prefixes, *const other_prefixes;
    const uint64_t count, other_count;
    const bool first; /* of equal items its own go first */

    __device__ __forceinline__ coded_side(const coded_lists &l, bool is_a)
        : order(l.order), own(is_a ? l.a : l.b), other(is_a ? l.b : l.a),
          own_prefixes(l.prefixes + (is_a ? 0 : l.a.count)),
          other_prefixes(l.prefixes + (is_a ? l.a.count : 0)), count(is_a ? l.a.count : l.b.count),
          other_count(is_a ? l.b.count : l.a.count), first(is_a)
    {
    }

    /* How many of the other list go before item i: at least `low`, at most `high`. */
    __device__ __forceinline__ uint64_t before(uint64_t i, uint64_t low, uint64_t high) const
    {
        const uint64_t own_prefix = own_prefixes[i];
        return first_reached<uint64_t>(low, high, [&](uint64_t at) {
            const uint64_t prefix = other_prefixes[at];
            if (prefix != own_prefix)
                return prefix > own_prefix;
            return first ? !normalised_before(order, other, at, own, i)
                         : normalised_before(order, own, i, other, at);
        });
    }

    /* Lists that are not sorted get some number from 0 to other_count, too. */
    __device__ __forceinline__ void place_tile(const coded_array &codes, uint64_t begin,
                                               uint64_t codes_before, coded_bounds &bounds) const
    {
        const uint64_t left = count - begin;
        const uint64_t end = begin + (left < CODED_TILE ? left : (uint64_t)CODED_TILE);
        if (threadIdx.x == 0)
            bounds.first = before(begin, 0, other_count);
        if (threadIdx.x == 1)
            bounds.last = before(end - 1, 0, other_count);
        __syncthreads();
        for (uint64_t i = begin + threadIdx.x; i < end; i += CODED_THREADS)
            coded_put(codes, codes_before + i, i + before(i, bounds.first, bounds.last));
        __syncthreads(); /* before the next tile's bounds */
    }
};

static __device__ __forceinline__ void coded_place_lists(const coded_lists &l, coded_bounds &bounds)
{
    const uint64_t of_a = (l.a.count + CODED_TILE - 1) / CODED_TILE;
    const uint64_t tiles = of_a + (l.b.count + CODED_TILE - 1) / CODED_TILE;
    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const bool is_a = tile < of_a;
        const coded_side side(l, is_a);
        side.place_tile(l.codes, (is_a ? tile : tile - of_a) * CODED_TILE, is_a ? 0 : l.a.count,
                        bounds);
    }
}

#endif
