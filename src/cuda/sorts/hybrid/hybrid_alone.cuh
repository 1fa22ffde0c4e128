/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list that is no longer than a leaf, sorted like one by one block in one launch. Its tags begin
 * with the highest bit in which keys differ; keys always follow their words.
 */
#ifndef CONSORT_HYBRID_ALONE_CUH
#define CONSORT_HYBRID_ALONE_CUH

#include "cuda/device/code_range.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/sorts/hybrid/hybrid_order.cuh"
#include "cuda/sorts/hybrid/hybrid_values.cuh"
#include "cuda/sorts/lsd/lsd_finish.cuh"

template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items> struct hybrid_alone {
    static constexpr unsigned capacity = Threads * Items;
    using value_type = typename value_class<ValueBytes>::type;
    using order_type = hybrid_order<K, Threads, Items, true>;
    using words = hybrid_words<K>;

    struct storage : hybrid_block_storage<K, order_type, value_type, capacity, capacity> {
        uint32_t varying[sizeof(K) / 4];
    };

    const lsd_arguments &a;
    storage &s;
    const codes<K> codec;
    const uint32_t count;
    uint32_t word[Items];

    __device__ __forceinline__ hybrid_alone(const lsd_arguments &arguments, storage &memory)
        : a(arguments), s(memory), codec(a.codec), count((uint32_t)a.count)
    {
    }

    static __device__ __forceinline__ uint32_t position(unsigned i)
    {
        return hybrid_position<Threads>(i);
    }

    /* Bits above the highest in which a key differs from the first one. Holds two barriers. */
    __device__ __forceinline__ uint32_t find_lead(const K (&code)[Items], K first) const
    {
        if (threadIdx.x < sizeof(K) / 4)
            s.varying[threadIdx.x] = 0;
        K varying = 0;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            varying |= position(i) < count ? (K)(code[i] ^ first) : (K)0;
        __syncthreads();
        varying = code_any_of_block(varying, s.varying);
        return 8 * sizeof(K) - max(code_bit_length(varying), 1u);
    }

    __device__ __forceinline__ void load_values() const
    {
        if (a.value_mode == LSD_VALUES_MOVED) {
            hybrid_load_values<ValueBytes, Threads, Items>(a.values_in, 0, count, s.value);
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < count)
                s.value[position(i)] = value_class<ValueBytes>::of_index(position(i));
    }

    __device__ __forceinline__ void load()
    {
        const K *in = (const K *)a.keys_in;
        K code[Items];
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            code[i] = position(i) < count ? in[position(i)] : (K)0;
        const K first = codec.encode(in[0]);
        load_values();
        codec.encode_all(code);
        const uint32_t lead = find_lead(code, first);
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            word[i] = words::last;
            if (position(i) < count) {
                word[i] = words::of((K)(code[i] << lead), 0, position(i));
                s.key[position(i)] = code[i];
            }
        }
    }

    __device__ __forceinline__ void store() const
    {
        const value_writer<ValueBytes> out(a.values_out);
        K *keys = (K *)a.keys_out;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            if (position(i) >= count)
                continue;
            const uint32_t place = words::place(s.order.word[position(i)]);
            if (keys)
                keys[position(i)] = codec.decode(s.key[place]);
            out.put(position(i), s.value[place]);
        }
    }

    __device__ __forceinline__ void sort()
    {
        order_type::binning::clear(s.order.bin);
        load();
        const order_type order{s.order, s.key, count};
        order.sort(word);
        async_copy_wait();
        __syncthreads();
        store();
        if (threadIdx.x == 0)
            lsd_tell_outcome(a, 1);
    }
};

#endif
