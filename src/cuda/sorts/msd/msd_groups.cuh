/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second partition of buckets that have rooms, whose cells nobody has counted. The tiles of a
 * bucket are a group: each tells how many keys of each cell it has, and waits for the others before
 * it writes. A word that all add to says both how many tiles have told and of how many keys. All
 * blocks live, and a block's next tile is in a later bucket, so that none waits for a tile that
 * nobody works on.
 */
#ifndef CONSORT_MSD_GROUPS_CUH
#define CONSORT_MSD_GROUPS_CUH

#include "cuda/device/flag.cuh"
#include "cuda/sorts/msd/msd_partition.cuh"

/* What is written of a key: in place of it, or, in cells of halves, what the cell does not say. */
template <typename K, typename Digit>
static __device__ __forceinline__ K msd_whole_of(const Digit &digit, K key)
{
    return digit.moved(key);
}

template <typename K>
static __device__ __forceinline__ K msd_whole_of(const msd_half_digit<K> &, K code)
{
    return code;
}

template <typename K>
static __device__ __forceinline__ uint16_t msd_half_of(const msd_half_digit<K> &digit, K code)
{
    return digit.moved(code);
}

template <typename K, bool Inside>
static __device__ __forceinline__ uint16_t msd_half_of(const msd_number_half_digit<K, Inside> &,
                                                       K key)
{
    return (uint16_t)key;
}

template <typename K, typename Digit> static constexpr bool msd_has_halves = false;
template <typename K> static constexpr bool msd_has_halves<K, msd_half_digit<K>> = true;
template <typename K, bool Inside>
static constexpr bool msd_has_halves<K, msd_number_half_digit<K, Inside>> = true;

/* A tile of a bucket. */
template <typename K, typename Digit> struct msd_group_job {
    const msd_arguments *a;
    msd_bucket_storage *s;
    const K *from;
    uint32_t count;
    uint32_t tile, bucket;
    Digit digit;
    bool halves; /* are written */

    __device__ __forceinline__ uint32_t first_cell() const
    {
        return bucket << a->second_bits;
    }

    /* Whether the bucket has a cell that keys beyond all cells belong to. */
    __device__ __forceinline__ bool is_open() const
    {
        const uint32_t last = ((1u << a->cell_bits) - 1) >> a->second_bits;
        return a->control->outside && (bucket == 0 || bucket == last);
    }

    /* Places among the keys of the cell. Tells the group how many they are, if none, too. */
    __device__ __forceinline__ uint32_t take(uint32_t of, uint32_t keys) const
    {
        if (of >= 1u << a->second_bits)
            return 0;
        return atomic_add_relaxed(&a->tallies[first_cell() + of], 1u << MSD_TALLY_BITS | keys) %
               (1u << MSD_TALLY_BITS);
    }

    /* Keys of a cell, as soon as all tiles of the bucket have told of theirs. */
    __device__ __forceinline__ uint32_t tallied(uint32_t cell) const
    {
        const uint32_t tiles = s->first_tile[bucket + 1] - s->first_tile[bucket];
        uint32_t told;
        while ((told = load_relaxed(&a->tallies[cell])) >> MSD_TALLY_BITS < tiles)
            spin_pause(32);
        return told % (1u << MSD_TALLY_BITS);
    }

    /* Of numbers: nothing is known of how far the first and the last cell reach. */
    __device__ __forceinline__ void open_bounds(uint32_t cell) const
    {
        const uint32_t cells = 1u << a->cell_bits;
        if (cell == 0)
            ((K *)a->bounds)[0] = 0;
        if (cell == cells - 1)
            ((K *)a->bounds)[cells] = 0;
    }

    /* By the bucket's first tile: where cells end, and which wait for large leaves or levels. */
    __device__ __forceinline__ void note_cells(uint32_t begin, uint32_t keys, bool whole) const
    {
        const uint32_t cell = first_cell() + threadIdx.x;
        if (threadIdx.x >= 1u << a->second_bits)
            return;
        a->cells[cell] = begin + keys;
        if (a->control->halved)
            a->singles[cell] = begin;
        if (a->control->outside && a->control->mode == MSD_VALUED)
            open_bounds(cell);
        if (whole && threadIdx.x == 0)
            a->control->whole[bucket] = 1;
        if (keys > a->small_leaf) {
            const code_range<K> own = msd_cell_codes<K>(*a).of(cell);
            msd_file(*a, begin, keys, 1, own.low, own.high);
        }
    }

    /* By the block: places in the result, as soon as the group has told, from those in the cell of
     * this number. A bucket with a cell too large for any leaf has no halves. */
    __device__ __forceinline__ uint32_t settled(uint32_t place, uint32_t of)
    {
        const bool has_cell = threadIdx.x < 1u << a->second_bits;
        const uint32_t keys = has_cell ? tallied(first_cell() + threadIdx.x) : 0;
        const uint32_t begin = s->begin[bucket] + block_exclusive_sum_256(keys, s->warp_sums);
        if (threadIdx.x < MSD_DIGITS)
            s->cell_begin[threadIdx.x] = begin;
        const bool too_large = __syncthreads_or(keys > a->large_leaf) != 0;
        const bool whole = too_large || a->control->whole[bucket] || is_open();
        halves = halves && !whole;
        if (tile == s->first_tile[bucket])
            note_cells(begin, keys, whole);
        return place + (halves ? 2 : 1) * s->cell_begin[of];
    }

    template <typename Tile> __device__ __forceinline__ void write(const Tile &moved) const
    {
        if constexpr (msd_has_halves<K, Digit>)
            if (halves)
                return moved.write_runs(digit, (uint16_t *)a->buffers[1], count,
                                        [this](K key) { return msd_half_of(digit, key); });
        moved.write_runs(digit, (K *)a->buffers[1], count,
                         [this](K key) { return msd_whole_of(digit, key); });
    }
};

