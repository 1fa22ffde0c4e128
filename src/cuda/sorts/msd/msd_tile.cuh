/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving a tile of keys to the buckets of a digit. Equal keys are the same bits, so their order is
 * free: a key's rank in its bucket is what an atomic counter in shared memory returns, and the
 * tile's place in a bucket what one atomic addition to the bucket's cursor returns. Nobody waits
 * for another tile. In shared memory the tile is put in order of digits first, so that it leaves in
 * runs.
 *
 * Lanes that add to one counter queue up, and so do lanes whose counters are in one bank. Each
 * digit has several counters, side by side, and lanes use them in turn: few different digits cost
 * hardly more than many. Warps begin at different ones, so that sorted keys do not leave in strides
 * of a power of two, whose bins share a bank when they are counted again.
 */
#ifndef CONSORT_MSD_TILE_CUH
#define CONSORT_MSD_TILE_CUH

#include "cuda/device/block_warp_scan.cuh"
#include "cuda/sorts/msd/msd_codes.cuh"
#include "cuda/sorts/msd/msd_tuning.h"

/* A thread's counters, moved at once. */
template <unsigned Count> struct alignas(Count < 4 ? 4 * Count : 16) msd_counts {
    uint32_t of[Count];

    __device__ __forceinline__ uint32_t sum() const
    {
        uint32_t all = 0;
#pragma unroll
        for (unsigned i = 0; i < Count; i++)
            all += of[i];
        return all;
    }
};

/* `Place` counts keys of the array that tiles move to. A tight tile has no word to spare, at the
 * cost of some instructions. */
template <typename K, unsigned Threads, unsigned Items, typename Place = uint32_t,
          unsigned Copies = msd_copies(Items), bool Tight = false, unsigned Digits = MSD_DIGITS>
struct msd_tile {
    static constexpr unsigned keys = Threads * Items, copies = Copies;
    static constexpr unsigned threads_of_digit = Threads / Digits;
    using counts = msd_counts<copies / threads_of_digit>;

    struct alignas(16) storage {
        union {
            K sorted[keys];
            uint32_t warp_sums[32]; /* until places are known */
        };
        /* Keys of a digit, of every lane in turn; then where they begin in the tile. */
        alignas(16) uint32_t bins[Digits * copies];
        /* Where they go, less where they begin in the tile; behind, unless there is no room, what
         * one thread tells all. */
        Place base[Digits + (Tight ? 0 : 1)];
    };

    storage &s;
    uint32_t filled;
    K code[Items];

    static_assert(keys <= 65536, "ranks are 16 bits");
    static_assert(Threads % Digits == 0 && copies % threads_of_digit == 0,
                  "threads share a digit's counters");

    __device__ __forceinline__ explicit msd_tile(storage &memory) : s(memory), filled(0)
    {
    }

    /* from[i] is the i-th key of the tile: an array, or what makes keys. */
    template <typename From> __device__ __forceinline__ void load(const From &from, uint32_t count)
    {
        filled = count;
        if (filled == keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                code[i] = from[i * Threads + threadIdx.x];
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < filled)
                code[i] = from[i * Threads + threadIdx.x];
    }

    __device__ __forceinline__ void encode(const msd_codec<K> &codec)
    {
        codec.encode_all(code);
    }

