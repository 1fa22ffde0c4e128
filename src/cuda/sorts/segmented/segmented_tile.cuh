/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of leaves on their way through a sorting network, for one warp or one block: loaded row by
 * row (coalesced), sorted with consecutive places in a thread, stored row by row. Rows are handled
 * some at a time: enough to wait for memory together, few enough to leave registers to the network.
 */
#ifndef CONSORT_SEGMENTED_TILE_CUH
#define CONSORT_SEGMENTED_TILE_CUH

#include "cuda/device/codes.cuh"
#include "cuda/device/values.cuh"
#include "cuda/sorts/segmented/segmented_lists.cuh"
#include "cuda/sorts/segmented/segmented_scope.cuh"

/* What a row of 32 places belongs to. A row without items has length 0. */
struct segmented_row {
    uint64_t start;
    uint32_t length;
    uint32_t buffer;
    uint32_t first_place; /* of the leaf in the tile */
};

/* Word `plane` of a value: what stands in the array, or a part of the item's position. */
template <typename Word>
static __device__ __forceinline__ Word segmented_value_word(const segmented_arguments &a,
                                                            uint32_t buffer, uint64_t at,
                                                            uint32_t planes, uint32_t plane)
{
    if (a.index_mode && buffer == 0)
        return (Word)(at >> (32 * plane));
    return value_reader<sizeof(Word)>(a.values[buffer]).at(at * planes + plane);
}

static constexpr unsigned segmented_rows_at_once = 8;

