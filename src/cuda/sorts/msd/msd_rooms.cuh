/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long lists that spread evenly, as a sample foretells: each bucket of the first partition gets a
 * room, memory for more keys than chance would bring, so that keys move without being counted
 * before. The second partition finds out how large cells are (msd_groups.cuh). If a room does not
 * suffice nothing is lost: keys are where they were (msd_spilled.cuh).
 */
#ifndef CONSORT_MSD_ROOMS_CUH
#define CONSORT_MSD_ROOMS_CUH

#include "cuda/sorts/msd/msd_sample.cuh"
#include "cuda/sorts/msd/msd_tile.cuh"

enum {
    MSD_ROOM_PARTS = 64 /* of the range, that should have as many sampled keys each */
};

/* Whether what sampled keys span lacks at most one in so many of the codes, or cells, that rooms
 * are for. Of keys that are like their neighbours fewer places tell where the range ends, and rooms
 * have more to spare, as chance brings them less. (Of 100 samples of sixteen ascending runs 7 lack
 * more than one in 512 codes, which made rooms of 3 * 2^22 u32 a histogram, 282 µs instead of 247
 * on an H200; 1 in 1500 more than one in 256.) May hold a barrier. */
template <typename K, unsigned Each>
static __device__ __forceinline__ bool msd_fills(const msd_sampled<K, Each> &sampled, K span, K all)
{
    if (span >= (K)(all - all / MSD_ROOM_SPARE))
        return true;
    return span >= (K)(all - all / MSD_ALIKE_SPARE) &&
           __syncthreads_count(sampled.is_like_neighbour()) > MSD_PLAN_THREADS / 2;
}

/* By the sampling block, whose bins tell where sampled keys are: hardly ever are more than half as
 * many again as there should be in one of the parts, even if keys are like their neighbours. */
template <uint32_t Keys>
static __device__ __forceinline__ bool msd_parts_are_even(const msd_arguments &a,
                                                          const msd_skew_storage &s)
{
    constexpr uint32_t mean = Keys / MSD_ROOM_PARTS;
    const uint32_t each = (1u << min(a.cell_bits, (uint32_t)MSD_SAMPLE_BITS)) / MSD_ROOM_PARTS;
    const uint32_t lane = threadIdx.x % 32;
    bool crowd = false;
    for (unsigned i = 0; i < MSD_ROOM_PARTS * 32 / MSD_PLAN_THREADS; i++) {
        const uint32_t part = i * MSD_PLAN_THREADS / 32 + threadIdx.x / 32;
        uint32_t keys = 0;
        for (uint32_t bin = lane; bin < each; bin += 32)
            keys += s.bins[part * each + bin];
        crowd |= __reduce_add_sync(0xffffffffu, keys) > mean / 2 * 3 && lane == i;
    }
    return __syncthreads_count(crowd) <= 2;
}

/* By the block that looked at codes, when cells are chosen: as it chose them, since what it wrote
 * is far away. */
template <typename K, unsigned Each>
static __device__ __forceinline__ void
msd_choose_rooms_of_codes(const msd_arguments &a, const msd_sampled<K, Each> &sampled, bool crowd,
                          const msd_skew_storage &s)
{
    const code_range<K> &range = sampled.range;
    const msd_place<K> place = msd_place_cells(range.low, range.high);
    const uint32_t shift = msd_cell_shift(a, place);
    msd_control *control = a.control;
    if (!a.rooms || msd_counted_by(a, place, sampled.varying) || msd_orders_numbers(a) || crowd ||
        s.crowded > msd_sampled<K, Each>::keys / 8 ||
        !msd_fills(sampled, (K)(range.high - range.low), msd_ones<K>(shift + a.cell_bits)) ||
        !msd_parts_are_even<msd_sampled<K, Each>::keys>(a, s) || threadIdx.x > 0)
        return;
    control->roomy = 1;
    control->mode = MSD_DIRECT;
    control->halved = a.halves && shift <= (uint32_t)MSD_HALF_BITS;
}

/* By the block that looked at numbers. */
template <typename K, unsigned Each>
static __device__ __forceinline__ void
msd_choose_rooms_of_numbers(const msd_arguments &a, const msd_sampled<K, Each> &sampled,
                            const msd_skew_storage &s)
{
    msd_control *control = a.control;
    if (!a.rooms || !control->valued)
        return;
    const codes<K> codec(a.codec);
    const msd_value_map<K> map = msd_value_map<K>::of(a);
    const K low = map.place(codec.decode(sampled.range.low));
    const K high = map.place(codec.decode(sampled.range.high));
    if (!msd_fills(sampled, (K)(high - low), (K)(map.cells - 1)) ||
        !msd_parts_are_even<msd_sampled<K, Each>::keys>(a, s) || threadIdx.x > 0)
        return;
    control->roomy = 1;
    control->mode = MSD_VALUED;
    control->halved = a.halves;
}

/* Whether the thread has a key that is beyond all cells. Where cells are for all codes none is. */
template <typename Tile, typename K>
static __device__ __forceinline__ bool msd_has_beyond(const Tile &, const msd_linear_digit<K> &)
{
    return false;
}

template <typename Tile, typename K>
static __device__ __forceinline__ bool msd_has_beyond(const Tile &tile,
                                                      const msd_clamped_digit<K> &digit)
{
    bool beyond = false;
    tile.for_each([&](uint32_t, K code) { beyond |= digit.is_beyond(code); });
    return beyond;
}

