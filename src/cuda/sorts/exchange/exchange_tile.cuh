/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A partition of items by splitters: every tile is put in order of classes in shared memory and
 * leaves in runs. With Stable, a class keeps its items' order: tiles learn from those before them
 * where each class goes on (decoupled look-back, as in `lsd`). Without, where equal keys are equal
 * bits, a tile takes the class's next places, and nobody waits.
 */
#ifndef CONSORT_EXCHANGE_TILE_CUH
#define CONSORT_EXCHANGE_TILE_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/digit_crowd.cuh"
#include "cuda/device/flag.cuh"
#include "cuda/device/values.cuh"
#include "cuda/device/warp_ranks.cuh"
#include "cuda/sorts/exchange/exchange_search.cuh"

/* What a look-back word says: this tile's count, or that of all tiles up to it. */
enum : uint64_t {
    EXCHANGE_LOCAL = (uint64_t)1 << 62,
    EXCHANGE_PREFIX = (uint64_t)2 << 62
};

/* The items of this thread's class in all tiles before `tile`; publishes this tile's own. */
static __device__ __forceinline__ uint64_t exchange_look_back(uint64_t *words, uint32_t classes,
                                                              uint64_t tile, uint64_t count)
{
    uint64_t before = 0;
    for (uint64_t other = tile; other > 0;) {
        const uint64_t word = flag_poll(&words[(other - 1) * classes + threadIdx.x]);
        if (word < EXCHANGE_LOCAL) {
            spin_pause();
            continue;
        }
        before += word & EXCHANGE_SUM;
        if (word >= EXCHANGE_PREFIX)
            break;
        other--;
    }
    flag_publish(&words[tile * classes + threadIdx.x], EXCHANGE_PREFIX | (before + count));
    return before;
}

