/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One stable pass over one digit: every tile ranks its keys in shared memory, learns from the tiles
 * before it where each digit value goes on (decoupled look-back), and writes them there in runs.
 * After A. Adinets and D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for
 * GPUs", arXiv 2206.01784.
 */
#ifndef CONSORT_LSD_PASS_CUH
#define CONSORT_LSD_PASS_CUH

#include "cuda/device/async_copy.cuh"
#include "cuda/device/block_scan.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/values.cuh"
#include "cuda/device/warp_ranks.cuh"
#include "cuda/sorts/lsd/lsd_lookback.cuh"
#include "cuda/sorts/lsd/lsd_tuning.h"

/* Where a step reads and writes, decided on the device because skipped passes change the parity. */
struct lsd_route {
    int step; /* LSD_SKIPPED: the pass moves nothing, and nothing else is told */
    const void *keys_in, *values_in;
    void *keys_out, *values_out;
    bool first, last, halves; /* keys come as they are; leave as they are, or their lower halves */
    uint32_t lead;
};

/* Buffer number `turn` counted back from the end: 0 = out, 1 = spare, 2 = out, … */
static __device__ __forceinline__ void *lsd_keys_at(const lsd_arguments &a, int turn)
{
    if (a.keys_out)
        return turn % 2 == 0 ? a.keys_out : a.keys_spare[0];
    return a.keys_spare[turn % 2];
}

static __device__ __forceinline__ void *lsd_values_at(const lsd_arguments &a, int turn)
{
    return turn % 2 == 0 ? a.values_out : a.values_spare;
}

/* A first step must not write over what it reads. In place, with an odd number of steps, all turns
 * shift by one and the result ends in the spare buffers, from where lsd_finish fetches it. With a
 * double buffer, whose spare is the input, the same happens with an even number, and stays. */
static __device__ __forceinline__ int lsd_shift(const lsd_arguments &a, int steps)
{
    return (a.in_place && steps % 2 == 1) || (a.double_buffer && steps % 2 == 0);
}

/* What stands in memory is read at once, not where it is first needed. */
static __device__ __forceinline__ lsd_route lsd_route_of(const lsd_arguments &a, uint32_t pass)
{
    const int step = a.control->step[pass], steps = a.control->step_count;
    const uint32_t leaves = a.control->leaves, lead = a.control->lead;
    const int turn = steps - 1 - step + lsd_shift(a, steps);
    lsd_route route;
    route.step = step;
    route.first = step == 0;
    route.last = step == steps - 1 && !leaves;
    route.halves = step == steps - 1 && leaves && a.halves;
    route.lead = route.first ? lead : 0;
    route.keys_in = route.first ? a.keys_in : lsd_keys_at(a, turn + 1);
    route.values_in = route.first ? a.values_in : lsd_values_at(a, turn + 1);
    route.keys_out = route.last && !a.keys_out ? nullptr : lsd_keys_at(a, turn);
    route.values_out = lsd_values_at(a, turn);
    return route;
}

/* Values that come to shared memory while keys are ranked, by their positions in the tile. */
template <typename Value, unsigned Count, bool Ahead> struct lsd_values_ahead {
};

template <typename Value, unsigned Count> struct lsd_values_ahead<Value, Count, true> {
    alignas(16) Value value[Count];
};

/* `Ahead`: wide values do not wait for the places of their keys. `Halves`: halves may leave. */
template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items, bool Ahead = false,
          bool Halves = false>
struct lsd_tile {
    static constexpr unsigned keys = Threads * Items;
    using ranks = warp_ranks<Threads, Items>;
    using value_type = typename value_class<ValueBytes>::type;

    union shared {
        typename ranks::bins_type warp_bins;
        K keys_sorted[keys];
        value_type values_sorted[ValueBytes && !Ahead ? keys : 1];
        uint16_t source[Ahead ? keys : 1]; /* the position of each value of the sorted tile */
    };

    struct alignas(16) storage : lsd_values_ahead<value_type, keys, Ahead> {
        shared buffer;
        /* Where a digit value's run goes, less its start in the tile. */
        uint32_t base[LSD_BINS];
        uint32_t base_high[LSD_BINS];
        uint32_t warp_sums[8];
        uint32_t tile;
    };

    const lsd_arguments &a;
    storage &s;
    const lsd_route route;
    const code_byte<K> digit;
    uint64_t first;  /* index of the tile's first key */
    uint32_t filled; /* keys in this tile */
    K code[Items];
    packed_places<Items> place;        /* in the sorted tile */
    packed_digits<Items> sorted_digit; /* of what this thread writes: where its values go */

    __device__ __forceinline__ lsd_tile(const lsd_arguments &arguments, storage &memory,
                                        lsd_route way, uint32_t pass)
        : a(arguments), s(memory), route(way), digit(pass)
    {
    }

