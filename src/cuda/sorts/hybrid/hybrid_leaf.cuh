/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finishing a bucket, whose keys agree in their top digits, by one block in shared memory. What is
 * sorted are words: the next bits of a key, its tag, and below them its position in the bucket, so
 * that no two words are equal and equal tags stay in order. Where tags are not all that remains of
 * a key, neighbours with equal ones are compared by their keys. Values move once, at the end.
 */
#ifndef CONSORT_HYBRID_LEAF_CUH
#define CONSORT_HYBRID_LEAF_CUH

#include "cuda/sorts/hybrid/hybrid_order.cuh"
#include "cuda/sorts/hybrid/hybrid_values.cuh"
#include "cuda/sorts/lsd/lsd_finish.cuh"

/* Where buckets stand when the steps are done, and where they go: perhaps to the same places. */
struct hybrid_route {
    const void *keys_from, *values_from;
    void *keys_to, *values_to;

    __device__ __forceinline__ explicit hybrid_route(const lsd_arguments &a)
        : keys_to(a.keys_out), values_to(a.values_out)
    {
        const int turn = lsd_shift(a, a.control->step_count);
        keys_from = lsd_keys_at(a, turn);
        values_from = lsd_values_at(a, turn);
    }
};

struct hybrid_bucket {
    uint32_t number, begin, count;
    uint32_t middle; /* where its upper half begins in it, if it is halved; else 0 */
};

/* `Follow`: keys follow their words to shared memory. Else a key is its bucket and its tag; in a
 * bucket that is halved a tag takes one bit more, and places, one bit less, count from the half's
 * start: its highest bit tells halves apart, and by that bit items are sorted when they come. */
template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items, bool Follow,
          bool Halved = false>
struct hybrid_leaf {
    static constexpr unsigned capacity = Threads * Items;
    static constexpr bool halved = Halved;
    static constexpr unsigned place_bits = HYBRID_PLACE_BITS - Halved;
    using value_type = typename value_class<ValueBytes>::type;
    using order_type = hybrid_order<K, Threads, Items, Follow, place_bits>;
    using words = hybrid_words<K, place_bits>;

    using storage =
        hybrid_block_storage<K, order_type, value_type, capacity, Follow ? capacity : 1>;

    storage &s;
    const codes<K> codec;
    const hybrid_route route;
    const K common;
    const uint32_t lead, bucket_bits;
    hybrid_bucket bucket;
    K code[Items]; /* as they were fetched */
    uint32_t word[Items];

    __device__ __forceinline__ hybrid_leaf(const hybrid_arguments &a, storage &memory)
        : s(memory), codec(a.sort.codec), route(a.sort),
          common(code_from_words<K>(a.control->common)), lead(a.sort.control->lead),
          bucket_bits(a.control->bucket_bits), bucket()
    {
        order_type::binning::clear(s.order.bin);
        __syncthreads();
    }

    static __device__ __forceinline__ uint32_t position(unsigned i)
    {
        return hybrid_position<Threads>(i);
    }

    /* Nothing stays of what was fetched before: the registers are free in between. */
    __device__ __forceinline__ void fetch_keys(const hybrid_bucket &from)
    {
        const K *keys = (const K *)route.keys_from + from.begin;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            code[i] = position(i) < from.count ? keys[position(i)] : (K)0;
    }

    /* From where places count, of a word or of its tag. */
    __device__ __forceinline__ uint32_t half_of(uint32_t tag) const
    {
        return Halved && (int32_t)tag < 0 ? bucket.middle : 0;
    }

    __device__ __forceinline__ uint32_t place_of(uint32_t own) const
    {
        return words::place(own) + half_of(own);
    }

