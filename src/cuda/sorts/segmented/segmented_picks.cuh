/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiny segments among longer ones, of narrow keys alone: their networks of keys are faster than
 * words with places (segmented_runs.cuh), so that each lane sorts one, as in segmented_tiny.cuh.
 * Lanes without a segment would take as long; a warp keeps those that it finds until they are 32.
 * The shortest wait apart: lanes of longer ones would take them along through larger networks.
 */
#ifndef CONSORT_SEGMENTED_PICKS_CUH
#define CONSORT_SEGMENTED_PICKS_CUH

#include "cuda/device/ptx.cuh"
#include "cuda/sorts/segmented/segmented_tiny.cuh"

template <typename K, unsigned Items> struct segmented_pick_storage {
    segmented_tiny_storage<K, false, Items> tile;
    uint64_t picked[2][64]; /* where each segment begins, and its length */
};

template <typename K, unsigned Items> struct segmented_pick_warp {
    using tile_type = segmented_tiny_warp<K, false, Items>;
    static constexpr unsigned length_bits = 8; /* below where a segment begins */
    static constexpr unsigned short_items = Items < 8 ? Items : 8;

    segmented_pick_storage<K, Items> &s;
    tile_type tile;
    uint64_t begin = 0; /* of this lane's segment */
    uint32_t picked[2] = {0, 0};

    __device__ __forceinline__ segmented_pick_warp(const segmented_arguments &a,
                                                   segmented_pick_storage<K, Items> &shared)
        : s(shared), tile(a, shared.tile)
    {
    }

    /* Each lane's segment, of length 0 if it has none. */
    __device__ __forceinline__ void add(uint64_t start, uint32_t length)
    {
#pragma unroll
        for (unsigned list = 0; list < 2; list++) {
            const bool mine = length > 0 && (length <= short_items) == (list == 0);
            const uint32_t those = __ballot_sync(0xffffffffu, mine);
            if (mine)
                s.picked[list][picked[list] + (unsigned)__popc(those & lanemask_lt())] =
                    start << length_bits | length;
            picked[list] += (unsigned)__popc(those);
        }
        __syncwarp();
    }

    /* The first 32 of a list for sort(), or what is left if it is the last. False if there are
     * none.
     */
    __device__ __forceinline__ bool take(bool last)
    {
        const uint32_t least = last ? 1 : 32;
        if (picked[0] >= least) {
            take_from<0>();
            return true;
        }
        if (picked[1] >= least) {
            take_from<1>();
            return true;
        }
        return false;
    }

    __device__ __forceinline__ void sort()
    {
        const segmented_arguments &a = tile.a;
        each([&](uint32_t at, uint64_t index) {
            s.tile.words[at] = tile.codec.encode(((const K *)a.keys[0])[index]);
        });
        __syncwarp();
        tile.sort();
        __syncwarp();
        each([&](uint32_t at, uint64_t index) {
            ((K *)a.keys_out)[index] = tile.codec.decode((K)s.tile.words[at]);
        });
        __syncwarp();
    }

  private:
    template <unsigned List> __device__ __forceinline__ void take_from()
    {
        const unsigned lane = threadIdx.x % 32;
        const uint64_t own = lane < picked[List] ? s.picked[List][lane] : 0;
        if (32 + lane < picked[List])
            s.picked[List][lane] = s.picked[List][32 + lane];
        picked[List] -= min(picked[List], 32u);
        __syncwarp();
        begin = own >> length_bits;
        tile.length = (uint32_t)own & ((1u << length_bits) - 1);
        const uint32_t sum = warp_inclusive_sum(tile.length);
        tile.place = sum - tile.length;
        tile.total = __shfl_sync(0xffffffffu, sum, 31);
    }

    /* Calls visit(place in shared memory, index in the array) for all items, neighbours by
     * neighbouring lanes. */
    template <typename Visit> __device__ __forceinline__ void each(Visit visit) const
    {
        const unsigned lane = threadIdx.x % 32;
#pragma unroll 4
        for (uint32_t row = 0; row * 32 < tile.total; row++) {
            const uint32_t at = row * 32 + lane;
            unsigned owner = 0; /* the last lane whose segment begins no later */
#pragma unroll
            for (unsigned step = 16; step > 0; step /= 2)
                if (__shfl_sync(0xffffffffu, tile.place, (int)(owner + step)) <= at)
                    owner += step;
            const uint64_t start = __shfl_sync(0xffffffffu, begin, (int)owner);
            const uint32_t before = __shfl_sync(0xffffffffu, tile.place, (int)owner);
            if (at < tile.total)
                visit(row * 33 + lane, start + (at - before));
        }
    }
};

/* Warps take equal shares of the segments, 32 at a time. */
template <typename K, unsigned Items>
static __device__ __forceinline__ void segmented_picks(const segmented_arguments &a,
                                                       segmented_pick_storage<K, Items> *shared)
{
    if (segmented_refused(a) || !a.control->mixed)
        return;
    const segmented_share share(a);
    segmented_pick_warp<K, Items> pick(a, shared[threadIdx.x / 32]);
    bool last = false;
    for (uint32_t group = share.first; !last; group++) {
        last = group >= share.last; /* what has been picked */
        if (!last) {
            uint64_t begin;
            const uint32_t length = segmented_short_one(a, group, begin);
            pick.add(begin, length);
        }
        while (pick.take(last))
            pick.sort();
    }
}

#endif
