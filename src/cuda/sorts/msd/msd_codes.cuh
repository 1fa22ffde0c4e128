/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on codes of every width that `msd` shares between its kernels. */
#ifndef CONSORT_MSD_CODES_CUH
#define CONSORT_MSD_CODES_CUH

#include "cuda/device/code_range.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/ptx.cuh"
#include "cuda/sorts/msd/msd_layout.h"

/* Codes of many keys at once. Most orders of integers only flip bits, which takes one instruction a
 * key; the transform of all orders takes five. */
template <typename K> struct msd_codec : codes<K> {
    bool flips;

    __device__ __forceinline__ explicit msd_codec(const code_constants &constants)
        : codes<K>(constants), flips(this->magnitude == 0 && this->bias == 0 && !this->swap)
    {
    }

    template <unsigned Count> __device__ __forceinline__ void encode_all(K (&keys)[Count]) const
    {
        if (this->identity)
            return;
        if (!flips)
            return codes<K>::encode_all(keys);
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            keys[i] ^= this->flip;
    }

    /* Of an order whose keys lie in memory as they are: asks nothing. */
    __device__ __forceinline__ K encode_straight(K key) const
    {
        return this->transformed(key);
    }

    /* Calls `use` with what makes a key of a code: what the order is like is asked once, not for
     * each key, as loads would not be moved across the question. */
    template <typename Use> __device__ __forceinline__ void with_decoder(const Use &use) const
    {
        if (this->identity)
            use([](K code) { return code; });
        else if (flips)
            use([flip = this->flip](K code) { return (K)(code ^ flip); });
        else if (!this->swap)
            use([this](K code) { return this->restored(code); });
        else
            use([this](K code) { return this->decode(code); });
    }
};

/* Code to digit: bits of the distance to a base. */
template <typename K> struct msd_linear_digit {
    static constexpr bool of_keys = false; /* of codes */
    K base;
    uint32_t shift, mask;

    __device__ __forceinline__ uint32_t operator()(K code) const
    {
        return code_window((K)(code - base), shift) & mask;
    }

    /* What is written of a key that moves by this digit. */
    __device__ __forceinline__ K moved(K code) const
    {
        return code;
    }
};

/* The same of codes some of which are beyond all cells: they belong to the first or the last. */
template <typename K> struct msd_clamped_digit {
    static constexpr bool of_keys = false;
    K base, widest;
    uint32_t shift, mask;

    __device__ __forceinline__ msd_clamped_digit(const msd_arguments &a, uint32_t from,
                                                 uint32_t bits);

    __device__ __forceinline__ uint32_t operator()(K code) const
    {
        const K distance = code_higher(code, base) - base;
        return code_window(code_lower(distance, widest), shift) & mask;
    }

    __device__ __forceinline__ bool is_beyond(K code) const
    {
        return (K)(code - base) > widest;
    }

    __device__ __forceinline__ K moved(K code) const
    {
        return code;
    }
};

/* Where a table has the entry of a unit. Rows of 128 bytes, the banks of shared memory, begin at
 * entries that only the salt tells. */
static __device__ __forceinline__ uint32_t msd_table_entry(uint32_t unit, uint32_t salt)
{
    constexpr uint32_t row = 128;
    return (unit & ~(row - 1)) | ((unit + unit / row * salt) & (row - 1));
}

/* Code to digit by a table over ranges of equal width; codes outside belong to its ends. */
template <typename K> struct msd_tabled_digit {
    static constexpr bool of_keys = false;
    K base, widest;
    uint32_t shift, salt;
    const unsigned char *table;

    __device__ __forceinline__ uint32_t operator()(K code) const
    {
        const K distance = code_higher(code, base) - base;
        return table[msd_table_entry(code_window(code_lower(distance, widest), shift), salt)];
    }

    __device__ __forceinline__ K moved(K code) const
    {
        return code;
    }
};

/* The widest distance from a base within so many bits. */
template <typename K> static __device__ __forceinline__ K msd_ones(uint32_t bits)
{
    return bits >= 8 * sizeof(K) ? (K) ~(K)0 : (K)(((K)1 << bits) - 1);
}

/* Keys too many for a leaf, all of whose codes lie in [low, high]; if they are to be split by
 * octaves, both are where these begin. */
template <typename K> struct msd_segment {
    K low, high;
    uint32_t begin, count, buffer, kind;
};

/* Digits that split a segment into at most 256 parts, the first and the last not empty if its
 * bounds are exact. */
