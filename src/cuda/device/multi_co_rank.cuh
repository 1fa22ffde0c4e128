/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Co-ranks of several sorted lists: how many of the first `rank` items of their merge come from
 * each. Taken are blocks of 2^k items, as many as fit into the rank, those whose last items come
 * first; then blocks half as long (P. J. Varman, S. D. Scheufler, B. R. Iyer, G. R. Ricard,
 * "Merging Multiple Lists on Hierarchical-Memory Multiprocessors", 1991). Of equal items those of
 * earlier lists come first.
 */
#ifndef CONSORT_CUDA_MULTI_CO_RANK_CUH
#define CONSORT_CUDA_MULTI_CO_RANK_CUH

#include "cuda/device/device.cuh"

/* Each of `Lists` neighbouring lanes has one list; all lanes of the warp take part. A `Source` has
 * a type `word`, which is compared, `count` items and word at(index). Lists go on with items above
 * all others, so that a block may reach beyond their end. */
template <unsigned Lists, typename Source> struct multi_co_rank {
    using word = typename Source::word;
    static_assert(Lists >= 2 && Lists <= 32 && (Lists & (Lists - 1)) == 0, "lanes share a warp");

    uint64_t taken = 0; /* of this lane's list */

    /* `most`: no less than any lane's rank, and the same for all. */
    __device__ __forceinline__ multi_co_rank(const Source &lane_list, uint64_t rank, uint64_t most)
        : source(lane_list), list(threadIdx.x % Lists), last(none())
    {
#pragma unroll 1
        for (uint64_t step = 1ull << (63 - __clzll((long long)(most | 1))); step > 0; step /= 2)
            halve(step, rank & ~(step - 1), rank & step);
    }

  private:
    enum {
        NONE = 0,
        ITEM = Lists,
        BEYOND = 2 * Lists
    };

    /* What it is, and the list's number, by which equal ones are told apart. */
    struct sample {
        word code;
        uint32_t kind;

        __device__ __forceinline__ bool operator<(const sample &other) const
        {
            const bool alike = (kind ^ other.kind) < Lists;
            return alike && code != other.code ? code < other.code : kind < other.kind;
        }
    };

    const Source &source;
    const uint32_t list;
    sample last; /* the last item taken */

    __device__ __forceinline__ sample none() const
    {
        return {0, NONE | list};
    }

    __device__ __forceinline__ sample at(uint64_t index) const
    {
        if (index >= source.count)
            return {0, BEYOND | list};
        return {source.at(index), ITEM | list};
    }

    /* The lowest, or the highest, of all lists'. */
    template <bool Lowest> static __device__ __forceinline__ sample of_all(sample own)
    {
#pragma unroll
        for (unsigned lanes = 1; lanes < Lists; lanes *= 2) {
            const sample other = {__shfl_xor_sync(0xffffffffu, own.code, (int)lanes),
                                  __shfl_xor_sync(0xffffffffu, own.kind, (int)lanes)};
            const bool take = Lowest ? other < own : own < other;
            own.code = take ? other.code : own.code;
            own.kind = take ? other.kind : own.kind;
        }
        return own;
    }

    __device__ __forceinline__ bool is_own(const sample &found) const
    {
        return found.kind % Lists == list;
    }

    /* Blocks of twice the step were taken. Of each list the next half block is taken too, if it
     * ends before the last item taken of all: then there are up to Lists - 1 more than before, of
     * which only one may be wanted; and it is missing if there are none. */
    __device__ __forceinline__ void halve(uint64_t step, uint64_t wanted, bool one_more)
    {
        const sample next = wanted > 0 ? at(taken + step - 1) : sample{0, BEYOND | list};
        const sample behind = taken > step ? at(taken - step - 1) : none();
        const bool takes = next < of_all<false>(last);
        sample previous = takes ? last : behind;
        const unsigned lane = threadIdx.x % 32;
        const unsigned team = __ballot_sync(0xffffffffu, takes) >> (lane - list);
        int excess = __popc(team << (32 - Lists)) - (one_more ? 1 : 0);
        const sample lowest = of_all<true>(next);
        if (takes || (excess < 0 && is_own(lowest))) {
            taken += step;
            last = next;
        }
        while (__any_sync(0xffffffffu, excess > 0)) {
            const sample highest = of_all<false>(last);
            if (excess > 0 && is_own(highest)) {
                taken -= step;
                last = previous;
                previous = taken > step ? at(taken - step - 1) : none();
            }
            excess--;
        }
    }
};

#endif