    /* The caller's own words; beyond the last key they are last. */
    __device__ __forceinline__ void make_words()
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            word[i] = words::last;
            if (position(i) < bucket.count) {
                const uint32_t half = half_of(words::tag(code[i], bucket_bits));
                word[i] = words::of(code[i], bucket_bits, position(i) - half);
                if constexpr (Follow)
                    s.key[position(i)] = code[i];
            }
        }
    }

    __device__ __forceinline__ K code_of(uint32_t sorted) const
    {
        if constexpr (Follow)
            return (K)(common | (K)(s.key[words::place(sorted)] >> lead));
        else
            return (K)(common | (K)(words::code(sorted, bucket.number, bucket_bits) >> lead));
    }

    template <typename Decode>
    __device__ __forceinline__ void store_keys(const Decode &decode) const
    {
        K *keys = (K *)route.keys_to + bucket.begin;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < bucket.count)
                keys[position(i)] = decode(code_of(word[i]));
    }

    __device__ __forceinline__ void store_values() const
    {
        const value_writer<ValueBytes> out(route.values_to);
        if (out.aligned) {
            value_type *to = (value_type *)out.bytes + bucket.begin;
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (position(i) < bucket.count)
                    to[position(i)] = s.value[place_of(word[i])];
            return;
        }
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < bucket.count)
                out.put((uint64_t)bucket.begin + position(i),
                        s.value[place_of(s.order.word[position(i)])]);
    }

    __device__ __forceinline__ void take_words()
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            word[i] = s.order.word[position(i)];
    }

    __device__ __forceinline__ void store() const
    {
        if (route.keys_to && codec.identity)
            store_keys([](K sorted) { return sorted; });
        else if (route.keys_to)
            store_keys([this](K sorted) { return codec.decode(sorted); });
        store_values();
    }

    /* Words are sorted; values are here then. */
    __device__ __forceinline__ void settle()
    {
        async_copy_wait();
        order_type::binning::clear(s.order.bin);
        __syncthreads();
        take_words();
    }

    /* The keys of `now` have been fetched; those of `next` are when its own are settled. */
    __device__ __forceinline__ void sort(const hybrid_bucket &now, const hybrid_bucket &next)
    {
        bucket = now;
        if (now.count == 0) {
            fetch_keys(next);
            return;
        }
        hybrid_load_values<ValueBytes, Threads, Items>(route.values_from, now.begin, now.count,
                                                       s.value);
        make_words();
        const order_type order{s.order, s.key, now.count};
        order.sort(word);
        settle();
        fetch_keys(next);
        store();
        __syncthreads();
    }
};

/* Its bounds; beyond the last bucket there is nothing. */
template <bool Halved>
static __device__ __forceinline__ hybrid_bucket hybrid_bucket_at(const hybrid_arguments &a,
                                                                 uint32_t bucket_bits,
                                                                 uint32_t number)
{
    if (number >> bucket_bits)
        return {number, 0, 0, 0};
    const uint32_t *cells = a.cells, finer = a.cell_bits - bucket_bits;
    const uint32_t begin = cells[number << finer];
    const uint32_t middle = Halved ? cells[(2 * number + 1) << (finer - 1)] - begin : 0;
    return {number, begin, cells[(number + 1) << finer] - begin, middle};
}

/* Bounds are read a bucket ahead, so that keys need not wait for them. */
template <typename Leaf>
static __device__ __forceinline__ void hybrid_sort_buckets(const hybrid_arguments &a,
                                                           typename Leaf::storage &s)
{
    Leaf leaf(a, s);
    hybrid_bucket now = hybrid_bucket_at<Leaf::halved>(a, leaf.bucket_bits, blockIdx.x);
    leaf.fetch_keys(now);
    while (now.number >> leaf.bucket_bits == 0) {
        const hybrid_bucket next =
            hybrid_bucket_at<Leaf::halved>(a, leaf.bucket_bits, now.number + gridDim.x);
        leaf.sort(now, next);
        now = next;
    }
}

/* Whether leaves follow; if not, their blocks do what is left when passes have sorted. */
template <typename K, unsigned ValueBytes>
static __device__ __forceinline__ bool hybrid_leaves_follow(const hybrid_arguments &a)
{
    const uint32_t leaves = a.sort.control->leaves;
    if (leaves == 0)
        lsd_finish<HYBRID_COPIED_WORDS>(a.sort, sizeof(K), ValueBytes);
    return leaves == LSD_LEAVES;
}

template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void hybrid_sort_leaves(const hybrid_arguments &a, void *shared)
{
    using following = hybrid_leaf<K, ValueBytes, Threads, Items, true>;
    if (!hybrid_leaves_follow<K, ValueBytes>(a))
        return;
    if constexpr (sizeof(K) == 4) {
        using alone = hybrid_leaf<K, ValueBytes, Threads, Items, false>;
        using halved = hybrid_leaf<K, ValueBytes, Threads, Items, false, true>;
        if (!a.keys_follow && a.control->bucket_bits == a.halved_bits) {
            hybrid_sort_buckets<halved>(a, *(typename halved::storage *)shared);
            return;
        }
        if (!a.keys_follow) {
            hybrid_sort_buckets<alone>(a, *(typename alone::storage *)shared);
            return;
        }
    }
    hybrid_sort_buckets<following>(a, *(typename following::storage *)shared);
}

#endif
