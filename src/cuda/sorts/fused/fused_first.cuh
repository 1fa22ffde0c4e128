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
        return {&this->a, fused_input(list.keys, tile * this->tile_keys, list.shift),
                this->count(tile), this->digit};
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
    if (!a.words.control->roomy)
        return;
    tile_type tile(s);
    msd_fill_rooms_by_codes<uint64_t>(a.words, tile, [&](auto digit) {
        return fused_source<decltype(digit)>(a, tile_type::keys, digit);
    });
}

#endif
