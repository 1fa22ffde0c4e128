/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sorts lists that leaves are not for, in one launch that finds nothing to do if they follow:
 * the pass of few different keys, or the counts of all digits and the first of the passes over
 * bytes. The last ones, by which leaves are told apart, have launches of their own.
 *
 * A block does one thing, and which one says the number that it takes, as a loop would make the
 * tiles of passes spill. It waits for blocks of lower numbers only, and those have begun.
 */
#ifndef CONSORT_HYBRID_UNEVEN_CUH
#define CONSORT_HYBRID_UNEVEN_CUH

#include "cuda/device/flag.cuh"
#include "cuda/sorts/hybrid/hybrid_few.cuh"
#include "cuda/sorts/lsd/lsd_histogram.cuh"

template <typename K> struct hybrid_uneven_storage {
    K codes[HYBRID_FEW];
    uint32_t number, progress;
};

template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items, unsigned Window,
          bool Ahead>
struct hybrid_uneven {
    using tile_type = lsd_tile<K, ValueBytes, Threads, Items, Ahead>;
    using few_type = hybrid_few_tile<K, ValueBytes, Threads, Items, Ahead>;
    using histogram_storage = lsd_histogram_storage<K>;
    static_assert(sizeof(histogram_storage) <= sizeof(typename tile_type::storage), "in its place");

    const hybrid_arguments &a;
    hybrid_uneven_storage<K> &s;
    typename tile_type::storage &tile;
    const uint32_t tiles;

    __device__ __forceinline__ hybrid_uneven(const hybrid_arguments &arguments,
                                             hybrid_uneven_storage<K> &storage,
                                             typename tile_type::storage &of_tile)
        : a(arguments), s(storage), tile(of_tile),
          tiles((uint32_t)((arguments.sort.count + tile_type::keys - 1) / tile_type::keys))
    {
    }

    /* This block's number, and what was done when it took it. */
    __device__ __forceinline__ void take_number() const
    {
        if (threadIdx.x == 0) {
            s.number = atomicAdd(&a.control->uneven_blocks, 1u);
            s.progress = load_acquire(&a.control->progress);
        }
        __syncthreads();
    }

    __device__ __forceinline__ void wait_for(uint32_t progress) const
    {
        if (s.progress >= progress)
            return;
        if (threadIdx.x == 0)
            while (load_acquire(&a.control->progress) < progress)
                spin_pause();
        __syncthreads();
    }

    __device__ __forceinline__ void go_on() const
    {
        __syncthreads();
        if (threadIdx.x == 0)
            atomic_add_release(&a.control->progress, 1u);
    }

    __device__ __forceinline__ void sort_few(uint32_t number) const
    {
        if (threadIdx.x < HYBRID_FEW)
            s.codes[threadIdx.x] = code_from_words<K>(a.control->few_codes[threadIdx.x]);
        __syncthreads();
        const lsd_portion all(a.sort, 0, 1);
        few_type moved(a.sort, tile, s.codes);
        lsd_move_tile<few_type, Window>(moved, all, number, lsd_places{a.sort, 0, all});
    }

    __device__ __forceinline__ void count_digits(uint32_t number) const
    {
        constexpr unsigned items = 64 / sizeof(K);
        if (lsd_histogram_of<K, items>(a.sort, (histogram_storage &)tile,
                                       {number, a.histogram_blocks}))
            go_on();
    }

    __device__ __forceinline__ void sort_tile(uint32_t pass, uint32_t number) const
    {
        wait_for(1);
        const lsd_route route = lsd_route_of(a.sort, pass);
        if (route.step == LSD_SKIPPED)
            return;
        wait_for(1 + (uint32_t)route.step * tiles);
        const lsd_portion all(a.sort, 0, 1);
        lsd_sort_tile<K, ValueBytes, Threads, Items, Window, Ahead>(a.sort, pass, route, all,
                                                                    number, tile);
        if (pass + 1 < a.first_passes)
            go_on();
    }

    __device__ __forceinline__ void sort() const
    {
        if (a.sort.control->leaves)
            return;
        take_number();
        const uint32_t number = s.number, later = number - a.histogram_blocks;
        if (a.control->few) {
            if (number < tiles)
                sort_few(number);
        } else if (number < a.histogram_blocks)
            count_digits(number);
        else
            sort_tile(later / tiles, later % tiles);
    }
};

#endif
