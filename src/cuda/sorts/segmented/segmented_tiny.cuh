/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segments that one thread sorts in registers. A warp takes 32 segments in
 * order, copies what is tiny of them through shared memory in whole lines, and
 * each lane sorts its own. Nothing is listed: at 10 items a segment a list
 * would be half as large as the offsets.
 */
#ifndef CONSORT_SEGMENTED_TINY_CUH
#define CONSORT_SEGMENTED_TINY_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/sorts/segmented/segmented_tile.cuh"

/* Codes and words of values take turns. */
template <typename K, bool Paired> struct segmented_tiny_word {
    using type = uint32_t;
};
template <bool Paired> struct segmented_tiny_word<uint64_t, Paired> {
    using type = uint64_t;
};
template <bool Paired> struct segmented_tiny_word<uint128, Paired> {
    using type = uint128;
};

template <typename K, bool Paired, unsigned Items> struct alignas(16) segmented_tiny_storage {
    /* Lanes read beyond their own items, the last one beyond all. */
    static constexpr unsigned room = 32 * (Items + 1) + Items + 1;
    typename segmented_tiny_word<K, Paired>::type words[room];
    uint16_t source[Paired ? room : 2]; /* the place in the tile that an item
                                           comes from */
};

template <typename K, bool Paired, unsigned Items> struct segmented_tiny_warp {
    using item = sort_item<K, Paired>;
    using storage = segmented_tiny_storage<K, Paired, Items>;

    const segmented_arguments &a;
    const codes<K> codec;
    storage &s;
    uint64_t begin;  /* of this lane's segment */
    uint64_t first;  /* of lane 0's */
    uint32_t length; /* 0 if it is not tiny */
    uint32_t place;  /* of the segment in the tile */
    uint32_t total;  /* items of all lanes */
    bool whole;      /* all 32 are tiny: the tile is one stretch of the array */

    __device__ __forceinline__ segmented_tiny_warp(const segmented_arguments &arguments,
                                                   storage &shared)
        : a(arguments), codec(arguments.codec), s(shared)
    {
    }

    __device__ __forceinline__ void find(uint64_t segment)
    {
        const uint64_t last = a.segment_count;
        begin = segmented_offset(a, min(segment, last));
        const uint64_t end = segmented_offset(a, min(segment + 1, last));
        const bool tiny = end - begin <= Items;
        length = tiny ? (uint32_t)(end - begin) : 0;
        whole = __all_sync(0xffffffffu, tiny);
        first = __shfl_sync(0xffffffffu, begin, 0);
        const uint32_t sum = whole ? (uint32_t)(end - first) : warp_inclusive_sum(length);
        place = sum - length;
        total = __shfl_sync(0xffffffffu, sum, 31);
    }

    /* Calls visit(place in shared memory, index in the array) for all items,
     * neighbours by neighbouring lanes. */
    template <typename Visit> __device__ __forceinline__ void each(Visit visit) const
    {
        const unsigned lane = threadIdx.x % 32;
        if (whole) {
            const uint64_t start = first + lane;
#pragma unroll 1
            for (uint32_t row = 0; row < (total + 31) / 32; row++)
                if (row * 32 + lane < total)
                    visit(row * 33 + lane, start + row * 32);
            return;
        }
        for (uint32_t left = __ballot_sync(0xffffffffu, length > 0); left; left &= left - 1) {
            const int owner = __ffs((int)left) - 1;
            const uint64_t start = __shfl_sync(0xffffffffu, begin, owner);
            const uint32_t from = __shfl_sync(0xffffffffu, place, owner) + lane;
            const uint32_t count = __shfl_sync(0xffffffffu, length, owner);
            if (lane < count)
                visit(from + from / 32, start + lane);
        }
    }

    /* A gap after every 32 places keeps lanes off each other's banks. A segment
     * meets at most one: its item i is `gap` places on or, from item `turn` on,
     * one more. All lanes read `Count` items, which takes fewer instructions than
     * not to. */
    template <unsigned Count> __device__ __forceinline__ void sort_own()
    {
        typename item::type x[Count];
        const uint32_t before = place + place / 32, turn = 32 - place % 32;
        const auto at = [&](unsigned i) { return before + i + (i >= turn); };
#pragma unroll
        for (unsigned i = 0; i < Count; i++) {
            const typename item::type found = item::make((K)s.words[at(i)], i);
            x[i] = i < length ? found : item::last();
        }
        network_sort<Count, 0>(x);
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < Count; i++) {
            if (i < length) {
                s.words[at(i)] = item::code(x[i]);
                if constexpr (Paired)
                    s.source[at(i)] = (uint16_t)at(item::index(x[i]));
            }
        }
    }

    /* The usual case: one stretch of codes that are the keys. */
    __device__ __forceinline__ void load_plain()
    {
        const K *in = (const K *)a.keys[0] + first + threadIdx.x % 32;
        auto *to = s.words + threadIdx.x % 32;
        uint32_t left = total;
        for (; left >= 128; left -= 128, in += 128, to += 4 * 33) {
#pragma unroll
            for (unsigned row = 0; row < 4; row++)
                to[row * 33] = in[row * 32];
        }
#pragma unroll
        for (unsigned row = 0; row < 4; row++)
            if (row * 32 + threadIdx.x % 32 < left)
                to[row * 33] = in[row * 32];
    }

    __device__ __forceinline__ void store_plain() const
    {
        K *out = (K *)a.keys_out + first + threadIdx.x % 32;
        const auto *from = s.words + threadIdx.x % 32;
        uint32_t left = total;
        for (; left >= 128; left -= 128, out += 128, from += 4 * 33) {
#pragma unroll
            for (unsigned row = 0; row < 4; row++)
                out[row * 32] = (K)from[row * 33];
        }
#pragma unroll
        for (unsigned row = 0; row < 4; row++)
            if (row * 32 + threadIdx.x % 32 < left)
                out[row * 32] = (K)from[row * 33];
    }

    __device__ __forceinline__ void sort()
    {
        if (!__any_sync(0xffffffffu, length > 4))
            sort_own<4>();
        else if (!__any_sync(0xffffffffu, length > 8))
            sort_own<8>();
        else if (Items == 16 || !__any_sync(0xffffffffu, length > 16))
            sort_own<16>();
        else
            sort_own<Items>();
    }

    __device__ __forceinline__ void move_values()
    {
        const uint32_t planes = a.value_bytes / 4;
        for (uint32_t plane = 0; plane < planes; plane++) {
            each([&](uint32_t at, uint64_t index) {
                s.words[at] = segmented_value_word<uint32_t>(a, 0, index, planes, plane);
            });
            __syncwarp();
            const value_writer<4> out(a.values_out);
            each([&](uint32_t at, uint64_t index) {
                out.put(index * planes + plane, (uint32_t)s.words[s.source[at]]);
            });
            __syncwarp();
        }
    }

    __device__ __forceinline__ void run(uint64_t segment)
    {
        find(segment);
        const bool plain = whole && codec.identity;
        if (plain)
            load_plain();
        else
            each([&](uint32_t at, uint64_t index) {
                s.words[at] = codec.encode(((const K *)a.keys[0])[index]);
            });
        __syncwarp();
        sort();
        __syncwarp();
        if (plain)
            store_plain();
        else
            each([&](uint32_t at, uint64_t index) {
                ((K *)a.keys_out)[index] = codec.decode((K)s.words[at]);
            });
        __syncwarp();
        if constexpr (Paired)
            move_values();
    }
};

template <typename K, bool Paired, unsigned Items>
static __device__ __forceinline__ void
segmented_tiny(const segmented_arguments &a, segmented_tiny_storage<K, Paired, Items> *shared)
{
    if (segmented_refused(a))
        return;
    const unsigned warps = blockDim.x / 32, lane = threadIdx.x % 32;
    segmented_tiny_warp<K, Paired, Items> warp(a, shared[threadIdx.x / 32]);
    for (uint64_t segment = ((uint64_t)blockIdx.x * warps + threadIdx.x / 32) * 32;
         segment < a.segment_count; segment += (uint64_t)gridDim.x * warps * 32)
        warp.run(segment + lane);
}

#endif
