/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merging and merge sorting of items in shared memory by a block. Every thread makes the same
 * number of outputs: it finds its stretch of both lists by co-ranks, loads it into registers as one
 * sequence that falls (from a, backwards) and then rises (from b), and merges that with a network.
 * Its loads do not wait for each other's outcome, as those of a serial merge do.
 */
#ifndef CONSORT_CUDA_BLOCK_MERGE_CUH
#define CONSORT_CUDA_BLOCK_MERGE_CUH

#include "cuda/device/merge_path.cuh"
#include "cuda/device/placed_code.cuh"
#include "cuda/device/sorting_network.cuh"

template <typename Word, bool Placed, unsigned Threads, unsigned Slots>
struct alignas(16) block_merge_storage {
    Word codes[Slots];
    uint16_t places[Placed ? Slots : 8];
    uint16_t cuts[Threads];
};

/* Slots: what shared memory has room for, if that is more than the block's outputs. */
template <typename K, bool Placed, unsigned Threads, unsigned Items,
          unsigned Slots = Threads *Items>
struct block_merge {
    using word = typename compared_code<K>::type;
    using placed = placed_code<word, Placed>;
    using item_type = typename placed::type;
    using storage = block_merge_storage<word, Placed, Threads, Slots>;
    static constexpr unsigned threads = Threads, keys = Threads * Items;

    storage &s;

    static_assert(keys <= Slots && Slots <= 65536, "places are 16 bits");
    static_assert(Items % 2 == 1, "threads that go through their stretches meet in no bank");

    __device__ __forceinline__ explicit block_merge(storage &memory) : s(memory)
    {
    }

    __device__ __forceinline__ word code(uint32_t i) const
    {
        return s.codes[i];
    }

    __device__ __forceinline__ uint32_t place(uint32_t i) const
    {
        return s.places[i];
    }

    /* Item i in rank order of the block's outputs: each thread's are neighbours. */
    __device__ __forceinline__ void store(const item_type (&item)[Items])
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t at = threadIdx.x * Items + i;
            s.codes[at] = placed::code(item[i]);
            if constexpr (Placed)
                s.places[at] = (uint16_t)placed::place(item[i]);
        }
    }

    /* How many of the first `diagonal` outputs of two lists of codes, from `a` and from `b` on,
     * come from the first. */
    __device__ __forceinline__ uint32_t cut_lists(uint32_t a, uint32_t a_count, uint32_t b,
                                                  uint32_t b_count, uint32_t diagonal) const
    {
        const word *codes = s.codes;
        return co_rank<uint32_t>(
            diagonal, a_count, b_count, [=](uint32_t i) { return codes[a + i]; },
            [=](uint32_t i) { return codes[b + i]; });
    }

    /* The same of lists one after the other from `base`. */
    __device__ __forceinline__ uint32_t cut(uint32_t base, uint32_t a_count, uint32_t b_count,
                                            uint32_t diagonal) const
    {
        return cut_lists(base, a_count, base + a_count, b_count, diagonal);
    }

    /* This thread's outputs: `from_a` items from index `a` on, the others from `b` on. Numbered: an
     * item's place is its index; else it is stored. */
    template <bool Numbered>
    __device__ __forceinline__ void merge(item_type (&item)[Items], uint32_t a, uint32_t b,
                                          uint32_t from_a) const
    {
        const uint32_t falling = a + from_a - 1, rising = b - from_a;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            item[i] = i < from_a ? at<Numbered>(falling - i) : at<Numbered>(rising + i);
        bitonic_merge(item);
    }

    /* Sorts the items of all threads: thread t gets ranks from t * Items on. Equal codes are
     * ordered by place; then a thread's places must lie before the next one's. Shared memory is
     * free afterwards. */
    __device__ __forceinline__ void sort(item_type (&item)[Items])
    {
        odd_even_merge_sort(item);
#pragma unroll 1
        for (unsigned group = 2; group <= Threads; group *= 2) {
            const unsigned half = group / 2 * Items;
            const unsigned base = threadIdx.x / group * group * Items;
            const unsigned diagonal = threadIdx.x % group * Items;
            store(item);
            meet(group);
            const uint32_t own = cut(base, half, half, diagonal);
            const uint32_t next = next_cut(group, own, half);
            merge<false>(item, base + own, base + half + diagonal - own, next - own);
            meet(group);
        }
    }

  private:
    template <bool Numbered> __device__ __forceinline__ item_type at(uint32_t index) const
    {
        if constexpr (Placed && !Numbered)
            return placed::of(s.codes[index], s.places[index]);
        else
            return placed::of(s.codes[index], index);
    }

    /* Groups of at most a warp need not wait for the block. */
    static __device__ __forceinline__ void meet(unsigned group)
    {
        if (group <= 32)
            __syncwarp();
        else
            __syncthreads();
    }

    __device__ __forceinline__ uint32_t next_cut(unsigned group, uint32_t own, uint32_t last)
    {
        uint32_t next;
        if (group <= 32) {
            next = __shfl_down_sync(0xffffffffu, own, 1);
        } else {
            s.cuts[threadIdx.x] = (uint16_t)own;
            __syncthreads();
            next = s.cuts[threadIdx.x + 1 < Threads ? threadIdx.x + 1 : threadIdx.x];
        }
        return (threadIdx.x + 1) % group == 0 ? last : next;
    }
};

#endif
