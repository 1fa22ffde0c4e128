/* SPDX-License-Identifier: Apache-2.0 */
/* The first partition: keys become words, which move to the rooms of their buckets. */
#ifndef CONSORT_FUSED_FIRST_CUH
#define CONSORT_FUSED_FIRST_CUH

#include "cuda/sorts/fused/fused_words.cuh"
#include "cuda/sorts/msd/msd_rooms.cuh"

template <typename Digit> struct fused_source : msd_input_tiles<uint64_t, Digit> {
    const fused_arguments &list;
    const msd_codec<uint32_t> key_codec;

    __device__ __forceinline__ fused_source(const fused_arguments &arguments, uint32_t each,
                                            const Digit &way)
        : msd_input_tiles<uint64_t, Digit>(arguments.words, each, way), list(arguments),
          key_codec(arguments.codec)
    {
    }

    __device__ __forceinline__ msd_room_job<uint64_t, Digit, fused_input> at(uint32_t tile) const
    {
        return {&this->a, fused_input(list, tile * this->tile_keys), this->count(tile),
                this->digit};
    }

    template <typename Tile> __device__ __forceinline__ void finish_load(Tile &tile) const
    {
        fused_encode(key_codec, tile.code);
        msd_note_beyond<uint64_t>(this->a, tile, this->digit);
    }
};

template <unsigned Threads, unsigned Items>
static __device__ __forceinline__ void
fused_fill_rooms(const fused_arguments &a, typename msd_tile<uint64_t, Threads, Items>::storage &s)
{
    using tile_type = msd_tile<uint64_t, Threads, Items>;
    using linear = msd_linear_digit<uint64_t>;
    using clamped = msd_clamped_digit<uint64_t>;
    const msd_arguments &words = a.words;
    const uint32_t below = msd_second_bits(words), bits = words.cell_bits - below;
    if (!words.control->roomy)
        return;
    tile_type tile(s);
    const linear cell = msd_cell_of<uint64_t>(words);
    if (cell.shift + words.cell_bits < 64)
        msd_move_tiles(tile, fused_source<clamped>(a, tile_type::keys, {words, below, bits}));
    else
        msd_move_tiles(tile,
                       fused_source<linear>(a, tile_type::keys,
                                            {cell.base, cell.shift + below, (1u << bits) - 1}));
}

#endif