template <typename K>
static __device__ __forceinline__ msd_linear_digit<K> msd_digit_of(const msd_segment<K> &segment)
{
    const uint32_t bits = code_bit_length((K)(segment.high - segment.low));
    const uint32_t shift = bits > MSD_DIGIT_BITS ? bits - MSD_DIGIT_BITS : 0;
    return {segment.low, shift, MSD_DIGITS - 1};
}

/* What kernels find in the control block. */
template <typename K>
static __device__ __forceinline__ msd_linear_digit<K> msd_cell_of(const msd_arguments &a)
{
    return {code_from_words<K>(a.control->base), a.control->shift, MSD_CELLS - 1};
}

template <typename K>
__device__ __forceinline__ msd_clamped_digit<K>::msd_clamped_digit(const msd_arguments &a,
                                                                   uint32_t from, uint32_t bits)
    : base(code_from_words<K>(a.control->base)),
      widest(msd_ones<K>(a.control->shift + a.cell_bits)), shift(a.control->shift + from),
      mask((1u << bits) - 1)
{
}

/* Whether cells hold halves of keys. */
static __device__ __forceinline__ bool msd_is_halved(const msd_arguments &a)
{
    return a.control->halved && !(a.control->outside && a.control->mode == MSD_DIRECT);
}

/* The codes that cells may hold. */
template <typename K> struct msd_cell_codes {
    const K *bounds; /* of cells that are ranges of numbers */
    msd_linear_digit<K> cell_of;
    uint32_t open; /* the last cell, if it and the first have codes beyond all cells */

    __device__ __forceinline__ explicit msd_cell_codes(const msd_arguments &a)
        : bounds(a.control->mode == MSD_VALUED ? (const K *)a.bounds : nullptr),
          cell_of(msd_cell_of<K>(a)), open(a.control->outside ? (1u << a.cell_bits) - 1 : 0)
    {
    }

    __device__ __forceinline__ code_range<K> of(uint32_t cell) const
    {
        if (sizeof(K) <= 8 && bounds)
            return {bounds[cell], (K)(bounds[cell + 1] - 1)};
        const K low = (K)(cell_of.base + (K)((K)cell << cell_of.shift));
        return {open && cell == 0 ? (K)0 : low,
                open && cell == open ? (K) ~(K)0 : (K)(low + msd_ones<K>(cell_of.shift))};
    }
};

/* By one block: the range of the keys that some blocks, or tiles, have noted. */
template <typename K, unsigned Threads>
static __device__ __forceinline__ code_range<K> msd_range_of_blocks(const msd_arguments &a,
                                                                    uint32_t first, uint32_t end,
                                                                    code_range<K> *warp_ranges)
{
    code_range<K> range;
    range.clear();
    for (uint32_t i = first + threadIdx.x; i < end; i += Threads)
        range.add(((const code_range<K> *)a.extremes)[i]);
    range.join_block(warp_ranges);
    return range;
}

/* By one thread: a piece of work that no other block has, counted from those that blocks have from
 * the beginning, in strides of the grid. Whoever uses the number adds these, behind a barrier: to
 * add them here would be to wait for it. */
static __device__ __forceinline__ uint32_t msd_take(const msd_arguments &a, uint32_t work)
{
    return atomic_add_relaxed(&a.control->taken[work], 1u);
}

/* The number-th. */
static __device__ __forceinline__ msd_leaf &msd_large_leaf(const msd_arguments &a, uint32_t number)
{
    return a.leaves[-1 - (int)number];
}

/* Where levels have not begun: numbers of cells, or where they begin. */
static __device__ __forceinline__ uint32_t *msd_cell_list(const msd_arguments &a)
{
    return a.counters;
}

/* Of MSD_TABLED. */
static __device__ __forceinline__ unsigned char *msd_table(const msd_arguments &a)
{
    return (unsigned char *)a.counters;
}

/* A bucket that needs no further digit goes to the leaves, any other to the queue. */
template <typename K>
static __device__ __forceinline__ void msd_file(const msd_arguments &a, uint32_t begin,
                                                uint32_t count, uint32_t buffer, K low, K high,
                                                uint32_t kind = MSD_PLAIN)
{
    msd_control *control = a.control;
    if (count == 0)
        return;
    if (count > a.large_leaf) {
        const uint32_t at = atomicAdd(&control->queue_tail, 1u) % a.queue_capacity;
        ((msd_segment<K> *)a.queue)[at] = {low, high, begin, count, buffer, kind};
        return;
    }
    const msd_leaf leaf = {begin, count | buffer << 31};
    if (count <= a.small_leaf)
        a.leaves[atomicAdd(&control->small_leaves, 1u)] = leaf;
    else
        msd_large_leaf(a, atomicAdd(&control->large_leaves, 1u)) = leaf;
}

#endif
