/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves of long argsorts, whose buckets' numbers are the upper halves of keys of 4 bytes: the
 * second step has left the lower halves only.
 */
#ifndef CONSORT_HYBRID_HALVES_CUH
#define CONSORT_HYBRID_HALVES_CUH

#include "cuda/sorts/hybrid/hybrid_leaf.cuh"

template <unsigned Threads, unsigned Items>
struct hybrid_half_leaf : hybrid_leaf<uint32_t, 4, Threads, Items, false> {
    using leaf = hybrid_leaf<uint32_t, 4, Threads, Items, false>;
    using order_type = typename leaf::order_type;
    using words = typename leaf::words;
    using leaf::bucket;
    using leaf::leaf;
    using leaf::position;
    using leaf::route;
    using leaf::s;
    using leaf::word;

    /* A bucket may begin with the second half of a pair. */
    static constexpr unsigned pairs = (leaf::capacity / 2 + 1 + Threads - 1) / Threads;

    uint32_t pair[pairs]; /* of halves, as they were fetched */

    __device__ __forceinline__ void fetch_keys(const hybrid_bucket &from)
    {
        const uint32_t *halves = (const uint32_t *)route.keys_from + from.begin / 2;
        const uint32_t end = from.count > 0 ? from.count + from.begin % 2 : 0;
#pragma unroll
        for (unsigned i = 0; i < pairs; i++)
            pair[i] = 2 * position(i) < end ? halves[position(i)] : 0;
    }

    template <typename Visit> __device__ __forceinline__ void each(const Visit &visit) const
    {
#pragma unroll
        for (unsigned i = 0; i < pairs; i++) {
            const uint32_t place = 2 * position(i) - bucket.begin % 2;
            if (place < bucket.count)
                visit(pair[i] << 16 | place);
            if (place + 1 < bucket.count)
                visit((pair[i] & 0xffff0000u) | (place + 1));
        }
    }

    __device__ __forceinline__ void sort_by_digits(const order_type &order)
    {
        each([this](uint32_t own) { s.order.word[words::place(own)] = own; });
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            word[i] = position(i) < bucket.count ? s.order.word[position(i)] : words::last;
        order.sort_by_digits(word);
    }

    /* The halves of `now` have been fetched; those of `next` are when words have taken their place.
     */
    __device__ __forceinline__ void sort(const hybrid_bucket &now, const hybrid_bucket &next)
    {
        bucket = now;
        if (now.count == 0) {
            fetch_keys(next);
            return;
        }
        hybrid_load_values<4, Threads, Items>(route.values_from, now.begin, now.count, s.value);
        const order_type order{s.order, s.key, now.count};
        const auto visit_each = [this](const auto &visit) { this->each(visit); };
        if (order.count_bins(visit_each)) {
            sort_by_digits(order);
            fetch_keys(next);
        } else {
            order.put_in_bins(visit_each);
            fetch_keys(next);
            order.transpose();
        }
        leaf::settle();
        leaf::store_values();
        __syncthreads();
    }
};

template <unsigned Threads, unsigned Items>
static __device__ __forceinline__ void hybrid_sort_half_leaves(const hybrid_arguments &a,
                                                               void *shared)
{
    using leaf = hybrid_half_leaf<Threads, Items>;
    if (hybrid_leaves_follow<uint32_t, 4>(a))
        hybrid_sort_buckets<leaf>(a, *(typename leaf::storage *)shared);
}

#endif
