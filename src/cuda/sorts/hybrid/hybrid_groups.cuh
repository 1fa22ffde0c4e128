/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is left of a list that passes have sorted by a prefix of its keys: groups with the same
 * prefix. They are finished chunk by chunk; each begins where a group does, if that is not far. A
 * group that goes on and on is cut: the chunks of one with equal keys are in order all the same.
 * Where they are not, the group is sorted once more, by itself.
 */
#ifndef CONSORT_HYBRID_GROUPS_CUH
#define CONSORT_HYBRID_GROUPS_CUH

#include "cuda/device/flag.cuh"
#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/hybrid/hybrid_chunk.cuh"
#include "cuda/sorts/hybrid/hybrid_large.cuh"
#include "cuda/sorts/hybrid/hybrid_layout.h"

/* Where the sorted keys of an argsort go, which the caller does not want: only if some group was
 * cut they are looked at. */
static __device__ __forceinline__ hybrid_route hybrid_route_of_groups(const hybrid_arguments &a)
{
    hybrid_route route(a.sort);
    if (!route.keys_to && load_relaxed(&a.control->cut_groups))
        route.keys_to = a.sort.keys_spare[0];
    return route;
}

template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items> struct hybrid_groups {
    using chunk_type = hybrid_chunk<K, ValueBytes, Threads, Items>;
    using large_type = hybrid_large<K, ValueBytes, Threads, Items>;
    static constexpr uint32_t reach = chunk_type::capacity / 9 * 2;
    static constexpr uint32_t chunk = chunk_type::capacity - reach;
    static constexpr uint32_t cut_group = 1u << 31; /* of a word that says where a chunk begins */
    static_assert(reach % 32 == 0, "rows of a warp");

    union storage {
        typename chunk_type::storage chunk;
        typename large_type::storage large;
    };

    const hybrid_arguments &a;
    const codes<K> codec;
    const uint32_t items, chunks, cut_bits; /* below the prefix */

    __device__ __forceinline__ explicit hybrid_groups(const hybrid_arguments &arguments)
        : a(arguments), codec(a.sort.codec), items((uint32_t)a.sort.count),
          chunks((items + chunk - 1) / chunk), cut_bits(8 * a.sort.control->cut)
    {
    }

    /* The words for look-backs are free: one for each chunk, and then numbers of chunks that follow
     * a part of their group without being in order. */
    __device__ __forceinline__ uint32_t *begins() const
    {
        return a.sort.lookback;
    }

    __device__ __forceinline__ uint32_t *disordered() const
    {
        return a.sort.lookback + chunks;
    }

    __device__ __forceinline__ uint32_t begin_of(uint32_t number) const
    {
        if (number == 0 || number == chunks)
            return number == 0 ? 0 : items;
        return load_relaxed(&begins()[number]) & ~cut_group;
    }

    /* Where the first group from `first` on begins, found by a warp. */
    __device__ __forceinline__ uint32_t begin_from(const K *keys, uint32_t first) const
    {
        for (uint32_t row = first; row < first + reach; row += 32) {
            const uint32_t at = row + threadIdx.x % 32;
            const bool begins = at >= items || keys[at] >> cut_bits != keys[at - 1] >> cut_bits;
            const uint32_t who = __ballot_sync(0xffffffffu, begins);
            if (who)
                return min(row + (uint32_t)__ffs((int)who) - 1, items);
        }
        return first | cut_group;
    }

    __device__ __forceinline__ void find_begins() const
    {
        const K *keys = (const K *)hybrid_route(a.sort).keys_from;
        const uint32_t warps = gridDim.x * Threads / 32;
        const uint32_t warp = (blockIdx.x * Threads + threadIdx.x) / 32;
        for (uint32_t number = 1 + warp; number < chunks; number += warps) {
            const uint32_t begin = begin_from(keys, number * chunk);
            if (threadIdx.x % 32 > 0)
                continue;
            store_relaxed(&begins()[number], begin);
            if (begin & cut_group)
                store_relaxed(&a.control->cut_groups, 1u);
        }
    }

    __device__ __forceinline__ void sort_chunks(const hybrid_route &route,
                                                typename chunk_type::storage &s) const
    {
        chunk_type sorter(a.sort, route, s);
        for (uint32_t number = blockIdx.x; number < chunks; number += gridDim.x) {
            const uint32_t begin = begin_of(number), end = begin_of(number + 1);
            if (begin < end)
                sorter.sort(begin, end - begin);
        }
    }

    /* Whether both parts of a group are in order. */
    __device__ __forceinline__ void check_cuts(const void *sorted) const
    {
        const K *keys = (const K *)sorted;
        const uint32_t thread = blockIdx.x * Threads + threadIdx.x;
        for (uint32_t number = 1 + thread; number < chunks; number += gridDim.x * Threads) {
            const uint32_t begin = load_relaxed(&begins()[number]), at = begin & ~cut_group;
            if (begin & cut_group && codec.encode(keys[at]) < codec.encode(keys[at - 1]))
                store_relaxed(&disordered()[atomicAdd(&a.control->disordered, 1u)], number);
        }
    }

    __device__ __forceinline__ K prefix_at(const void *sorted, uint32_t at) const
    {
        return (K)(codec.encode(((const K *)sorted)[at]) >> cut_bits);
    }

    /* Whether no other part of the group is listed that stands before this one. */
    __device__ __forceinline__ bool is_first(const void *sorted, uint32_t number, K prefix,
                                             uint32_t listed) const
    {
        bool before = false;
        for (uint32_t i = threadIdx.x; i < listed; i += Threads) {
            const uint32_t other = load_relaxed(&disordered()[i]);
            before |= other < number && prefix_at(sorted, begin_of(other)) == prefix;
        }
        return !__syncthreads_or(before);
    }

    /* Where prefixes begin that are as high, or higher. */
    __device__ __forceinline__ uint32_t first_of(const void *sorted, K prefix, bool higher) const
    {
        uint32_t low = 0, high = items;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            const K other = prefix_at(sorted, middle);
            if (other < prefix || (higher && other == prefix))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    /* Whoever looks at a group while its block sorts it finds keys with its prefix all the same. */
    __device__ __forceinline__ void sort_disordered(const hybrid_route &route,
                                                    typename large_type::storage &s) const
    {
        const hybrid_arrays home = {route.keys_to, route.values_to};
        const hybrid_arrays spare = {a.sort.keys_spare[a.sort.keys_out ? 0 : 1],
                                     a.sort.values_spare};
        const uint32_t listed = load_relaxed(&a.control->disordered);
        for (uint32_t i = blockIdx.x; i < listed; i += gridDim.x) {
            const uint32_t number = load_relaxed(&disordered()[i]);
            const K prefix = prefix_at(home.keys, begin_of(number));
            if (is_first(home.keys, number, prefix, listed))
                large_type{s,
                           codec,
                           home,
                           spare,
                           first_of(home.keys, prefix, false),
                           first_of(home.keys, prefix, true)}
                    .sort();
        }
    }
};

/* Not inlined: its registers are no concern of the chunks. */
template <typename Groups>
__attribute__((noinline)) static __device__ void
hybrid_finish_cuts(const Groups &groups, const hybrid_route &route, typename Groups::storage &s)
{
    uint32_t *arrivals = &groups.a.sort.control->arrivals;
    grid_barrier(arrivals);
    groups.check_cuts(route.keys_to);
    grid_barrier(arrivals);
    groups.sort_disordered(route, s.large);
}

template <typename Groups>
static __device__ __forceinline__ void hybrid_finish_groups(const hybrid_arguments &a,
                                                            typename Groups::storage &s)
{
    if (a.sort.control->leaves != LSD_GROUPS)
        return;
    const Groups groups(a);
    groups.find_begins();
    grid_barrier(&a.sort.control->arrivals);
    const hybrid_route route = hybrid_route_of_groups(a);
    groups.sort_chunks(route, s.chunk);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        lsd_tell_outcome(a.sort, 1);
    if (load_relaxed(&a.control->cut_groups))
        hybrid_finish_cuts(groups, route, s);
}

#endif