template <typename K, unsigned Items, typename Scope> struct segmented_tile {
    using item = sort_item<K, false>;
    using type = typename item::type;
    static constexpr unsigned rows =
        Items < segmented_rows_at_once ? Items : segmented_rows_at_once;
    static constexpr uint32_t row_stride =
        32 + 32 / network_period<type, Items>; /* gaps included */

    const segmented_arguments &a;
    const codes<K> codec;
    type *const tile;           /* (Items + 1) · threads, shared by the scope */
    const uint32_t first_place; /* of this lane in row 0 */
    type *const first_row;      /* in the tile */
    type *const own;            /* this thread's items in the tile */

    /* `memory` is as large as segmented_shared_bytes says, for the block. */
    __device__ __forceinline__ segmented_tile(const segmented_arguments &arguments, type *memory)
        : a(arguments), codec(arguments.codec), tile(memory + Scope::memory_thread() * (Items + 1)),
          first_place(Scope::first_thread() * Items + threadIdx.x % 32),
          first_row(tile + network_skewed<type, Items>(first_place)),
          own(tile +
              network_skewed<type, Items>((Scope::first_thread() + threadIdx.x % 32) * Items))
    {
    }

    /* All rows belong to one leaf: straight to the threads, in any order within a warp. */
    __device__ __forceinline__ void load_one(type (&x)[Items], const segmented_row &r) const
    {
        read<Items>((const K *)a.keys[r.buffer] + r.start + first_place, first_place, r.length, x);
        const bool some = r.buffer == 0 && first_place < r.length;
        encode(x, some ? (r.length - first_place + 31) / 32 : 0);
    }

    /* A warp's leaves of `Rows` rows each, of which this lane's is `length` keys at `from`, to its
     * lanes, which take turns: so all have as many items, and room at the end. */
    template <unsigned Rows>
    __device__ __forceinline__ void load_leaves(type (&x)[Items], const K *from,
                                                uint32_t length) const
    {
        constexpr unsigned lanes = Rows * 32 / Items;
        const uint32_t lane = threadIdx.x % 32;
        /* From one pointer, so that the compiler knows that all are to global memory. */
        const K *keys = (const K *)a.keys[0] + lane;
        const uint64_t apart = (uint64_t)((uintptr_t)from - (uintptr_t)a.keys[0]);
#pragma unroll
        for (unsigned i = 0; i < Items; i += Rows) {
            const segmented_row r = row_of<Rows>(i, apart, length);
            read<Rows>((const K *)((const char *)keys + r.start), lane, r.length, x + i);
        }
        if constexpr (lanes < 32) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                first_row[i * row_stride] = x[i];
            Scope::sync();
            const uint32_t place = (lane & ~(lanes - 1)) * Items + lane % lanes;
            const type *turn = tile + network_skewed<type, Items>(place);
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                x[i] = turn[network_skewed<type, Items>(i * lanes)];
            Scope::sync();
        }
    }

    /* This thread's items, of which the first `filled` are keys; the others are none, or codes. */
    __device__ __forceinline__ void encode(type (&x)[Items], uint32_t filled) const
    {
        if (codec.identity)
            return;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            x[i] = i < filled ? codec.encode((K)x[i]) : x[i];
    }

    /* Keys again. */
    __device__ __forceinline__ void threads_to_rows(type (&x)[Items]) const
    {
        codec.decode_all(x);
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            own[i] = x[i];
        Scope::sync();
    }

    /* From the tile, one leaf. */
    __device__ __forceinline__ void store_one(const segmented_row &r) const
    {
        K *to = (K *)a.keys_out + r.start + first_place;
#pragma unroll 1
        for (unsigned first = 0; first < Items; first += rows) {
            type some[rows];
            take_rows(first, some);
            write<rows>(to + first * 32, first_place + first * 32, r.length, some);
        }
        Scope::sync();
    }

    /* From the tile, a warp's leaves of `Rows` rows each, this lane's to `start`. */
    template <unsigned Rows>
    __device__ __forceinline__ void store_leaves(uint64_t start, uint32_t length) const
    {
        constexpr unsigned alike = Rows < rows ? Rows : rows;
        const uint32_t lane = threadIdx.x % 32;
        K *keys = (K *)a.keys_out + lane;
        segmented_row r;
#pragma unroll
        for (unsigned first = 0; first < Items; first += rows) {
            type some[rows];
            take_rows(first, some);
#pragma unroll
            for (unsigned i = first; i < first + rows; i += alike) {
                if (i % Rows == 0)
                    r = row_of<Rows>(i, start, length);
                write<alike>(keys + r.start + i % Rows * 32, lane + i % Rows * 32, r.length,
                             some + (i - first));
            }
        }
        Scope::sync();
    }

  private:
    /* Which leaf of a warp row `row` is the first of; lanes have the `start` and `length` of
     * theirs.
     */
    template <unsigned Rows>
    static __device__ __forceinline__ segmented_row row_of(unsigned row, uint64_t start,
                                                           uint32_t length)
    {
        if constexpr (Rows < Items) {
            const int owner = (int)(row * 32 / Items);
            start = __shfl_sync(0xffffffffu, start, owner);
            length = __shfl_sync(0xffffffffu, length, owner);
        }
        return {start, length, 0, 0};
    }

    __device__ __forceinline__ void take_rows(unsigned first, type (&some)[rows]) const
    {
        const type *row = first_row + first * row_stride;
#pragma unroll
        for (unsigned i = 0; i < rows; i++)
            some[i] = row[i * row_stride];
    }

    /* `Count` keys 32 apart, from number `at` of `length` on. */
    template <unsigned Count>
    static __device__ __forceinline__ void write(K *to, uint32_t at, uint32_t length,
                                                 const type *some)
    {
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            if (at + 32 * i < length)
                to[32 * i] = (K)some[i];
    }

    /* `Count` items 32 apart, from number `at` of `length` on. */
    template <unsigned Count>
    static __device__ __forceinline__ void read(const K *from, uint32_t at, uint32_t length,
                                                type *x)
    {
#pragma unroll
        for (unsigned i = 0; i < Count; i++) {
            x[i] = item::last();
            if (at + 32 * i < length)
                x[i] = from[32 * i];
        }
    }
};

#endif