    /* Where item j of the sorted tile, with this digit, goes. Only huge arrays pay for 64 bits. */
    __device__ __forceinline__ uint64_t target(uint32_t d, uint32_t j) const
    {
        if (a.count <= 0xffffffffu)
            return (uint32_t)(s.base[d] + j);
        return ((uint64_t)s.base_high[d] << 32 | s.base[d]) + j;
    }

    static __device__ __forceinline__ uint32_t position(unsigned i)
    {
        return ranks::position(i);
    }

    /* Places beyond the end get the highest code: they rank after every real key and are dropped.
     */
    __device__ __forceinline__ void load_keys()
    {
        const codes<K> codec(a.codec);
        const K *in = (const K *)route.keys_in + first;
        if (filled == keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                code[i] = in[position(i)];
            if (route.first && !codec.identity) {
#pragma unroll
                for (unsigned i = 0; i < Items; i++)
                    code[i] = codec.encode(code[i]);
            }
            if (route.lead) {
#pragma unroll
                for (unsigned i = 0; i < Items; i++)
                    code[i] = (K)(code[i] << route.lead);
            }
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            code[i] = (K) ~(K)0;
            if (position(i) < filled)
                code[i] = route.first ? (K)(codec.encode(in[position(i)]) << route.lead)
                                      : in[position(i)];
        }
    }

    __device__ __forceinline__ void rank_in_warps()
    {
        ranks::count(s.buffer.warp_bins, place, [this](unsigned i) { return digit(code[i]); });
    }

    __device__ __forceinline__ void places_in_tile()
    {
        ranks::places(s.buffer.warp_bins, place, [this](unsigned i) { return digit(code[i]); });
    }

    __device__ __forceinline__ void store_halves()
    {
        uint16_t *out = (uint16_t *)route.keys_out;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = i * Threads + threadIdx.x;
            const K key = s.buffer.keys_sorted[j];
            const uint32_t d = digit(key);
            if (j < filled)
                out[s.base[d] + j] = (uint16_t)key;
            sorted_digit.set(i, d);
        }
    }

    /* The usual case apart, so that it carries no tests: full tiles, codes stored as they are, and
     * places below 2³². */
    __device__ __forceinline__ void store_keys()
    {
        if (Halves && route.halves)
            return store_halves();
        const codes<K> codec(a.codec);
        K *out = (K *)route.keys_out;
        const bool decode = route.last && !codec.identity;
        if (filled == keys && a.count <= 0xffffffffu && !decode && out) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++) {
                const uint32_t j = i * Threads + threadIdx.x;
                const K key = s.buffer.keys_sorted[j];
                const uint32_t d = digit(key);
                out[s.base[d] + j] = key;
                if constexpr (ValueBytes != 0)
                    sorted_digit.set(i, d);
            }
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = i * Threads + threadIdx.x;
            const K key = s.buffer.keys_sorted[j];
            const uint32_t d = digit(key);
            if (out && j < filled)
                out[target(d, j)] = decode ? codec.decode(key) : key;
            if constexpr (ValueBytes != 0)
                sorted_digit.set(i, d);
        }
    }

    __device__ __forceinline__ void load_values(value_type (&value)[Items])
    {
        const value_reader<ValueBytes> in(route.values_in);
        if (route.first && a.value_mode == LSD_VALUES_INDEX) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                value[i] = value_class<ValueBytes>::of_index(first + position(i));
        } else if (filled == keys && in.aligned) {
            const value_type *from = (const value_type *)in.bytes + first;
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                value[i] = from[position(i)];
        } else {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (position(i) < filled)
                    value[i] = in.at(first + position(i));
        }
    }

    __device__ __forceinline__ void store_values()
    {
        const value_writer<ValueBytes> out(route.values_out);
        if (filled == keys && a.count <= 0xffffffffu && out.aligned) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++) {
                const uint32_t j = i * Threads + threadIdx.x;
                ((value_type *)out.bytes)[s.base[sorted_digit.at(i)] + j] =
                    s.buffer.values_sorted[j];
            }
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = i * Threads + threadIdx.x;
            if (j < filled)
                out.put(target(sorted_digit.at(i), j), s.buffer.values_sorted[j]);
        }
    }

    __device__ __forceinline__ void fetch_values()
    {
        const value_reader<ValueBytes> in(route.values_in);
        if (in.aligned) {
            const value_type *from = (const value_type *)in.bytes + first;
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                if (position(i) < filled)
                    async_copy(&s.value[position(i)], from + position(i));
            return;
        }
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < filled)
                s.value[position(i)] = in.at(first + position(i));
    }

    __device__ __forceinline__ void move_fetched()
    {
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            s.buffer.source[place.at(i)] = (uint16_t)position(i);
        async_copy_wait();
        __syncthreads();
        const value_writer<ValueBytes> out(route.values_out);
        const bool usual = filled == keys && a.count <= 0xffffffffu && out.aligned;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = i * Threads + threadIdx.x, d = sorted_digit.at(i);
            if (usual)
                ((value_type *)out.bytes)[s.base[d] + j] = s.value[s.buffer.source[j]];
            else if (j < filled)
                out.put(target(d, j), s.value[s.buffer.source[j]]);
        }
    }

    __device__ __forceinline__ void move_values()
    {
        value_type value[Items];
        load_values(value);
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            s.buffer.values_sorted[place.at(i)] = value[i];
        __syncthreads();
        store_values();
    }
};