/* The map is read once more: places that are worked out here would else be kept in registers until
 * keys are counted. */
template <typename Tile, typename K, bool Inside>
static __device__ __forceinline__ bool
msd_has_beyond(const Tile &tile, const msd_value_digit<K, Inside, false> &digit)
{
    using number = msd_number<K>;
    const msd_value_map<K> map = {number::of((K)load_relaxed(digit.scale)),
                                  number::of((K)load_relaxed(digit.scale + 1)), digit.map.cells};
    K differing = 0; /* bits */
    tile.for_each([&](uint32_t, K key) { differing |= map.place(key) ^ number::unit; });
    return map.beyond(differing ^ number::unit) != 0;
}

template <typename Tile, typename K, typename Digit>
static __device__ __forceinline__ bool msd_has_no_number(const Tile &tile, const Digit &)
{
    bool none = false;
    if constexpr (Digit::of_keys)
        tile.for_each([&](uint32_t, K key) { none |= msd_value_map<K>::is_nan(key); });
    return none;
}

/* If the thread has a key beyond all cells, or one that is no number. */
template <typename K, typename Tile, typename Digit>
static __device__ __forceinline__ void msd_note_beyond(const msd_arguments &a, const Tile &tile,
                                                       const Digit &digit)
{
    if (!msd_has_beyond(tile, digit))
        return;
    if (!msd_has_no_number<Tile, K>(tile, digit))
        return store_relaxed(&a.control->outside, 1u);
    store_relaxed(&a.control->nameless, 1u);
    store_relaxed(&a.control->spilled, 1u);
}

/* Keys to their rooms. */
template <typename K, typename Digit, typename From = const K *> struct msd_room_job {
    const msd_arguments *a;
    From from;
    uint32_t count;
    Digit digit;

    /* What finds no room goes anywhere: it will not be used. */
    __device__ __forceinline__ uint32_t take(uint32_t room, uint32_t keys) const
    {
        const uint32_t before = atomicAdd(&a->control->bucket_cursor[room], keys);
        if (before + keys <= a->room_keys)
            return room * a->room_keys + before;
        store_relaxed(&a->control->spilled, 1u);
        return 0;
    }

    template <typename Tile> __device__ __forceinline__ void write(const Tile &tile) const
    {
        tile.write_runs(digit, (K *)a->rooms, count, [this](K key) { return digit.moved(key); });
    }
};

template <typename K, typename Digit> struct msd_room_source : msd_input_tiles<K, Digit> {
    using msd_input_tiles<K, Digit>::msd_input_tiles;

    __device__ __forceinline__ msd_room_job<K, Digit> at(uint32_t tile) const
    {
        return {&this->a, this->from(tile), this->count(tile), this->digit};
    }

    template <typename Tile> __device__ __forceinline__ void finish_load(Tile &tile) const
    {
        msd_input_tiles<K, Digit>::finish_load(tile);
        if constexpr (!msd_may_stop<msd_room_source>)
            msd_note_beyond<K>(this->a, tile, this->digit);
    }

    template <typename Tile> __device__ __forceinline__ bool stops_at(const Tile &tile) const
    {
        return msd_has_beyond(tile, this->digit);
    }
};

/* Numbers are asked about once only; from the first tile on that has some beyond all cells, each is
 * taken to the first or the last if need be. (Of 2^28 f32 that takes 0.96 ms, not 0.78.) */
template <typename K>
static constexpr bool msd_may_stop<msd_room_source<K, msd_value_digit<K, true, false>>> = true;

/* By codes: cells are for all, or keys beyond them belong to the first or the last.
 * source_of(digit) makes the tiles' source. */
template <typename K, typename Tile, typename SourceOf>
static __device__ __forceinline__ void msd_fill_rooms_by_codes(const msd_arguments &a, Tile &tile,
                                                               const SourceOf &source_of)
{
    const uint32_t below = a.second_bits, bits = a.cell_bits - below;
    const msd_linear_digit<K> cell = msd_cell_of<K>(a);
    if (cell.shift + a.cell_bits < 8 * sizeof(K))
        msd_move_tiles(tile, source_of(msd_clamped_digit<K>(a, below, bits)));
    else
        msd_move_tiles(
            tile, source_of(msd_linear_digit<K>{cell.base, cell.shift + below, (1u << bits) - 1}));
}

template <typename K, typename Tile>
static __device__ __forceinline__ void msd_fill_rooms(const msd_arguments &a, Tile &tile)
{
    if (a.control->mode == MSD_VALUED) {
        const uint32_t below = a.second_bits, bits = a.cell_bits - below;
        using inner = msd_value_digit<K, true, false>;
        using outer = msd_value_digit<K, false, false>;
        const uint32_t left =
            msd_move_tiles(tile, msd_room_source<K, inner>(a, Tile::keys, {a, below, bits}));
        msd_move_loaded_tiles(tile, msd_room_source<K, outer>(a, Tile::keys, {a, below, bits}),
                              left);
        return;
    }
    msd_fill_rooms_by_codes<K>(a, tile, [&](auto digit) {
        return msd_room_source<K, decltype(digit)>(a, Tile::keys, digit);
    });
}

#endif
