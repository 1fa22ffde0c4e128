/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two partitions of all keys: of the input into at most 256 buckets, and, if digits make even
 * buckets, of each bucket into its cells.
 */
#ifndef CONSORT_MSD_PARTITION_CUH
#define CONSORT_MSD_PARTITION_CUH

#include "cuda/device/tile_owner.cuh"
#include "cuda/sorts/msd/msd_tile.cuh"

template <typename K, typename Digit> struct msd_first_source {
    const msd_arguments &a;
    const msd_codec<K> codec;
    uint32_t tiles, tile_keys;
    Digit digit;

    __device__ __forceinline__ msd_first_source(const msd_arguments &arguments, uint32_t keys,
                                                Digit way)
        : a(arguments), codec(arguments.codec),
          tiles((uint32_t)((arguments.count + keys - 1) / keys)), tile_keys(keys), digit(way)
    {
    }

    __device__ __forceinline__ msd_job<K, Digit> at(uint32_t tile) const
    {
        const uint32_t first = tile * tile_keys;
        return {(const K *)a.in + first, (uint32_t)min(a.count - first, (uint64_t)tile_keys),
                (K *)a.buffers[0], a.control->bucket_cursor, digit};
    }

    __device__ __forceinline__ uint32_t next(uint32_t tile) const
    {
        return tile;
    }

    template <typename Tile> __device__ __forceinline__ void finish_load(Tile &tile) const
    {
        tile.encode(codec);
    }
};

template <typename K, unsigned Threads, unsigned Items> struct msd_first_storage {
    typename msd_tile<K, Threads, Items>::storage tile;
    unsigned char table[MSD_TABLE];
};

template <typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void msd_first_partition(const msd_arguments &a,
                                                           msd_first_storage<K, Threads, Items> &s)
{
    using tile_type = msd_tile<K, Threads, Items>;
    const uint32_t mode = a.control->mode;
    const msd_linear_digit<K> cell = msd_cell_of<K>(a);
    tile_type tile(s.tile);
    if (mode == MSD_DIRECT) {
        const msd_linear_digit<K> digit = {cell.base, cell.shift + msd_second_bits(a),
                                           MSD_DIGITS - 1};
        msd_move_tiles(tile, msd_first_source<K, msd_linear_digit<K>>(a, tile_type::keys, digit));
    } else if (mode == MSD_TABLED) {
        for (unsigned i = threadIdx.x; i < MSD_TABLE / 16; i += Threads)
            ((uint4 *)s.table)[i] = ((const uint4 *)a.control->table)[i];
        const uint32_t coarser = a.cell_bits > MSD_TABLE_BITS ? a.cell_bits - MSD_TABLE_BITS : 0;
        const msd_tabled_digit<K> digit = {cell.base, msd_ones<K>(cell.shift + a.cell_bits),
                                           cell.shift + coarser, s.table};
        __syncthreads();
        msd_move_tiles(tile, msd_first_source<K, msd_tabled_digit<K>>(a, tile_type::keys, digit));
    }
}

template <typename K> struct msd_second_source {
    const msd_arguments &a;
    const uint32_t *first_tile; /* in shared memory */
    uint32_t tiles, tile_keys;
    msd_linear_digit<K> digit;

    __device__ __forceinline__ msd_job<K, msd_linear_digit<K>> at(uint32_t tile) const
    {
        const uint32_t bucket = tile_owner(first_tile, MSD_DIGITS, tile);
        const uint32_t begin =
            a.control->bucket_begin[bucket] + (tile - first_tile[bucket]) * tile_keys;
        const uint32_t left = a.control->bucket_begin[bucket + 1] - begin;
        return {(const K *)a.buffers[0] + begin, min(left, tile_keys), (K *)a.buffers[1],
                a.cells + (bucket << msd_second_bits(a)), digit};
    }

    __device__ __forceinline__ uint32_t next(uint32_t tile) const
    {
        return tile;
    }

    template <typename Tile> __device__ __forceinline__ void finish_load(Tile &) const
    {
    }
};

template <typename K, unsigned Threads, unsigned Items> struct msd_second_storage {
    typename msd_tile<K, Threads, Items>::storage tile;
    uint32_t first_tile[MSD_DIGITS + 1];
};

template <typename K, unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
msd_second_partition(const msd_arguments &a, msd_second_storage<K, Threads, Items> &s)
{
    using tile_type = msd_tile<K, Threads, Items>;
    if (a.control->mode != MSD_DIRECT || msd_second_bits(a) == 0)
        return;
    if (threadIdx.x <= MSD_DIGITS)
        s.first_tile[threadIdx.x] = a.control->bucket_tile[threadIdx.x];
    if (Threads == MSD_DIGITS && threadIdx.x == 0)
        s.first_tile[MSD_DIGITS] = a.control->bucket_tile[MSD_DIGITS];
    __syncthreads();
    msd_linear_digit<K> digit = msd_cell_of<K>(a);
    digit.mask = (1u << msd_second_bits(a)) - 1;
    tile_type tile(s.tile);
    msd_move_tiles(tile, msd_second_source<K>{a, s.first_tile, s.first_tile[MSD_DIGITS],
                                              tile_type::keys, digit});
}

#endif