template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items> struct exchange_tile {
    static constexpr unsigned items = Threads * Items;
    static constexpr unsigned together = Items % 4 == 0 ? 4 : 2; /* whose classes are looked for */
    static constexpr bool has_values = ValueBytes != 0;
    using ranks = warp_ranks<Threads, Items>;
    using value_type = typename value_class<ValueBytes>::type;

    union shared {
        typename ranks::bins_type warp_bins;
        uint32_t bins[EXCHANGE_CLASSES];
        K keys[items];
        value_type values[ValueBytes ? items : 1];
    };

    struct alignas(16) storage {
        shared buffer;
        K splitters[EXCHANGE_MOST_RANGES];
        int64_t
            keys_to[EXCHANGE_CLASSES]; /* bytes: where a class's run goes, less its start here */
        int64_t values_to[EXCHANGE_CLASSES];
        uint32_t start[EXCHANGE_CLASSES];   /* of each counter */
        uint32_t run[EXCHANGE_CLASSES + 4]; /* where classes begin in the tile, and its end */
        uint32_t warp_sums[8];
        uint32_t ticket;
        uint32_t unaligned; /* values of some class do not go to multiples of their size */
        uint32_t reserved[2];
        uint8_t table[1 << EXCHANGE_TABLE_BITS];
    };

    const exchange_move &a;
    storage &s;
    const exchange_search<K> splitters;
    const uint32_t classes;
    uint64_t number, first;   /* of the tile, and of its first item */
    uint32_t filled, written; /* items of the tile, and of the one in order */
    K key[Items];
    value_type value[has_values ? Items : 1];
    packed_digits<Items> found;
    packed_places<Items> place; /* in the sorted tile */

    __device__ __forceinline__ exchange_tile(const exchange_move &arguments, storage &memory)
        : a(arguments), s(memory), splitters(arguments.splitters, memory.splitters),
          classes(arguments.splitters.each * arguments.splitters.count + 1)
    {
        if (threadIdx.x == 0)
            s.unaligned = 0;
        __syncthreads();
        splitters.tabulate(s.table);
    }

    static __device__ __forceinline__ uint32_t position(unsigned i)
    {
        return ranks::position(i);
    }

    __device__ __forceinline__ void take(uint64_t tile)
    {
        number = tile;
        first = tile * items;
        filled = (uint32_t)min(a.count - first, (uint64_t)items);
    }

    __device__ __forceinline__ void load()
    {
        const K *in = (const K *)a.keys_in + first;
        if (filled == items) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                key[i] = in[position(i)];
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            key[i] = position(i) < filled ? in[position(i)] : (K)0;
    }

    /* What is not there belongs to a class behind all others. */
    __device__ __forceinline__ void classify()
    {
        const ordered_codes<K> codec(a.codec);
#pragma unroll
        for (unsigned group = 0; group < Items; group += together) {
            K code[together];
            uint32_t its[together];
#pragma unroll
            for (unsigned i = 0; i < together; i++)
                code[i] = codec.encode(key[group + i]);
            splitters.find(code, s.table, its);
#pragma unroll
            for (unsigned i = 0; i < together; i++)
                found.set(group + i,
                          filled == items || position(group + i) < filled ? its[i] : classes);
        }
    }

    /* Threads 0…255 own a class each: whether there is such a class, and what it has of the tile.
     */
    __device__ __forceinline__ void find_base(bool stable, uint32_t count, uint32_t start)
    {
        if (threadIdx.x >= classes)
            return;
        uint64_t run = 0;
        if (stable)
            run = a.targets->places[threadIdx.x] +
                  exchange_look_back(a.words, classes, number, count);
        else if (count > 0)
            run = atomic_add_relaxed(&a.targets->places[threadIdx.x], (uint64_t)count);
        const bool fits = run + count <= a.targets->ends[threadIdx.x];
        const int64_t by = (int64_t)((fits ? run : a.targets->spare) - start);
        const int64_t keys_by = fits ? a.targets->keys[threadIdx.x] : 0;
        s.keys_to[threadIdx.x] = keys_by + by * (int64_t)sizeof(K);
        if (has_values) {
            const int64_t values_by = fits ? a.targets->values[threadIdx.x] : 0;
            s.values_to[threadIdx.x] = values_by + by * (int64_t)ValueBytes;
            if (((uintptr_t)a.values_out + (uint64_t)values_by) % sizeof(value_type) != 0)
                atomicOr(&s.unaligned, 1u);
        }
    }

    __device__ __forceinline__ void rank_stable()
    {
        const auto digit = [this](unsigned i) { return found.at(i); };
        ranks::count(s.buffer.warp_bins, place, digit);
        __syncthreads();
        const uint32_t count =
            threadIdx.x < EXCHANGE_CLASSES ? ranks::total(s.buffer.warp_bins) : 0;
        if (threadIdx.x < classes)
            flag_publish(&a.words[number * classes + threadIdx.x],
                         (number == 0 ? EXCHANGE_PREFIX : EXCHANGE_LOCAL) | count);
        const uint32_t start = block_exclusive_sum_256(count, s.warp_sums);
        if (threadIdx.x < EXCHANGE_CLASSES) {
            ranks::starts(s.buffer.warp_bins, start);
            s.run[threadIdx.x] = start;
        }
        __syncthreads();
        ranks::places(s.buffer.warp_bins, place, digit);
        find_base(true, count, start);
        __syncthreads();
    }

    /* Few classes would crowd at few counters: each has as many as there is room for, which lanes
     * take in turn. */
    __device__ __forceinline__ void rank_freely()
    {
        const uint32_t shift = __clz((int)classes) - 24; /* 2^shift counters each, one class more */
        if (threadIdx.x < EXCHANGE_CLASSES)
            s.buffer.bins[threadIdx.x] = 0;
        __syncthreads();
        const uint32_t mine = threadIdx.x & ((1u << shift) - 1);
        const auto bin = [this, shift, mine](unsigned i) { return found.at(i) << shift | mine; };
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            place.set(i, atomicAdd(&s.buffer.bins[bin(i)], 1u));
        __syncthreads();
        const uint32_t count = threadIdx.x < EXCHANGE_CLASSES ? s.buffer.bins[threadIdx.x] : 0;
        const uint32_t start = block_exclusive_sum_256(count, s.warp_sums);
        if (threadIdx.x < EXCHANGE_CLASSES)
            s.start[threadIdx.x] = start;
        __syncthreads();
        if (threadIdx.x <= classes) {
            const uint32_t begin = s.start[threadIdx.x << shift];
            s.run[threadIdx.x] = begin;
            if (threadIdx.x < classes)
                find_base(false, s.start[(threadIdx.x + 1) << shift] - begin, begin);
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            place.add(i, s.start[bin(i)]);
        __syncthreads();
    }

    /* A warp goes over its stretch of the tile, class by class. */
    template <typename Put>
    __device__ __forceinline__ void write_runs(const int64_t *to, const Put &put) const
    {
        uint32_t at = threadIdx.x / 32 * (Items * 32) + lane_id(), run = 0;
        for (uint32_t step = EXCHANGE_CLASSES / 2; step > 0; step /= 2)
            if (run + step < classes && s.run[run + step] <= at)
                run += step;
        uint32_t end = s.run[run + 1];
        int64_t base = to[run];
#pragma unroll
        for (unsigned i = 0; i < Items; i++, at += 32) {
            if (at >= written)
                return;
            if (at >= end) {
                while (s.run[run + 1] <= at)
                    run++;
                end = s.run[run + 1];
                base = to[run];
            }
            put(base, at);
        }
    }

    __device__ __forceinline__ void order_keys()
    {
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            s.buffer.keys[place.at(i)] = key[i];
        written = filled;
        __syncthreads();
    }

    __device__ __forceinline__ void write_keys() const
    {
        unsigned char *out = (unsigned char *)a.keys_out;
        write_runs(s.keys_to, [this, out](int64_t to, uint32_t at) {
            ((K *)(out + to))[at] = s.buffer.keys[at];
        });
    }

    __device__ __forceinline__ value_type value_at(const value_reader<ValueBytes> &in,
                                                   uint32_t where) const
    {
        return in.bytes ? in.at(first + where)
                        : value_class<ValueBytes>::of_index(a.first_number + first + where);
    }

    /* In flight while keys are written; their registers are those that keys have left. */
    __device__ __forceinline__ void load_values()
    {
        const value_reader<ValueBytes> in(a.values_in);
        if (filled == items && in.bytes && in.aligned) {
            const value_type *from = (const value_type *)in.bytes + first;
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                value[i] = from[position(i)];
        } else {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (position(i) < filled)
                    value[i] = value_at(in, position(i));
        }
    }

    __device__ __forceinline__ void order_values()
    {
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < filled)
                s.buffer.values[place.at(i)] = value[i];
        __syncthreads();
    }

    __device__ __forceinline__ void write_values() const
    {
        unsigned char *out = (unsigned char *)a.values_out;
        if (s.unaligned)
            write_runs(s.values_to, [this, out](int64_t to, uint32_t at) {
                value_writer<ValueBytes>(out + to).put(at, s.buffer.values[at]);
            });
        else
            write_runs(s.values_to, [this, out](int64_t to, uint32_t at) {
                ((value_type *)(out + to))[at] = s.buffer.values[at];
            });
    }
};

