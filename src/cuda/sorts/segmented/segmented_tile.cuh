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
        read<Items>(r, first_place, x);
    }

    /* `row_of(row)` gives the segmented_row of `Alike` rows from `row` on; every lane calls it. */
    template <unsigned Alike, typename RowOf>
    __device__ __forceinline__ void load(RowOf row_of) const
    {
#pragma unroll 1
        for (unsigned first = 0; first < Items; first += rows) {
            type some[rows];
#pragma unroll
            for (unsigned i = 0; i < rows; i += Alike) {
                const segmented_row r = row_of(first + i);
                read<Alike>(r, first_place + (first + i) * 32 - r.first_place, some + i);
            }
            type *row = first_row + first * row_stride;
#pragma unroll
            for (unsigned i = 0; i < rows; i++)
                row[i * row_stride] = some[i];
        }
    }

    __device__ __forceinline__ void rows_to_threads(type (&x)[Items]) const
    {
        Scope::sync();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            x[i] = own[i];
        Scope::sync();
    }

    __device__ __forceinline__ void threads_to_rows(const type (&x)[Items]) const
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            own[i] = x[i];
        Scope::sync();
    }

    template <unsigned Alike, typename RowOf>
    __device__ __forceinline__ void store(RowOf row_of) const
    {
#pragma unroll 1
        for (unsigned first = 0; first < Items; first += rows) {
            const type *row = first_row + first * row_stride;
#pragma unroll
            for (unsigned i = 0; i < rows; i += Alike) {
                const segmented_row r = row_of(first + i);
                const uint32_t at = first_place + (first + i) * 32 - r.first_place;
                K *to = (K *)a.keys_out + r.start + at;
#pragma unroll
                for (unsigned j = 0; j < Alike; j++)
                    if (at + 32 * j < r.length)
                        to[32 * j] = codec.decode(item::code(row[(i + j) * row_stride]));
            }
        }
        Scope::sync();
    }

  private:
    /* `Count` items 32 apart, from number `at` of the leaf on. */
    template <unsigned Count>
    __device__ __forceinline__ void read(const segmented_row &r, uint32_t at, type *x) const
    {
        const K *from = (const K *)a.keys[r.buffer] + r.start + at;
        const bool raw = r.buffer == 0;
#pragma unroll
        for (unsigned i = 0; i < Count; i++) {
            x[i] = item::last();
            if (at + 32 * i < r.length) {
                const K key = from[32 * i];
                x[i] = item::make(raw ? codec.encode(key) : key, 0);
            }
        }
    }
};

#endif