/* Which launch of a pass this is, of how many, each over another portion of the keys. */
struct lsd_portion {
    uint32_t number, count;
    uint64_t first, end;

    __device__ __forceinline__ lsd_portion(const lsd_arguments &a, uint32_t portion,
                                           uint32_t portions)
        : number(portion), count(portions), first(portion * LSD_PORTION_KEYS),
          end(min(a.count, first + LSD_PORTION_KEYS))
    {
    }
};

/* The number of the next tile nobody works on. The whole block calls it, and has left the shared
 * memory of the tile before. */
static __device__ __forceinline__ uint32_t lsd_next_tile(const lsd_arguments &a, uint32_t pass,
                                                         const lsd_portion &portion,
                                                         uint32_t *shared)
{
    if (threadIdx.x == 0)
        *shared = atomicAdd(&a.control->tickets[pass * portion.count + portion.number], 1u);
    __syncthreads();
    return *shared;
}

template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items,
          unsigned Window = LSD_WINDOW, bool Ahead = false, bool Halves = false>
static __device__ __forceinline__ void
lsd_sort_tile(const lsd_arguments &a, uint32_t pass, const lsd_route &route,
              const lsd_portion &portion, uint32_t number,
              typename lsd_tile<K, ValueBytes, Threads, Items, Ahead, Halves>::storage &s)
{
    using tile_type = lsd_tile<K, ValueBytes, Threads, Items, Ahead, Halves>;
    tile_type tile(a, s, route, pass);
    tile.first = portion.first + (uint64_t)number * tile_type::keys;
    const uint64_t left = portion.end - tile.first;
    tile.filled = left < tile_type::keys ? (uint32_t)left : tile_type::keys;

    tile.load_keys();
    if constexpr (Ahead)
        tile.fetch_values();
    tile.rank_in_warps();
    __syncthreads();

    const bool owner = threadIdx.x < LSD_BINS;
    const lsd_status status(portion.count == 1 ? route.step % 2 : 0);
    uint32_t count = 0, padding = 0;
    if (owner) {
        count = tile_type::ranks::total(s.buffer.warp_bins); /* with padding */
        padding = threadIdx.x == LSD_BINS - 1 ? tile_type::keys - tile.filled : 0;
        flag_publish(&a.lookback[(uint64_t)number * LSD_BINS + threadIdx.x],
                     (number == 0 ? status.prefix : status.local) << LSD_COUNT_BITS |
                         (count - padding));
    }
    const uint32_t start = block_exclusive_sum_256(count, s.warp_sums);
    if (owner)
        tile_type::ranks::starts(s.buffer.warp_bins, start);
    __syncthreads();
    tile.places_in_tile();
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < Items; i++)
        s.buffer.keys_sorted[tile.place.at(i)] = tile.code[i];
    if (owner) {
        uint64_t run = a.control->bins[pass][portion.number % 2][threadIdx.x];
        run += lsd_look_back<Window>(a.lookback, number, count - padding, status);
        s.base[threadIdx.x] = (uint32_t)(run - start);
        s.base_high[threadIdx.x] = (uint32_t)((run - start) >> 32);
        if (portion.count > 1 && tile.first + tile.filled == portion.end)
            a.control->bins[pass][(portion.number + 1) % 2][threadIdx.x] = run + count - padding;
    }
    __syncthreads();
    tile.store_keys();
    if constexpr (Ahead)
        tile.move_fetched();
    else if constexpr (ValueBytes != 0)
        tile.move_values();
}

template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items, unsigned Window,
          bool Ahead = false, bool Halves = false>
static __device__ __forceinline__ void
lsd_pass(const lsd_arguments &a, uint32_t pass, uint32_t portion, uint32_t portions,
         typename lsd_tile<K, ValueBytes, Threads, Items, Ahead, Halves>::storage &s)
{
    const lsd_route route = lsd_route_of(a, pass);
    if (route.step == LSD_SKIPPED)
        return;
    const lsd_portion part(a, portion, portions);
    const uint32_t number = lsd_next_tile(a, pass, part, &s.tile);
    lsd_sort_tile<K, ValueBytes, Threads, Items, Window, Ahead, Halves>(a, pass, route, part,
                                                                        number, s);
}

#endif