/* A block takes tiles until there are no more; their numbers are tickets, so that whoever waits
 * waits for a tile that is at work. Keys of the next are on their way while the last of these are
 * written. */
template <typename Tile, bool Stable>
static __device__ __forceinline__ void exchange_move_tiles(const exchange_move &a,
                                                           typename Tile::storage &s)
{
    Tile tile(a, s);
    const uint64_t tiles = (a.count + tile.items - 1) / tile.items;
    if (threadIdx.x == 0)
        s.ticket = atomicAdd(a.ticket, 1u);
    __syncthreads();
    if (s.ticket >= tiles)
        return;
    tile.take(s.ticket);
    tile.load();
    for (;;) {
        tile.classify();
        if constexpr (Stable)
            tile.rank_stable();
        else
            tile.rank_freely();
        if (threadIdx.x == 0)
            s.ticket = atomicAdd(a.ticket, 1u);
        tile.order_keys();
        if constexpr (Tile::has_values) {
            tile.load_values();
            tile.write_keys();
            tile.order_values();
        }
        const bool more = s.ticket < tiles;
        if (more) {
            tile.take(s.ticket);
            tile.load();
        }
        if constexpr (Tile::has_values)
            tile.write_values();
        else
            tile.write_keys();
        if (!more)
            return;
        __syncthreads();
    }
}

#endif
