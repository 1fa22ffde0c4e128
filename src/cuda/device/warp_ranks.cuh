/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stable ranks by a digit, of 8 bits or more, for the items of a block: every warp counts its own
 * stretch of them in bins of its own, item by item; sums over warps and digits make places of the
 * counts.
 */
#ifndef CONSORT_CUDA_WARP_RANKS_CUH
#define CONSORT_CUDA_WARP_RANKS_CUH

#include "cuda/device/digit_match.cuh"
#include "cuda/device/packed_places.cuh"

enum {
    WARP_RANKS_CROWD = 4 /* lanes of a row with one digit from which on ballots count that */
};

/* Lanes go from one instruction to the next together, in fact though not by promise. Without this
 * the emulator would let each run as far as it can. */
static __device__ __forceinline__ void lanes_step()
{
#ifndef __CUDACC__
    __syncwarp();
#endif
}

template <unsigned Threads, unsigned Items, unsigned Bits = 8> struct warp_ranks {
    static constexpr unsigned digits = 1u << Bits, warps = Threads / 32;
    using bins_type = uint32_t[warps][digits];
    static_assert(Threads >= digits, "a thread for each digit value");
    static_assert(Threads * Items <= 65536, "places are 16 bits");

    /* Item i of a thread: warps own consecutive stretches, lanes consecutive items. */
    static __device__ __forceinline__ uint32_t position(unsigned i)
    {
        return threadIdx.x / 32 * (32 * Items) + i * 32 + threadIdx.x % 32;
    }

    /* Clears and fills the bins of the warp. `digit_of(i)` is the digit of item i. */
    template <typename Digit>
    static __device__ __forceinline__ void count(bins_type &all, packed_places<Items> &place,
                                                 const Digit &digit_of)
    {
        uint32_t *bins = cleared(all);
        const unsigned lane = threadIdx.x % 32;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t d = digit_of(i);
            const uint32_t peers = digit_match<Bits>(d);
            const unsigned rank = __popc(peers & lanemask_lt());
            const unsigned leader = 31 - __clz((int)peers);
            uint32_t before = 0;
            if (lane == leader)
                before = atomicAdd(&bins[d], rank + 1);
            before = __shfl_sync(0xffffffffu, before, leader);
            place.set(i, before + rank);
        }
    }

    /* The same by an atomic addition for each lane. Lanes that add to one counter in one
     * instruction are served in an order that nobody promises, although GPUs begin with the lowest
     * lane (H200: 0 of 2^24 additions did not): the items of a digit are ranked somehow, and the
     * caller makes sure that it is in order. A digit that crowds the row in the middle would have
     * its lanes queue up: a ballot for each item ranks those that have it. */
    template <typename Digit>
    static __device__ __forceinline__ void
    count_somehow(bins_type &all, packed_places<Items> &place, const Digit &digit_of)
    {
        uint32_t *bins = cleared(all);
        const uint32_t middle = digit_of(Items / 2);
        const uint32_t peers = __popc(digit_match<Bits, 4>(middle));
        const uint32_t most = __reduce_max_sync(0xffffffffu, peers);
        if (most < WARP_RANKS_CROWD) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++) {
                place.set(i, atomicAdd(&bins[digit_of(i)], 1u));
                lanes_step();
            }
            return;
        }
        const unsigned one = __ffs((int)__ballot_sync(0xffffffffu, peers == most)) - 1;
        const uint32_t crowd = __shfl_sync(0xffffffffu, middle, one);
        uint32_t count = 0;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t d = digit_of(i);
            const uint32_t crowded = __ballot_sync(0xffffffffu, d == crowd);
            uint32_t rank = count + __popc(crowded & lanemask_lt());
            if (d != crowd)
                rank = atomicAdd(&bins[d], 1u);
            place.set(i, rank);
            count += __popc(crowded);
        }
        if (threadIdx.x % 32 == 0)
            bins[crowd] = count;
    }

    /* The first threads own one digit value each: its count in the block. */
    static __device__ __forceinline__ uint32_t total(const bins_type &bins)
    {
        uint32_t sum = 0;
#pragma unroll
        for (unsigned warp = 0; warp < warps; warp++)
            sum += bins[warp][threadIdx.x];
        return sum;
    }

    /* Where each warp's items of the digit value go, the first of all at `start`. */
    static __device__ __forceinline__ void starts(bins_type &bins, uint32_t start)
    {
#pragma unroll
        for (unsigned warp = 0; warp < warps; warp++) {
            const uint32_t count = bins[warp][threadIdx.x];
            bins[warp][threadIdx.x] = start;
            start += count;
        }
    }

    template <typename Digit>
    static __device__ __forceinline__ void places(const bins_type &all, packed_places<Items> &place,
                                                  const Digit &digit_of)
    {
        const uint32_t *bins = all[threadIdx.x / 32];
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            place.add(i, bins[digit_of(i)]);
    }

  private:
    static __device__ __forceinline__ uint32_t *cleared(bins_type &all)
    {
        uint32_t *bins = all[threadIdx.x / 32];
#pragma unroll
        for (unsigned i = 0; i < digits / 32; i++)
            bins[i * 32 + threadIdx.x % 32] = 0;
        __syncwarp();
        return bins;
    }
};

#endif
