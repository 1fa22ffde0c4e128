/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first pass over lists that leaves are not for: by ranks if different keys are few, which is
 * all then, or else over the lowest byte. It is one launch, as at most one of them has work; tiles
 * are the same. Registers spill, so that the pass over bytes takes a fifth longer than in a launch
 * of its own, which long lists of wide keys have.
 */
#ifndef CONSORT_HYBRID_UNEVEN_CUH
#define CONSORT_HYBRID_UNEVEN_CUH

#include "cuda/sorts/hybrid/hybrid_few.cuh"

/* Not inlined, as its registers would be spilled in the other pass. So it finds its shared memory
 * by itself: additions to what a pointer points to are slower. */
template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items, typename Words,
          bool Ahead>
__attribute__((noinline)) static __device__ void hybrid_few_pass(const hybrid_arguments &a)
{
    using tile_type = hybrid_few_tile<K, ValueBytes, Threads, Items, Ahead>;
    SHARED_DYNAMIC(storage, typename tile_type::storage);
    SHARED(few_codes, K[HYBRID_FEW]);
    if (threadIdx.x < HYBRID_FEW)
        few_codes[threadIdx.x] = code_from_words<K>(&a.few_codes[2 * threadIdx.x]);
    __syncthreads();
    const lsd_portion all(a.sort, 0, 1);
    const uint32_t number = lsd_own_tile(a.sort, 0, all, &storage->tile);
    tile_type tile(a.sort, *storage, few_codes);
    lsd_move_tile<tile_type, Words>(tile, all, number, lsd_places{a.sort, 0, all});
}

/* A block has one tile: a loop would make it spill. */
template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items, typename Words,
          bool Ahead>
static __device__ __forceinline__ void
hybrid_uneven_pass(const hybrid_arguments &a,
                   typename lsd_tile<K, ValueBytes, Threads, Items, Ahead>::storage &s)
{
    if (lsd_others_sort(a.sort.control->leaves))
        return;
    if (a.control->few)
        hybrid_few_pass<K, ValueBytes, Threads, Items, Words, Ahead>(a);
    else if (!a.first_apart)
        lsd_pass<K, ValueBytes, Threads, Items, Words, Ahead>(a.sort, 0, 0, 1, s);
}

#endif
