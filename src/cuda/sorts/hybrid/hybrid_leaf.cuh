/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finishing a bucket, whose keys agree in their top digits, by one block in shared memory. What is
 * sorted are words: the next bits of a key, its tag, and below them its position in the bucket, so
 * that no two words are equal and equal tags stay in order. Where tags are not all that remains of
 * a key, neighbours with equal ones are compared by their keys. Values move once, at the end.
 */
#ifndef CONSORT_HYBRID_LEAF_CUH
#define CONSORT_HYBRID_LEAF_CUH

#include "cuda/device/async_copy.cuh"
#include "cuda/device/values.cuh"
#include "cuda/sorts/hybrid/hybrid_order.cuh"
#include "cuda/sorts/lsd/lsd_pass.cuh"

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

/* `Follow`: keys follow their words to shared memory. Else a key is its bucket and its tag. */
template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items, bool Follow>
struct hybrid_leaf {
    static constexpr unsigned capacity = Threads * Items;
    using value_type = typename value_class<ValueBytes>::type;
    using order_type = hybrid_order<K, Threads, Items, Follow>;
    using words = hybrid_words<K>;

    struct alignas(16) storage {
        typename order_type::storage order;
        alignas(16) value_type value[capacity];
        K key[Follow ? capacity : 1];
    };

    storage &s;
    const codes<K> codec;
    const hybrid_route route;
    const K common;
    const uint32_t lead, bucket_bits;
    uint32_t bucket, count, begin;
    uint32_t word[Items];

    __device__ __forceinline__ hybrid_leaf(const hybrid_arguments &a, storage &memory)
        : s(memory), codec(a.sort.codec), route(a.sort),
          common(code_from_words<K>(a.control->common)), lead(a.sort.control->lead),
          bucket_bits(a.control->bucket_bits), bucket(0), count(0), begin(0)
    {
        order_type::binning::clear(s.order.bin);
        __syncthreads();
    }

    static __device__ __forceinline__ uint32_t position(unsigned i)
    {
        return i * Threads + threadIdx.x;
    }

    /* The caller's own words; beyond the last key they are last. */
    __device__ __forceinline__ void load_keys()
    {
        const K *from = (const K *)route.keys_from + begin;
        K code[Items];
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < count)
                code[i] = from[position(i)];
        load_values();
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            word[i] = words::last;
            if (position(i) < count) {
                word[i] = words::of(code[i], bucket_bits, position(i));
                if constexpr (Follow)
                    s.key[position(i)] = code[i];
            }
        }
    }

    __device__ __forceinline__ void load_values()
    {
        const value_reader<ValueBytes> in(route.values_from);
        if (in.aligned) {
            const value_type *from = (const value_type *)in.bytes + begin;
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (position(i) < count)
                    async_copy(&s.value[position(i)], from + position(i));
            return;
        }
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < count)
                s.value[position(i)] = in.at((uint64_t)begin + position(i));
    }

    __device__ __forceinline__ K code_of(uint32_t sorted) const
    {
        if constexpr (Follow)
            return (K)(common | (K)(s.key[words::place(sorted)] >> lead));
        else
            return (K)(common | (K)(words::code(sorted, bucket, bucket_bits) >> lead));
    }

    template <typename Decode>
    __device__ __forceinline__ void store_keys(const Decode &decode) const
    {
        K *keys = (K *)route.keys_to + begin;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < count)
                keys[position(i)] = decode(code_of(word[i]));
    }

    __device__ __forceinline__ void store_values() const
    {
        const value_writer<ValueBytes> out(route.values_to);
        if (out.aligned) {
            value_type *to = (value_type *)out.bytes + begin;
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (position(i) < count)
                    to[position(i)] = s.value[words::place(word[i])];
            return;
        }
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < count)
                out.put((uint64_t)begin + position(i),
                        s.value[words::place(s.order.word[position(i)])]);
    }

    __device__ __forceinline__ void store()
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            word[i] = s.order.word[position(i)];
        if (route.keys_to && codec.identity)
            store_keys([](K code) { return code; });
        else if (route.keys_to)
            store_keys([this](K code) { return codec.decode(code); });
        store_values();
    }

    __device__ __forceinline__ void sort(uint32_t number, uint32_t first, uint32_t keys)
    {
        bucket = number;
        begin = first;
        count = keys;
        load_keys();
        const order_type order{s.order, s.key, count};
        order.sort(word);
        async_copy_wait();
        order_type::binning::clear(s.order.bin);
        __syncthreads();
        store();
        __syncthreads();
    }
};

/* Bounds of buckets are read a bucket ahead, so that keys need not wait for them. */
template <typename Leaf>
static __device__ __forceinline__ void hybrid_sort_buckets(const hybrid_arguments &a,
                                                           typename Leaf::storage &s)
{
    Leaf leaf(a, s);
    const uint32_t buckets = 1u << leaf.bucket_bits, *cells = a.control->cells;
    const uint32_t finer = a.cell_bits - leaf.bucket_bits;
    uint32_t begin = 0, end = 0;
    if (blockIdx.x < buckets) {
        begin = cells[blockIdx.x << finer];
        end = cells[(blockIdx.x + 1) << finer];
    }
    for (uint32_t bucket = blockIdx.x; bucket < buckets; bucket += gridDim.x) {
        const uint32_t first = begin, count = end - begin, next = bucket + gridDim.x;
        if (next < buckets) {
            begin = cells[next << finer];
            end = cells[(next + 1) << finer];
        }
        if (count > 0)
            leaf.sort(bucket, first, count);
    }
}

template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void hybrid_sort_leaves(const hybrid_arguments &a, void *shared)
{
    using following = hybrid_leaf<K, ValueBytes, Threads, Items, true>;
    if (!a.sort.control->leaves)
        return;
    if constexpr (sizeof(K) == 4) {
        using alone = hybrid_leaf<K, ValueBytes, Threads, Items, false>;
        if (!a.keys_follow) {
            hybrid_sort_buckets<alone>(a, *(typename alone::storage *)shared);
            return;
        }
    }
    hybrid_sort_buckets<following>(a, *(typename following::storage *)shared);
}

#endif