template <typename K, typename Digit>
static constexpr bool msd_waits_for_group<msd_group_job<K, Digit>> = true;

template <typename K, typename Digit> struct msd_group_source {
    const msd_arguments &a;
    msd_bucket_storage &s;
    uint32_t tiles, tile_keys;
    Digit digit;

    __device__ __forceinline__ msd_group_job<K, Digit> at(uint32_t tile) const
    {
        const uint32_t bucket = tile_owner(s.first_tile, MSD_DIGITS, tile);
        const uint32_t first = (tile - s.first_tile[bucket]) * tile_keys;
        const uint32_t left = a.control->bucket_cursor[bucket] - first;
        return {&a,
                &s,
                (const K *)a.rooms + bucket * a.room_keys + first,
                min(left, tile_keys),
                tile,
                bucket,
                digit,
                msd_is_halved(a)};
    }

    static __device__ __forceinline__ uint32_t first()
    {
        return blockIdx.x;
    }

    static __device__ __forceinline__ uint32_t after(uint32_t tile)
    {
        return tile + gridDim.x;
    }

    static __device__ __forceinline__ uint32_t tile_of(uint32_t number)
    {
        return number;
    }

    template <typename Tile> __device__ __forceinline__ void finish_load(Tile &) const
    {
    }
};

/* Where buckets begin in the result, and their first tiles: at least one each, which says where
 * cells end. */
static __device__ __forceinline__ void msd_number_buckets(const msd_arguments &a,
                                                          uint32_t tile_keys, msd_bucket_storage &s)
{
    const uint32_t keys = threadIdx.x < MSD_DIGITS ? a.control->bucket_cursor[threadIdx.x] : 0;
    const uint32_t rooms = 1u << (a.cell_bits - a.second_bits);
    const uint32_t tiles = threadIdx.x < rooms ? max((keys + tile_keys - 1) / tile_keys, 1u) : 0;
    const uint32_t begin = block_exclusive_sum_256(keys, s.warp_sums);
    __syncthreads();
    const uint32_t first_tile = block_exclusive_sum_256(tiles, s.warp_sums);
    if (threadIdx.x < MSD_DIGITS) {
        s.begin[threadIdx.x] = begin;
        s.first_tile[threadIdx.x] = first_tile;
    }
    if (threadIdx.x == MSD_DIGITS - 1)
        s.first_tile[MSD_DIGITS] = first_tile + tiles;
    __syncthreads();
}

template <typename K, typename Tile, typename Digit>
static __device__ __forceinline__ void
msd_move_groups(const msd_arguments &a, msd_bucket_storage &s, Tile &tile, const Digit &digit)
{
    msd_move_tiles(tile,
                   msd_group_source<K, Digit>{a, s, s.first_tile[MSD_DIGITS], Tile::keys, digit});
}

template <bool MayHalve, bool Inside, typename K, typename Tile>
static __device__ __forceinline__ void msd_move_numbers(const msd_arguments &a,
                                                        msd_bucket_storage &s, Tile &tile)
{
    const uint32_t bits = a.second_bits;
    if constexpr (MayHalve)
        if (a.control->halved)
            return msd_move_groups<K>(a, s, tile, msd_number_half_digit<K, Inside>(a, 0, bits));
    msd_move_groups<K>(a, s, tile, msd_value_digit<K, Inside, true>(a, 0, bits));
}

/* By all blocks of a cooperative launch. */
template <bool MayHalve, typename K, unsigned Threads, unsigned Items, unsigned Copies>
static __device__ __forceinline__ void
msd_second_by_groups(const msd_arguments &a, msd_second_storage<K, Threads, Items, Copies> &s)
{
    using tile_type = msd_tile<K, Threads, Items, uint32_t, Copies>;
    const uint32_t bits = a.second_bits;
    if (a.control->spilled)
        return;
    msd_number_buckets(a, tile_type::keys, s.buckets);
    tile_type tile(s.tile);
    if (a.control->mode == MSD_VALUED)
        return a.control->outside ? msd_move_numbers<MayHalve, false, K>(a, s.buckets, tile)
                                  : msd_move_numbers<MayHalve, true, K>(a, s.buckets, tile);
    msd_linear_digit<K> digit = msd_cell_of<K>(a);
    digit.mask = (1u << bits) - 1;
    if (a.control->outside)
        return msd_move_groups<K>(a, s.buckets, tile, msd_clamped_digit<K>(a, 0, bits));
    if constexpr (MayHalve)
        if (a.control->halved)
            return msd_move_groups<K>(a, s.buckets, tile, msd_half_digit<K>(digit));
    msd_move_groups<K>(a, s.buckets, tile, digit);
}

template <bool MayHalve, typename K, unsigned Threads, unsigned Items, unsigned Copies>
static __device__ __forceinline__ void msd_second(const msd_arguments &a,
                                                  msd_second_storage<K, Threads, Items, Copies> &s)
{
    if constexpr (sizeof(K) <= MSD_ROOMY_KEY_BYTES)
        if (a.control->roomy)
            return msd_second_by_groups<MayHalve>(a, s);
    msd_second_partition<MayHalve>(a, s);
}

#endif
