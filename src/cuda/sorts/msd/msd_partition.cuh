/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two partitions of all keys: of the input into at most 256 buckets, and, if digits make even
 * buckets, of each bucket into its cells.
 */
#ifndef CONSORT_MSD_PARTITION_CUH
#define CONSORT_MSD_PARTITION_CUH

#include "cuda/device/tile_owner.cuh"
#include "cuda/sorts/lsd/lsd_pass.cuh"
#include "cuda/sorts/msd/msd_rooms.cuh"
#include "cuda/sorts/msd/msd_tile.cuh"
#include "cuda/sorts/msd/msd_values.cuh"

template <typename K, typename Digit> struct msd_first_source : msd_input_tiles<K, Digit> {
    K *to;

    __device__ __forceinline__ msd_first_source(const msd_arguments &arguments, uint32_t keys,
                                                const Digit &way)
        : msd_input_tiles<K, Digit>(arguments, keys, way), to((K *)arguments.buffers[0])
    {
    }

    __device__ __forceinline__ msd_job<K, Digit> at(uint32_t tile) const
    {
        return {this->from(tile), this->count(tile), to, this->a.control->bucket_cursor,
                this->digit};
    }
};

template <typename K, unsigned Threads, unsigned Items>
using msd_first_tile = msd_tile<K, Threads, Items, uint32_t, msd_copies(Items),
                                msd_first_is_tight(sizeof(K), Threads)>;

template <typename K, unsigned Threads, unsigned Items> struct msd_first_storage {
    typename msd_first_tile<K, Threads, Items>::storage tile;
    unsigned char table[MSD_TABLE];
};

template <typename K, bool Inside, typename Tile>
static __device__ __forceinline__ void msd_first_by_value(const msd_arguments &a, Tile &tile)
{
    using digit = msd_value_digit<K, Inside, false>;
    msd_move_tiles(tile,
                   msd_first_source<K, digit>(a, Tile::keys, {a, a.second_bits, MSD_DIGIT_BITS}));
}

template <typename K, typename Tile>
static __device__ __forceinline__ void msd_first_by_values(const msd_arguments &a, Tile &tile)
{
    if (a.control->outside)
        msd_first_by_value<K, false>(a, tile);
    else
        msd_first_by_value<K, true>(a, tile);
}

/* Cells' cursors will move. */
static __device__ __forceinline__ void msd_note_begins(const msd_arguments &a)
{
    const uint32_t threads = gridDim.x * blockDim.x;
    for (uint32_t cell = blockIdx.x * blockDim.x + threadIdx.x; cell < 1u << a.cell_bits;
         cell += threads)
        a.singles[cell] = a.cells[cell];
}

template <typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_first_partition(const msd_arguments &a,
                                                           const lsd_arguments &passes,
                                                           msd_first_storage<K, Threads, Items> &s)
{
    using tile_type = msd_first_tile<K, Threads, Items>;
    const uint32_t mode = a.control->mode;
    tile_type tile(s.tile);
    if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES)
        if (a.control->roomy)
            return msd_fill_rooms<K>(a, tile);
    if (a.control->halved)
        msd_note_begins(a);
    if constexpr (sizeof(K) <= 8)
        if (mode == MSD_VALUED)
            return msd_first_by_values<K>(a, tile);
    const msd_linear_digit<K> cell = msd_cell_of<K>(a);
    if (mode == MSD_DIRECT || mode == MSD_PASSES) {
        const uint32_t below = mode == MSD_DIRECT ? a.second_bits : 0;
        msd_first_source<K, msd_linear_digit<K>> source(
            a, tile_type::keys, {cell.base, cell.shift + below, MSD_DIGITS - 1});
        if (mode == MSD_PASSES)
            source.to = (K *)lsd_route_of(passes, cell.shift / LSD_DIGIT_BITS).keys_out;
        msd_move_tiles(tile, source);
    } else if (mode == MSD_TABLED) {
        for (unsigned i = threadIdx.x; i < MSD_TABLE / 16; i += Threads)
            ((uint4 *)s.table)[i] = ((const uint4 *)msd_table(a))[i];
        const uint32_t coarser = a.cell_bits > MSD_TABLE_BITS ? a.cell_bits - MSD_TABLE_BITS : 0;
        const msd_tabled_digit<K> digit = {cell.base, msd_ones<K>(cell.shift + a.cell_bits),
                                           cell.shift + coarser, a.salt, s.table};
        __syncthreads();
        msd_move_tiles(tile, msd_first_source<K, msd_tabled_digit<K>>(a, tile_type::keys, digit));
    }
}

