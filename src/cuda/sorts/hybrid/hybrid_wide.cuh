/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pass of middling lists: one by a digit of 10 bits does what two by bytes would. Cells are its
 * digit values, so that their table says where each goes. A tile is the whole multiprocessor's, as
 * 32 warps count 1024 values each.
 */
#ifndef CONSORT_HYBRID_WIDE_CUH
#define CONSORT_HYBRID_WIDE_CUH

#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_tuning.h"
#include "cuda/sorts/lsd/lsd_pass.cuh"

using hybrid_wide_tile =
    lsd_tile<uint32_t, 4, HYBRID_WIDE_THREADS, HYBRID_WIDE_ITEMS, false, false, HYBRID_WIDE_BITS>;
static_assert(sizeof(hybrid_wide_tile::storage) ==
                  lsd_tile_bytes(HYBRID_WIDE_BITS, 4, 4, HYBRID_WIDE_THREADS, HYBRID_WIDE_ITEMS),
              "the host asks for what the tile needs");

struct hybrid_wide_places {
    const uint32_t *cells;

    __device__ __forceinline__ uint64_t of(uint32_t digit) const
    {
        return cells[digit];
    }

    __device__ __forceinline__ void leave(uint32_t, uint64_t) const
    {
    }
};

/* All passes by bytes are skipped then: the first one's tickets are free. */
static __device__ __forceinline__ void hybrid_wide_pass(const hybrid_arguments &a,
                                                        hybrid_wide_tile::storage &s)
{
    if (a.sort.control->leaves != LSD_LEAVES)
        return;
    const lsd_portion all(a.sort, 0, 1);
    const uint32_t number = lsd_own_tile(a.sort, 0, all, &s.tile);
    hybrid_wide_tile tile(a.sort, s, lsd_route_of_step(a.sort, 0), 0);
    using words = lsd_words<LSD_WINDOW, hybrid_wide_tile::bins>;
    lsd_move_tile<hybrid_wide_tile, words>(tile, all, number, hybrid_wide_places{a.cells});
}

#endif
