/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One round of telling tied items apart, all of it in one launch whose blocks run together: where
 * nothing is tied, which is the usual case, it ends after the first look. The sort is that of `lsd`
 * with blocks that take tiles until there are none.
 */
#ifndef CONSORT_NORMALISED_REFINE_CUH
#define CONSORT_NORMALISED_REFINE_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/lsd/lsd_finish.cuh"
#include "cuda/sorts/lsd/lsd_histogram.cuh"
#include "cuda/sorts/lsd/lsd_pass.cuh"
#include "cuda/sorts/normalised/normalised_ties.cuh"

static __device__ __forceinline__ uint64_t normalised_thread()
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ uint64_t normalised_threads()
{
    return (uint64_t)gridDim.x * blockDim.x;
}

static __device__ __forceinline__ void normalised_clear(uint32_t *words, uint64_t count)
{
    for (uint64_t i = normalised_thread(); i < count; i += normalised_threads())
        words[i] = 0;
}

/* Ties are often whole equal keys, which no sort would move. */
template <typename K>
static __device__ __forceinline__ void normalised_check_order(const lsd_arguments &sort,
                                                              normalised_control *control)
{
    const K *codes = (const K *)sort.keys_out;
    bool disordered = false;
    for (uint64_t i = normalised_thread() + 1; i < sort.count; i += normalised_threads())
        disordered |= codes[i] < codes[i - 1];
    if (__syncthreads_or(disordered) && threadIdx.x == 0)
        control->disordered = 1;
}

template <typename K, unsigned IndexBytes, unsigned Threads, unsigned Items>
struct normalised_refiner {
    using tile_type = lsd_tile<K, IndexBytes, Threads, Items>;
    using storage = typename tile_type::storage;
    using index_type = typename value_class<IndexBytes>::type;
    static_assert(Threads == 32 * NORMALISED_WARPS, "a slot for each warp");
    static_assert(sizeof(lsd_histogram_storage<K>) <= sizeof(storage),
                  "the histogram fits where tiles go");

    const normalised_round &round;
    const lsd_arguments &sort; /* in shared memory, with the count */
    storage &s;

    __device__ __forceinline__ void barrier() const
    {
        grid_barrier(&round.control->arrivals);
    }

    __device__ __forceinline__ uint64_t lookback_words() const
    {
        const uint64_t keys = min(sort.count, LSD_PORTION_KEYS);
        return (keys + tile_type::keys - 1) / tile_type::keys * LSD_BINS;
    }

    /* Look-back words lie behind the control block. */
    __device__ __forceinline__ void clear() const
    {
        uint32_t *control = (uint32_t *)sort.control;
        normalised_clear(control, (uint64_t)(sort.lookback - control) + lookback_words());
    }

    __device__ __forceinline__ void run_pass(uint32_t pass, uint32_t number,
                                             uint32_t portions) const
    {
        const lsd_route route = lsd_route_of(sort, pass);
        const lsd_portion portion(sort, number, portions);
        if (portions > 1) {
            normalised_clear(sort.lookback, lookback_words());
            barrier();
        }
        for (;;) {
            const uint32_t tile = lsd_next_tile(sort, pass, portion, &s.tile);
            if (portion.first + (uint64_t)tile * tile_type::keys >= portion.end)
                break;
            lsd_sort_tile<K, IndexBytes, Threads, Items>(sort, pass, route, portion, tile, s);
        }
        barrier();
    }

    __device__ __forceinline__ void sort_list() const
    {
        const uint32_t portions =
            (uint32_t)((sort.count + LSD_PORTION_KEYS - 1) / LSD_PORTION_KEYS);
        for (uint32_t pass = 0; pass < sort.passes; pass++)
            if (sort.control->step[pass] != LSD_SKIPPED)
                for (uint32_t portion = 0; portion < portions; portion++)
                    run_pass(pass, portion, portions);
        lsd_finish(sort, sizeof(K), IndexBytes);
        barrier();
    }

    __device__ __forceinline__ void place_list() const
    {
        const index_type *index = (const index_type *)sort.values_out;
        const index_type *places = (const index_type *)round.places_out;
        for (uint64_t i = normalised_thread(); i < sort.count; i += normalised_threads())
            ((index_type *)round.index_final)[places[i]] = index[i];
    }

    /* The new list has been made, and the barrier passed. */
    __device__ __forceinline__ void run() const
    {
        normalised_check_order<K>(sort, round.control);
        lsd_histogram<K>(sort, (lsd_histogram_storage<K> &)s);
        barrier();
        if (!round.control->disordered)
            return;
        sort_list();
        place_list();
    }
};

/* The list that the round begins with. Its depth: the bytes of the key that are told apart. */
template <typename K>
static __device__ __forceinline__ normalised_list<K> normalised_begin(const normalised_round &a,
                                                                      uint32_t &depth)
{
    normalised_list<K> list = {a.codes_in, a.items.count, 0, !a.places_in};
    if (list.is_prefix) {
        const uint32_t cut = a.sort.control->cut;
        depth = a.prefix_bytes - cut;
        list.cut_bits = 8 * cut;
    } else {
        depth = a.control->depth;
        list.count = a.control->count;
    }
    return list;
}

template <typename K, unsigned IndexBytes, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
normalised_refine(const normalised_round &a, const normalised_window &window,
                  normalised_ties_storage &ties, lsd_arguments &sort,
                  typename normalised_refiner<K, IndexBytes, Threads, Items>::storage &s)
{
    using refiner_type = normalised_refiner<K, IndexBytes, Threads, Items>;
    uint32_t depth;
    const normalised_list<K> list = normalised_begin<K>(a, depth);
    const uint64_t told = depth + (uint64_t)a.number * (sizeof(K) - a.group_bytes);
    if (list.count == 0 || told >= a.key_bytes)
        return;
    const bool speaks = blockIdx.x == 0 && threadIdx.x == 0;
    normalised_count_ties(list, a.control, ties);
    if (speaks)
        a.control->disordered = 0;
    grid_barrier(&a.control->arrivals);

    normalised_sum_ties(a.control, ties);
    if (speaks) {
        a.control->depth = depth;
        a.control->count = ties.items;
    }
    if (ties.items == 0)
        return;
    if (threadIdx.x == 0) {
        sort = a.sort;
        sort.count = ties.items;
    }
    __syncthreads();
    const refiner_type refiner = {a, sort, s};
    refiner.clear();
    normalised_list_ties<K, typename refiner_type::index_type>(list, a, window, depth, ties);
    grid_barrier(&a.control->arrivals);
    refiner.run();
}

#endif