/* What the cells do not say of keys. */
template <typename K> struct msd_half_digit : msd_linear_digit<K> {
    uint32_t unused; /* bits of a half, the lowest */

    __device__ __forceinline__ explicit msd_half_digit(const msd_linear_digit<K> &digit)
        : msd_linear_digit<K>(digit), unused(MSD_HALF_BITS - digit.shift)
    {
    }

    __device__ __forceinline__ uint16_t moved(K code) const
    {
        return (uint16_t)((code - this->base) << unused);
    }
};

/* Halves of keys, to the first half of the memory of the keys of each cell. */
template <typename K> struct msd_half_job {
    const K *from;
    uint32_t count;
    uint16_t *to;
    uint32_t *cursors;
    msd_half_digit<K> digit;
    const uint32_t *begins; /* of cells */

    /* In halves: a cell's first is as many keys, that is twice as many halves, from the start. */
    __device__ __forceinline__ uint32_t take(uint32_t of, uint32_t keys) const
    {
        return begins[of] + atomicAdd(&cursors[of], keys);
    }

    template <typename Tile> __device__ __forceinline__ void write(const Tile &tile) const
    {
        tile.write_runs(digit, to, count, [this](K key) { return digit.moved(key); });
    }
};

/* Floats whose cells are ranges of numbers, if halves of them are written. */
template <typename K, bool Inside> struct msd_number_half_digit : msd_value_digit<K, Inside, true> {
    using msd_value_digit<K, Inside, true>::msd_value_digit;
};

/* Their lowest 16 bits, as they came; of a bucket with cells in which these do not tell them apart,
 * whole keys. */
template <typename K, bool Inside> struct msd_number_half_job {
    const K *from;
    uint32_t count;
    void *to;
    uint32_t *cursors;
    msd_number_half_digit<K, Inside> digit;
    const uint32_t *begins;
    bool whole;

    __device__ __forceinline__ uint32_t take(uint32_t of, uint32_t keys) const
    {
        return (whole ? 0 : begins[of]) + atomicAdd(&cursors[of], keys);
    }

    template <typename Tile> __device__ __forceinline__ void write(const Tile &tile) const
    {
        if (whole)
            tile.write_runs(digit, (K *)to, count, [this](K key) { return digit.moved(key); });
        else
            tile.write_runs(digit, (uint16_t *)to, count, [](K key) { return (uint16_t)key; });
    }
};

template <typename K, typename Digit>
static __device__ __forceinline__ msd_job<K, Digit>
msd_second_job(const msd_arguments &a, const K *from, uint32_t count, uint32_t bucket,
               const Digit &digit)
{
    return {from, count, (K *)a.buffers[1], a.cells + (bucket << a.second_bits), digit};
}

template <typename K>
static __device__ __forceinline__ msd_half_job<K>
msd_second_job(const msd_arguments &a, const K *from, uint32_t count, uint32_t bucket,
               const msd_half_digit<K> &digit)
{
    const uint32_t cell = bucket << a.second_bits;
    return {from, count, (uint16_t *)a.buffers[1], a.cells + cell, digit, a.singles + cell};
}

template <typename K, bool Inside>
static __device__ __forceinline__ msd_number_half_job<K, Inside>
msd_second_job(const msd_arguments &a, const K *from, uint32_t count, uint32_t bucket,
               const msd_number_half_digit<K, Inside> &digit)
{
    const uint32_t cell = bucket << a.second_bits;
    return {from,
            count,
            a.buffers[1],
            a.cells + cell,
            digit,
            a.singles + cell,
            a.control->whole[bucket] != 0};
}

