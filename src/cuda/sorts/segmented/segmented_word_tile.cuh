/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves whose items carry values, for one warp or one block: codes stand in shared memory where
 * they were read to, words (segmented_words.cuh) go through the network in their place, and keys
 * and values are fetched by the sorted words, once each. A leaf may lie where it goes to: nothing
 * is written before all of it has been read.
 *
 * A warp reads values beside the keys; in a block, which has less room for an item, they take the
 * place of the codes when these have left.
 */
#ifndef CONSORT_SEGMENTED_WORD_TILE_CUH
#define CONSORT_SEGMENTED_WORD_TILE_CUH

#include "cuda/sorts/segmented/segmented_tile.cuh"
#include "cuda/sorts/segmented/segmented_word_order.cuh"

template <typename K, unsigned Items, typename Scope> struct segmented_word_tile {
    using code_word = typename compared_code<K>::type;
    using value_word = typename value_class<(sizeof(K) >= 8 ? 8 : 4)>::type;
    static constexpr unsigned rows = sizeof(K) <= 4 ? 16 : 8; /* that wait for memory together */
    using order_type = segmented_word_order<K, Items, Scope>;

    static_assert(Items % rows == 0, "whole turns");
    static_assert(network_period<code_word, Items> == network_period<value_word, Items>,
                  "codes and values lie alike");

    const segmented_arguments &a;
    const codes<K> codec;
    const uint32_t first_place; /* of this lane in row 0 */
    const bool aligned;         /* values can be moved in words */
    const bool wide;            /* of value_word, else of 4 bytes */
    const uint32_t word_bytes, planes;
    const uint32_t row_bytes; /* from a plane of a value to that of the next row */
    value_word *value;
    order_type order;

    /* `memory` is as large as segmented_shared_bytes says, for the block. */
    __device__ __forceinline__ segmented_word_tile(const segmented_arguments &arguments,
                                                   unsigned char *memory)
        : a(arguments), codec(arguments.codec),
          first_place(Scope::first_thread() * Items + threadIdx.x % 32),
          aligned(values_lie_at<uint32_t>()),
          wide(a.value_bytes >= sizeof(value_word) && values_lie_at<value_word>()),
          word_bytes(wide ? sizeof(value_word) : 4), planes(a.value_bytes / word_bytes),
          row_bytes(32 * a.value_bytes), value((value_word *)memory),
          order((code_word *)memory + before(), words_of(memory) + before(), NULL)
    {
        if constexpr (Scope::keeps_values) {
            value = (value_word *)(words_of(memory) + all()) + before();
            order.followed = (uint16_t *)value;
        } else {
            order.followed = (uint16_t *)(words_of(memory) + all());
        }
    }

    /* `row_of(row)` gives the segmented_row of `Alike` rows from `row` on; every lane calls it. */
    template <unsigned Alike, typename RowOf>
    __device__ __forceinline__ void load(RowOf row_of) const
    {
#pragma unroll 1
        for (unsigned first = 0; first < Items; first += rows) {
            K key[rows];
#pragma unroll
            for (unsigned i = 0; i < rows; i += Alike) {
                const segmented_row r = row_of(first + i);
                const uint32_t at = place_of(first + i) - r.first_place;
                const K *from = (const K *)a.keys[r.buffer] + r.start + at;
                const bool raw = r.buffer == 0;
#pragma unroll
                for (unsigned j = 0; j < Alike; j++) {
                    key[i + j] = (K) ~(K)0;
                    if (at + 32 * j < r.length) {
                        const K found = from[32 * j];
                        key[i + j] = raw ? codec.encode(found) : found;
                    }
                }
            }
#pragma unroll
            for (unsigned i = 0; i < rows; i++)
                order.code[row_at(first + i)] = key[i];
        }
        if (Scope::keeps_values && planes > 0)
            load_values<Alike>(row_of, 0);
    }

    /* Values of one plane, beside the codes or in their place. */
    template <unsigned Alike, typename RowOf>
    __device__ __forceinline__ void load_values(RowOf row_of, uint32_t plane) const
    {
        if (!aligned || a.index_mode)
            return load_apart(row_of, plane);
#pragma unroll 1
        for (unsigned first = 0; first < Items; first += rows) {
            value_word found[rows];
#pragma unroll
            for (unsigned i = 0; i < rows; i += Alike) {
                const segmented_row r = row_of(first + i);
                const uint32_t at = place_of(first + i) - r.first_place;
                const char *from =
                    (const char *)a.values[r.buffer] + offset_of(r.start + at, plane);
#pragma unroll
                for (unsigned j = 0; j < Alike; j++) {
                    found[i + j] = 0;
                    if (at + 32 * j < r.length)
                        found[i + j] = wide ? *(const value_word *)(from + j * row_bytes)
                                            : *(const uint32_t *)(from + j * row_bytes);
                }
            }
#pragma unroll
            for (unsigned i = 0; i < rows; i++)
                value[row_at(first + i)] = found[i];
        }
    }

    /* Keys, values of one plane, or both to where their words stand. */
    template <unsigned Alike, typename RowOf>
    __device__ __forceinline__ void store(RowOf row_of, bool keys, bool values,
                                          uint32_t plane) const
    {
#pragma unroll 1
        for (unsigned first = 0; first < Items; first += segmented_rows_at_once) {
#pragma unroll
            for (unsigned i = 0; i < segmented_rows_at_once; i += Alike) {
                const segmented_row r = row_of(first + i);
                const uint32_t at = place_of(first + i) - r.first_place;
                uint32_t from[Alike];
#pragma unroll
                for (unsigned j = 0; j < Alike; j++)
                    from[j] = order_type::code_at(
                        r.first_place + order.form.place(order.words[word_row_at(first + i + j)]));
                if (keys)
                    store_keys(r, at, from);
                if (values)
                    store_values(r, at, from, plane);
            }
        }
    }

    /* What has been sorted, to its places: all its planes of values, of which a warp has the first
     * unless the order stands there. */
    template <unsigned Alike, typename RowOf>
    __device__ __forceinline__ void finish(RowOf row_of) const
    {
        const bool has_values = Scope::keeps_values && planes > 0 && !order.by_passes;
        store<Alike>(row_of, true, has_values, 0);
        Scope::sync();
#pragma unroll 1
        for (uint32_t plane = has_values; plane < planes; plane++) {
            load_values<Alike>(row_of, plane);
            Scope::sync();
            store<Alike>(row_of, false, true, plane);
            Scope::sync();
        }
    }

  private:
    /* Places in the block's memory, gaps included: all, and those before the scope's own. */
    static __device__ __forceinline__ uint32_t all()
    {
        return blockDim.x * (Items + 1);
    }

    static __device__ __forceinline__ uint32_t before()
    {
        return Scope::memory_thread() * (Items + 1);
    }

    static __device__ __forceinline__ uint32_t *words_of(unsigned char *memory)
    {
        return (uint32_t *)((code_word *)memory + all());
    }

    template <typename Word> __device__ __forceinline__ bool values_lie_at() const
    {
        return ((uintptr_t)a.values[0] | (uintptr_t)a.values[1] | (uintptr_t)a.values[2] |
                (uintptr_t)a.values_out) %
                   sizeof(Word) ==
               0;
    }

    /* This lane's place of a row, in the tile. */
    __device__ __forceinline__ uint32_t place_of(unsigned row) const
    {
        return first_place + row * 32;
    }

    /* Where this lane's code, or value, of a row lies in shared memory, and its word. */
    __device__ __forceinline__ uint32_t row_at(unsigned row) const
    {
        return order_type::code_at(first_place) +
               row * (32 + 32 / network_period<code_word, Items>);
    }

    __device__ __forceinline__ uint32_t word_row_at(unsigned row) const
    {
        return order_type::word_at(first_place) + row * (32 + 32 / network_period<uint32_t, Items>);
    }

    /* Where a value's plane stands in an array, in bytes. */
    __device__ __forceinline__ uint64_t offset_of(uint64_t index, uint32_t plane) const
    {
        return (index * planes + plane) * word_bytes;
    }

    /* Values that are positions, or stand where no words do. */
    template <typename RowOf>
    __device__ __forceinline__ void load_apart(RowOf row_of, uint32_t plane) const
    {
#pragma unroll 4
        for (unsigned row = 0; row < Items; row++) {
            const segmented_row r = row_of(row);
            const uint32_t at = place_of(row) - r.first_place;
            if (at < r.length)
                value[row_at(row)] = plane_of(r.buffer, r.start + at, plane);
        }
    }

    __device__ __forceinline__ value_word plane_of(uint32_t buffer, uint64_t index,
                                                   uint32_t plane) const
    {
        if (wide)
            return segmented_value_word<value_word>(a, buffer, index, planes, plane);
        return segmented_value_word<uint32_t>(a, buffer, index, planes, plane);
    }

    template <unsigned Count>
    __device__ __forceinline__ void store_keys(const segmented_row &r, uint32_t at,
                                               const uint32_t (&from)[Count]) const
    {
        K key[Count];
        K *to = (K *)a.keys_out + r.start + at;
#pragma unroll
        for (unsigned j = 0; j < Count; j++)
            key[j] = (K)order.code[from[j]];
        codec.decode_all(key);
#pragma unroll
        for (unsigned j = 0; j < Count; j++)
            if (at + 32 * j < r.length)
                to[32 * j] = key[j];
    }

    template <unsigned Count>
    __device__ __forceinline__ void store_values(const segmented_row &r, uint32_t at,
                                                 const uint32_t (&from)[Count],
                                                 uint32_t plane) const
    {
        value_word found[Count];
#pragma unroll
        for (unsigned j = 0; j < Count; j++)
            found[j] = value[from[j]];
        if (!aligned) {
            const value_writer<4> out(a.values_out);
            for (unsigned j = 0; j < Count; j++)
                if (at + 32 * j < r.length)
                    out.put((r.start + at + 32 * j) * planes + plane, (uint32_t)found[j]);
            return;
        }
        char *to = (char *)a.values_out + offset_of(r.start + at, plane);
#pragma unroll
        for (unsigned j = 0; j < Count; j++) {
            if (at + 32 * j >= r.length)
                continue;
            if (wide)
                *(value_word *)(to + j * row_bytes) = found[j];
            else
                *(uint32_t *)(to + j * row_bytes) = (uint32_t)found[j];
        }
    }
};

#endif
