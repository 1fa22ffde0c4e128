/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items with equal codes in a sorted list: counting them, and making a list of them alone. Warps
 * own consecutive parts of the list, so that neither needs a barrier inside.
 */
#ifndef CONSORT_NORMALISED_TIES_CUH
#define CONSORT_NORMALISED_TIES_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/ptx.cuh"
#include "cuda/sorts/normalised/normalised_window.cuh"

enum : unsigned {
    NORMALISED_WARPS = 16 /* of a block that refines */
};

struct normalised_ties_storage {
    normalised_ties warps[NORMALISED_WARPS];               /* in each warp's part */
    unsigned long long items_before, groups_before, items; /* in lower blocks; in all */
};

/* A list of sorted codes: prefixes, of which the lowest bytes do not count, or codes of a round. */
template <typename K> struct normalised_list {
    const void *codes;
    uint64_t count;
    uint32_t cut_bits;
    bool is_prefix;

    __device__ __forceinline__ K at(uint64_t i) const
    {
        if (is_prefix)
            return (K)(((const uint64_t *)codes)[i] >> cut_bits);
        return ((const K *)codes)[i];
    }

    /* Whether item i has an equal before it, or one behind it. */
    __device__ __forceinline__ void compare(uint64_t i, bool &before, bool &behind) const
    {
        const K code = at(i);
        before = i > 0 && at(i - 1) == code;
        behind = i + 1 < count && at(i + 1) == code;
    }
};

/* The calling warp's part of `count` items. */
struct normalised_part {
    uint64_t first, end;

    __device__ __forceinline__ explicit normalised_part(uint64_t count)
    {
        const uint64_t parts = (uint64_t)gridDim.x * NORMALISED_WARPS;
        const uint64_t part = (uint64_t)blockIdx.x * NORMALISED_WARPS + threadIdx.x / 32;
        const uint64_t size = (count / parts / 32 + 1) * 32;
        first = min(count, part * size);
        end = min(count, first + size);
    }
};

/* The ties of each warp's part to shared memory, those of the block to the control. */
template <typename K>
static __device__ __forceinline__ void normalised_count_ties(const normalised_list<K> &list,
                                                             normalised_control *control,
                                                             normalised_ties_storage &s)
{
    const normalised_part part(list.count);
    uint64_t items = 0, groups = 0;
#pragma unroll 4
    for (uint64_t i = part.first + threadIdx.x % 32; i < part.end; i += 32) {
        bool before, behind;
        list.compare(i, before, behind);
        items += before || behind;
        groups += behind && !before;
    }
    __syncwarp();
    items = warp_inclusive_sum(items);
    groups = warp_inclusive_sum(groups);
    if (threadIdx.x % 32 == 31)
        s.warps[threadIdx.x / 32] = {items, groups};
    if (threadIdx.x == 0)
        s.items_before = s.groups_before = s.items = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        normalised_ties sum = {0, 0};
        for (unsigned warp = 0; warp < NORMALISED_WARPS; warp++) {
            sum.items += s.warps[warp].items;
            sum.groups += s.warps[warp].groups;
        }
        control->ties[blockIdx.x] = sum;
    }
}

/* After a barrier of the grid: what lower blocks found, and all. */
static __device__ __forceinline__ void normalised_sum_ties(const normalised_control *control,
                                                           normalised_ties_storage &s)
{
    for (uint32_t block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
        const normalised_ties ties = control->ties[block];
        if (ties.items == 0)
            continue;
        atomicAdd(&s.items, (unsigned long long)ties.items);
        if (block < blockIdx.x) {
            atomicAdd(&s.items_before, (unsigned long long)ties.items);
            atomicAdd(&s.groups_before, (unsigned long long)ties.groups);
        }
    }
    __syncthreads();
}

/* Where this warp's ties go in the new list. */
static __device__ __forceinline__ normalised_ties
normalised_ties_before(const normalised_ties_storage &s)
{
    normalised_ties before = {s.items_before, s.groups_before};
    for (unsigned warp = 0; warp < threadIdx.x / 32; warp++) {
        before.items += s.warps[warp].items;
        before.groups += s.warps[warp].groups;
    }
    return before;
}

/* The code of an item in a group: the window begins some bytes before the depth, at a place that
 * the host knows. */
template <typename K>
static __device__ __forceinline__ K normalised_tie_code(const normalised_round &a,
                                                        const normalised_window &window,
                                                        uint32_t depth, uint64_t item,
                                                        uint64_t group)
{
    const byte_range range = normalised_range(a.items);
    const uint128 seen = normalised_look(window, range.begin + item * a.items.item_bytes, range);
    const uint32_t bits = 8 * (sizeof(K) - a.group_bytes);
    const uint32_t beyond = 8 * (NORMALISED_PREFIX_BYTES - depth);
    const K bytes = (K)(seen >> beyond) & (K) ~(K)0 >> (8 * a.group_bytes);
    return (K)group << bits | bytes;
}

template <typename K, typename I>
static __device__ __forceinline__ void
normalised_list_ties(const normalised_list<K> &list, const normalised_round &a,
                     const normalised_window &window, uint32_t depth,
                     const normalised_ties_storage &s)
{
    const normalised_part part(list.count);
    normalised_ties before = normalised_ties_before(s);
    const I *places = (const I *)a.places_in;
    for (uint64_t first = part.first; first < part.end; first += 32) {
        const uint64_t i = first + threadIdx.x % 32;
        bool alike_before = false, alike_behind = false;
        if (i < part.end)
            list.compare(i, alike_before, alike_behind);
        const uint32_t tied = __ballot_sync(0xffffffffu, alike_before || alike_behind);
        const uint32_t heads = __ballot_sync(0xffffffffu, alike_behind && !alike_before);
        if (alike_before || alike_behind) {
            const uint64_t to = before.items + __popc(tied & lanemask_lt());
            const uint64_t group = before.groups + __popc(heads & lanemask_le()) - 1;
            const I item = ((const I *)a.index_in)[i];
            ((I *)a.sort.values_out)[to] = item;
            ((I *)a.places_out)[to] = places ? places[i] : (I)i;
            ((K *)a.sort.keys_out)[to] = normalised_tie_code<K>(a, window, depth, item, group);
        }
        before.items += __popc(tied);
        before.groups += __popc(heads);
    }
}

#endif