template <typename K, typename Digit> struct msd_second_source {
    const msd_arguments &a;
    const uint32_t *first_tile; /* in shared memory */
    uint32_t tiles, tile_keys;
    Digit digit;

    __device__ __forceinline__ auto at(uint32_t tile) const
    {
        const uint32_t bucket = tile_owner(first_tile, MSD_DIGITS, tile);
        const uint32_t begin =
            a.control->bucket_begin[bucket] + (tile - first_tile[bucket]) * tile_keys;
        const uint32_t left = a.control->bucket_begin[bucket + 1] - begin;
        return msd_second_job(a, (const K *)a.buffers[0] + begin, min(left, tile_keys), bucket,
                              digit);
    }

    __device__ __forceinline__ uint32_t first() const
    {
        return blockIdx.x;
    }

    __device__ __forceinline__ uint32_t after(uint32_t) const
    {
        return msd_take(a, MSD_TAKEN_SECOND);
    }

    __device__ __forceinline__ uint32_t tile_of(uint32_t taken) const
    {
        return gridDim.x + taken;
    }

    template <typename Tile> __device__ __forceinline__ void finish_load(Tile &) const
    {
    }
};

/* What a block knows of buckets; if their cells are not counted yet, of those of one, too. */
struct msd_bucket_storage {
    uint32_t first_tile[MSD_DIGITS + 1];
    uint32_t begin[MSD_DIGITS]; /* in the result */
    uint32_t cell_begin[MSD_DIGITS];
    uint32_t warp_sums[8];
};

template <typename K, unsigned Threads, unsigned Items, unsigned Copies> struct msd_second_storage {
    typename msd_tile<K, Threads, Items, uint32_t, Copies>::storage tile;
    msd_bucket_storage buckets;
};

template <typename K, typename Tile, typename Digit>
static __device__ __forceinline__ void
msd_second_by(const msd_arguments &a, const uint32_t *first_tile, Tile &tile, const Digit &digit)
{
    msd_move_tiles(tile, msd_second_source<K, Digit>{a, first_tile, first_tile[MSD_DIGITS],
                                                     Tile::keys, digit});
}

template <bool MayHalve, bool Inside, typename K, typename Tile>
static __device__ __forceinline__ void msd_second_by_value(const msd_arguments &a,
                                                           const uint32_t *first_tile, Tile &tile)
{
    const uint32_t bits = a.second_bits;
    if constexpr (MayHalve)
        if (a.control->halved)
            return msd_second_by<K>(a, first_tile, tile,
                                    msd_number_half_digit<K, Inside>(a, 0, bits));
    msd_second_by<K>(a, first_tile, tile, msd_value_digit<K, Inside, true>(a, 0, bits));
}

template <bool MayHalve, typename K, unsigned Threads, unsigned Items, unsigned Copies>
static __device__ __forceinline__ void
msd_second_partition(const msd_arguments &a, msd_second_storage<K, Threads, Items, Copies> &s)
{
    using tile_type = msd_tile<K, Threads, Items, uint32_t, Copies>;
    const uint32_t bits = a.second_bits, mode = a.control->mode;
    if ((mode != MSD_DIRECT && mode != MSD_VALUED) || bits == 0)
        return;
    if (threadIdx.x <= MSD_DIGITS)
        s.buckets.first_tile[threadIdx.x] = a.control->bucket_tile[threadIdx.x];
    if (Threads == MSD_DIGITS && threadIdx.x == 0)
        s.buckets.first_tile[MSD_DIGITS] = a.control->bucket_tile[MSD_DIGITS];
    __syncthreads();
    tile_type tile(s.tile);
    if constexpr (sizeof(K) <= 8) {
        if (mode == MSD_VALUED && a.control->outside)
            return msd_second_by_value<MayHalve, false, K>(a, s.buckets.first_tile, tile);
        if (mode == MSD_VALUED)
            return msd_second_by_value<MayHalve, true, K>(a, s.buckets.first_tile, tile);
    }
    msd_linear_digit<K> digit = msd_cell_of<K>(a);
    digit.mask = (1u << bits) - 1;
    if constexpr (MayHalve)
        if (a.control->halved)
            return msd_second_by<K>(a, s.buckets.first_tile, tile, msd_half_digit<K>(digit));
    msd_second_by<K>(a, s.buckets.first_tile, tile, digit);
}

#endif
