/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chunk of a list that is sorted by a prefix of its keys, put in order by one block in shared
 * memory. Its words are as those of a leaf, with a tag of the distance to its first prefix. Most
 * chunks of lists with many equal keys are in order as they come.
 */
#ifndef CONSORT_HYBRID_CHUNK_CUH
#define CONSORT_HYBRID_CHUNK_CUH

#include "cuda/device/code_range.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/sorts/hybrid/hybrid_leaf.cuh"

template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items> struct hybrid_chunk {
    static constexpr unsigned capacity = Threads * Items, bits = 8 * sizeof(K);
    using value_type = typename value_class<ValueBytes>::type;
    using order_type = hybrid_order<K, Threads, Items, true>;
    using words = hybrid_words<K>;

    using storage = hybrid_block_storage<K, order_type, value_type, capacity, capacity>;

    storage &s;
    const codes<K> codec;
    const hybrid_route route; /* to keys_to only if somebody wants keys */
    const uint32_t cut_bits;  /* below the prefix */
    uint32_t begin, count;
    K code[Items];
    uint32_t word[Items];

    __device__ __forceinline__ hybrid_chunk(const lsd_arguments &a, const hybrid_route &way,
                                            storage &memory)
        : s(memory), codec(a.codec), route(way), cut_bits(8 * a.control->cut), begin(0), count(0)
    {
    }

    static __device__ __forceinline__ uint32_t position(unsigned i)
    {
        return hybrid_position<Threads>(i);
    }

    /* Whether keys are in order as they came. Holds two barriers. */
    __device__ __forceinline__ bool load()
    {
        const K *keys = (const K *)route.keys_from + begin;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            code[i] = position(i) < count ? keys[position(i)] : (K)0;
        hybrid_load_values<ValueBytes, Threads, Items>(route.values_from, begin, count, s.value);
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < count)
                s.key[position(i)] = code[i];
        __syncthreads();
        bool ordered = true;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (position(i) + 1 < count)
                ordered &= code[i] <= s.key[position(i) + 1];
        return __syncthreads_and(ordered);
    }

    /* Prefixes are in order: no distance is longer than that of the highest key with the last. */
    __device__ __forceinline__ void sort()
    {
        const K below = (K)(((K)1 << cut_bits) - 1);
        const K base = (K)(s.key[0] & (K)~below), last = (K)(s.key[count - 1] | below);
        const uint32_t lead = bits - max(code_bit_length((K)(last - base)), 1u);
        order_type::binning::clear(s.order.bin);
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            word[i] = words::last;
            if (position(i) < count)
                word[i] = words::of((K)((K)(code[i] - base) << lead), 0, position(i));
        }
        __syncthreads();
        const order_type order{s.order, s.key, count};
        order.sort(word);
    }

    __device__ __forceinline__ void store(bool ordered) const
    {
        const value_writer<ValueBytes> out(route.values_to);
        K *keys = (K *)route.keys_to;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            if (position(i) >= count)
                continue;
            const uint32_t at = begin + position(i);
            const uint32_t place = ordered ? position(i) : words::place(s.order.word[position(i)]);
            if (keys)
                keys[at] = codec.decode(s.key[place]);
            out.put(at, s.value[place]);
        }
    }

    /* Items from `first` on, at most `capacity`. */
    __device__ __forceinline__ void sort(uint32_t first, uint32_t items)
    {
        begin = first;
        count = items;
        const bool ordered = load();
        if (!ordered)
            sort();
        async_copy_wait();
        __syncthreads();
        store(ordered);
        __syncthreads();
    }
};

#endif
