/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiny segments that are all of one length, as the rows of a matrix are: a warp takes `Sets` times
 * 32 of them, one after the other in the array. With the length a constant no lane asks where its
 * items lie or how many they are, networks have no comparator too many, and every load of a warp is
 * under way before the first one is waited for.
 *
 * A gap in shared memory after every `period` places, which are whole segments and whole rows,
 * keeps lanes, which read `Length` places apart, off each other's banks, or two of them to one
 * where a word takes two banks.
 */
#ifndef CONSORT_SEGMENTED_EVEN_CUH
#define CONSORT_SEGMENTED_EVEN_CUH

#include "cuda/device/placed_code.cuh"
#include "cuda/device/sorting_network.cuh"
#include "cuda/sorts/segmented/segmented_tile.cuh"

/* So many times 32 segments are taken together where they are short. */
static constexpr unsigned segmented_even_sets = SEGMENTED_TINY_SETS;

/* Values of whole words of this size, which stand in an array. */
template <typename Word>
static __device__ __forceinline__ bool segmented_values_are(const segmented_arguments &a)
{
    return !a.index_mode && a.value_bytes % sizeof(Word) == 0 &&
           ((uintptr_t)a.values[0] | (uintptr_t)a.values_out) % sizeof(Word) == 0;
}

/* Codes and words of values take turns. */
template <typename K, bool Paired, unsigned Items> struct alignas(16) segmented_tiny_storage {
    using word = typename compared_code<K>::type;
    /* Lanes of mixed lengths read beyond their own items, the last one beyond all. */
    static constexpr unsigned mixed = 32 * (Items + 1) + Items + 1;
    /* Two times 32 of 18 u32, the longest that CUB 3.4.2 sorts by two threads, go together: half as
     * many rows would be under way. With values that would spill 72 bytes more of registers. */
    static constexpr unsigned even_rows = sizeof(K) <= 4 && !Paired ? 36 : Items;
    static constexpr unsigned even = 32 * even_rows + even_rows;
    static constexpr unsigned room = mixed > even ? mixed : even;
    word words[room];
    uint16_t source[Paired ? room : 2]; /* the place in the tile that an item comes from */
    uint16_t starts[32 * segmented_even_sets + 1]; /* of segments that are taken together */
};

template <typename K, bool Paired, unsigned Items, unsigned Length, unsigned Sets>
struct segmented_even {
    using item = sort_item<K, Paired>;
    using storage = segmented_tiny_storage<K, Paired, Items>;
    static constexpr unsigned rows = Length * Sets;
    static constexpr unsigned even_part = Length & (0u - Length);
    static constexpr unsigned lanes = 32 / even_part; /* whose segments lie in a period */
    static constexpr unsigned period = lanes * Length;

    const segmented_arguments &a;
    storage &s;
    const uint64_t first; /* of the segments' items in the array, this lane's in row 0 */

    static_assert(rows <= storage::even_rows, "the tile has room");

    __device__ __forceinline__ segmented_even(const segmented_arguments &arguments, storage &shared,
                                              uint64_t start)
        : a(arguments), s(shared), first(start + threadIdx.x % 32)
    {
    }

    /* Where this lane's item of a row lies. */
    static __device__ __forceinline__ uint32_t at(unsigned row)
    {
        return row * 32 + row * 32 / period + threadIdx.x % 32;
    }

    /* Where this lane's segment of a set begins. */
    static __device__ __forceinline__ uint32_t segment(unsigned set)
    {
        const uint32_t lane = threadIdx.x % 32;
        return set * (32 * Length + 32 / lanes) + lane * Length + lane / lanes;
    }

    __device__ __forceinline__ void load(const codes<K> &codec)
    {
        const K *in = (const K *)a.keys[0] + first;
        K key[rows];
#pragma unroll
        for (unsigned row = 0; row < rows; row++)
            key[row] = in[row * 32];
        codec.encode_all(key);
#pragma unroll
        for (unsigned row = 0; row < rows; row++)
            s.words[at(row)] = key[row];
    }

    __device__ __forceinline__ void store(const codes<K> &codec) const
    {
        K *out = (K *)a.keys_out + first;
        K key[rows];
#pragma unroll
        for (unsigned row = 0; row < rows; row++)
            key[row] = (K)s.words[at(row)];
        codec.decode_all(key);
#pragma unroll
        for (unsigned row = 0; row < rows; row++)
            out[row * 32] = key[row];
    }