    /* use(place in the tile, code) for all that the thread has. */
    template <typename Use> __device__ __forceinline__ void for_each(const Use &use) const
    {
        if (filled == keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                use(i * Threads + threadIdx.x, code[i]);
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (i * Threads + threadIdx.x < filled)
                use(i * Threads + threadIdx.x, code[i]);
    }

    __device__ __forceinline__ void clear_bins()
    {
        ((counts *)s.bins)[threadIdx.x] = {};
    }

    __device__ __forceinline__ uint32_t &bin(uint32_t digit) const
    {
        return s.bins[digit * copies + (threadIdx.x + threadIdx.x / 32) % copies];
    }

    template <typename Digit> __device__ __forceinline__ void count_keys(const Digit &digit)
    {
        if (filled != keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (i * Threads + threadIdx.x < filled)
                    atomicAdd(&bin(digit(code[i])), 1u);
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            atomicAdd(&bin(digit(code[i])), 1u);
    }

    /* Between two barriers: counts become places in the tile. Returns what note_base() takes: the
     * answer of the cursor is not waited for. */
    __device__ __forceinline__ uint32_t find_places(uint32_t *cursors)
    {
        return find_places_by([cursors](uint32_t digit, uint32_t count) {
            return atomicAdd(&cursors[digit], count);
        });
    }

    /* The same with places for `count` keys of a digit from take(digit, count), which is asked for
     * one or more, or for none, too. */
    template <bool None = false, typename Take>
    __device__ __forceinline__ Place find_places_by(const Take &take)
    {
        counts *bins = (counts *)s.bins + threadIdx.x;
        counts size = *bins;
        const uint32_t sum = size.sum();
        uint32_t count = sum;
        Place place = 0;
#pragma unroll
        for (unsigned lanes = 1; lanes < threads_of_digit; lanes *= 2)
            count += __shfl_xor_sync(0xffffffffu, count, (int)lanes);
        if ((None || count) && threadIdx.x % threads_of_digit == 0)
            place = take(threadIdx.x / threads_of_digit, count);
        const uint32_t inclusive = warp_inclusive_sum(sum);
        uint32_t all;
        uint32_t start =
            inclusive - sum +
            block_sum_of_lower_warps(__shfl_sync(0xffffffffu, inclusive, 31), s.warp_sums, &all);
        place -= start;
#pragma unroll
        for (uint32_t &count_of : size.of) {
            const uint32_t keys_of = count_of;
            count_of = start;
            start += keys_of;
        }
        *bins = size;
        return place;
    }

    /* Before the barrier that write_runs() is behind. */
    __device__ __forceinline__ void note_base(Place place)
    {
        if (threadIdx.x % threads_of_digit == 0)
            s.base[threadIdx.x / threads_of_digit] = place;
    }

    /* Behind find_places(), before the barrier: the first thread's word for all. In a tight tile
     * each hears it where it notes a base, before it does. */
    __device__ __forceinline__ void tell(uint32_t word)
    {
        if constexpr (!Tight) {
            if (threadIdx.x == 0)
                s.base[Digits] = word;
        } else if (threadIdx.x < 32) {
            word = __shfl_sync(0xffffffffu, word, 0);
#pragma unroll
            for (unsigned digit = 0; digit < Digits; digit += 32)
                s.base[digit + threadIdx.x] = word;
        }
    }

    __device__ __forceinline__ uint32_t hear() const
    {
        if constexpr (!Tight)
            return (uint32_t)s.base[Digits];
        const uint32_t word = (uint32_t)s.base[threadIdx.x / threads_of_digit];
        __syncwarp();
        return word;
    }

    template <typename Digit> __device__ __forceinline__ void put_in_order(const Digit &digit)
    {
        if (filled != keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (i * Threads + threadIdx.x < filled)
                    s.sorted[atomicAdd(&bin(digit(code[i])), 1u)] = code[i];
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            s.sorted[atomicAdd(&bin(digit(code[i])), 1u)] = code[i];
    }

    /* `count` keys, those of the tile in order: code[] may hold the next tile's already. */
    template <typename Digit>
    __device__ __forceinline__ void write_runs(const Digit &digit, K *to, uint32_t count) const
    {
        write_runs(digit, to, count, [](K key) { return key; });
    }

    /* `written`: what becomes of a key. */
    template <typename Digit, typename To, typename Written>
    __device__ __forceinline__ void write_runs(const Digit &digit, To *to, uint32_t count,
                                               const Written &written) const
    {
        if (count == keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++) {
                const uint32_t j = i * Threads + threadIdx.x;
                const K key = s.sorted[j];
                to[(Place)(s.base[digit(key)] + j)] = written(key);
            }
            return;
        }
        for (uint32_t j = threadIdx.x; j < count; j += Threads) {
            const K key = s.sorted[j];
            to[(Place)(s.base[digit(key)] + j)] = written(key);
        }
    }
};

/* Jobs whose keys have no places until others have told of theirs: take() is asked for digits
 * without keys, too, and settled(place, digit) makes of the place taken the one to write to. */
template <typename Job> static constexpr bool msd_waits_for_group = false;

/* Sources that stop at tiles for which stops_at(tile), asked by all threads, says so of some. */
template <typename Source> static constexpr bool msd_may_stop = false;

/*
 * All tiles of a source. The keys of a block's next tile are on their way
 * while the present one is written. A source says how many tiles there are and what each is:
 *
 *   uint32_t tiles;
 *   uint32_t first(): of the block
 *   uint32_t after(uint32_t tile): by one thread, asked for while this tile is moved; nothing waits
 *   uint32_t tile_of(uint32_t after): the block's next
 *   job at(uint32_t tile): from, count, digit, take(), write()
 *   void finish_load(tile &): codes from keys, in registers alone
 */
template <typename K, typename Digit> struct msd_job {
    const K *from;
    uint32_t count;
    K *to;
    uint32_t *cursors;
    Digit digit;

    /* Places for so many keys of a digit. */
    __device__ __forceinline__ uint32_t take(uint32_t of, uint32_t keys) const
    {
        return atomicAdd(&cursors[of], keys);
    }

    template <typename Tile> __device__ __forceinline__ void write(const Tile &tile) const
    {
        tile.write_runs(digit, to, count, [this](K key) { return digit.moved(key); });
    }
};

/* Tiles of the input, which blocks take as they have time for them. */
template <typename K, typename Digit> struct msd_input_tiles {
    const msd_arguments &a;
    const msd_codec<K> codec;
    uint32_t tiles, tile_keys;
    Digit digit;

    __device__ __forceinline__ msd_input_tiles(const msd_arguments &arguments, uint32_t keys,
                                               const Digit &way)
        : a(arguments), codec(arguments.codec),
          tiles((uint32_t)((arguments.count + keys - 1) / keys)), tile_keys(keys), digit(way)
    {
    }

    __device__ __forceinline__ const K *from(uint32_t tile) const
    {
        return (const K *)a.in + tile * tile_keys;
    }

    __device__ __forceinline__ uint32_t count(uint32_t tile) const
    {
        return (uint32_t)min(a.count - tile * tile_keys, (uint64_t)tile_keys);
    }

    __device__ __forceinline__ uint32_t first() const
    {
        return blockIdx.x;
    }

    __device__ __forceinline__ uint32_t after(uint32_t) const
    {
        return msd_take(a, MSD_TAKEN_FIRST);
    }

    __device__ __forceinline__ uint32_t tile_of(uint32_t taken) const
    {
        return gridDim.x + taken;
    }

    template <typename Tile> __device__ __forceinline__ void finish_load(Tile &tile) const
    {
        if constexpr (!Digit::of_keys)
            tile.encode(codec);
    }
};

/* From a tile on that is loaded. Returns the number of one that the source stops at, loaded, or of
 * none. */
template <typename Tile, typename Source>
static __device__ __forceinline__ uint32_t msd_move_loaded_tiles(Tile &tile, const Source &source,
                                                                 uint32_t number)
{
    if (number >= source.tiles)
        return number;
    auto job = source.at(number);
    for (;;) {
        tile.clear_bins();
        source.finish_load(tile);
        if constexpr (msd_may_stop<Source>) {
            if (__syncthreads_or(source.stops_at(tile)))
                return number;
        } else {
            __syncthreads();
        }
        const uint32_t next = threadIdx.x == 0 ? source.after(number) : 0;
        tile.count_keys(job.digit);
        __syncthreads();
        const uint32_t place = tile.template find_places_by<msd_waits_for_group<decltype(job)>>(
            [&job](uint32_t digit, uint32_t count) { return job.take(digit, count); });
        tile.tell(next);
        __syncthreads();
        tile.put_in_order(job.digit);
        number = source.tile_of(tile.hear());
        auto moved = job;
        const bool more = number < source.tiles;
        if (more) {
            job = source.at(number);
            tile.load(job.from, job.count);
        }
        if constexpr (msd_waits_for_group<decltype(job)>)
            tile.note_base(moved.settled(place, threadIdx.x / Tile::threads_of_digit));
        else
            tile.note_base(place);
        __syncthreads();
        moved.write(tile);
        if (!more)
            return number;
        __syncthreads();
    }
}

template <typename Tile, typename Source>
static __device__ __forceinline__ uint32_t msd_move_tiles(Tile &tile, const Source &source)
{
    const uint32_t number = source.first();
    if (number < source.tiles) {
        const auto job = source.at(number);
        tile.load(job.from, job.count);
    }
    return msd_move_loaded_tiles(tile, source, number);
}

#endif