    __device__ __forceinline__ void sort_set(unsigned set)
    {
        const uint32_t own = segment(set);
        typename item::type x[Length];
#pragma unroll
        for (unsigned i = 0; i < Length; i++)
            x[i] = item::make((K)s.words[own + i], i);
        odd_even_merge_sort(x);
#pragma unroll
        for (unsigned i = 0; i < Length; i++) {
            s.words[own + i] = item::code(x[i]);
            if constexpr (Paired)
                s.source[own + i] = (uint16_t)(own + item::index(x[i]));
        }
    }

    template <typename Word> __device__ __forceinline__ void move_words()
    {
        const uint32_t planes = a.value_bytes / sizeof(Word);
        const Word *in = (const Word *)a.values[0] + first * planes;
        Word *out = (Word *)a.values_out + first * planes;
#pragma unroll 1
        for (uint32_t plane = 0; plane < planes; plane++, in++, out++) {
            Word value[rows];
#pragma unroll
            for (unsigned row = 0; row < rows; row++)
                value[row] = in[row * 32 * planes];
#pragma unroll
            for (unsigned row = 0; row < rows; row++)
                s.words[at(row)] = value[row];
            __syncwarp();
#pragma unroll
            for (unsigned row = 0; row < rows; row++)
                out[row * 32 * planes] = (Word)s.words[s.source[at(row)]];
            __syncwarp();
        }
    }

    __device__ __forceinline__ void move_values()
    {
        if (sizeof(typename storage::word) >= 8 && segmented_values_are<uint64_t>(a))
            return move_words<uint64_t>();
        if (segmented_values_are<uint32_t>(a))
            return move_words<uint32_t>();
        const uint32_t planes = a.value_bytes / 4;
        const value_writer<4> out(a.values_out);
        for (uint32_t plane = 0; plane < planes; plane++) {
#pragma unroll 4
            for (unsigned row = 0; row < rows; row++)
                s.words[at(row)] =
                    segmented_value_word<uint32_t>(a, 0, first + row * 32, planes, plane);
            __syncwarp();
#pragma unroll 4
            for (unsigned row = 0; row < rows; row++)
                out.put((first + row * 32) * planes + plane, (uint32_t)s.words[s.source[at(row)]]);
            __syncwarp();
        }
    }

    /* Of one item each. */
    __device__ __forceinline__ void copy() const
    {
        const K *in = (const K *)a.keys[0] + first;
        K *out = (K *)a.keys_out + first;
        K key[rows];
#pragma unroll
        for (unsigned row = 0; row < rows; row++)
            key[row] = in[row * 32];
#pragma unroll
        for (unsigned row = 0; row < rows; row++)
            out[row * 32] = key[row];
        if constexpr (Paired) {
            const uint32_t planes = a.value_bytes / 4;
            const value_writer<4> values(a.values_out);
            for (uint32_t plane = 0; plane < planes; plane++)
#pragma unroll
                for (unsigned row = 0; row < rows; row++)
                    values.put(
                        (first + row * 32) * planes + plane,
                        segmented_value_word<uint32_t>(a, 0, first + row * 32, planes, plane));
        }
    }

    __device__ __forceinline__ void run(const codes<K> &codec)
    {
        if constexpr (Length == 1)
            return copy();
        load(codec);
        __syncwarp();
#pragma unroll
        for (unsigned set = 0; set < Sets; set++)
            sort_set(set);
        __syncwarp();
        store(codec);
        __syncwarp();
        if constexpr (Paired)
            move_values();
    }
};

/* The one of `Low` to `High` that is the segments' length, found in halves. */
template <typename K, bool Paired, unsigned Items, unsigned Low, unsigned High, unsigned Sets>
static __device__ __forceinline__ void
segmented_sort_even(const segmented_arguments &a, const codes<K> &codec,
                    segmented_tiny_storage<K, Paired, Items> &s, uint64_t first, uint32_t length)
{
    constexpr unsigned middle = (Low + High) / 2;
    if constexpr (Low == High)
        segmented_even<K, Paired, Items, Low, Sets>(a, s, first).run(codec);
    else if (length <= middle)
        segmented_sort_even<K, Paired, Items, Low, middle, Sets>(a, codec, s, first, length);
    else
        segmented_sort_even<K, Paired, Items, middle + 1, High, Sets>(a, codec, s, first, length);
}

#endif
