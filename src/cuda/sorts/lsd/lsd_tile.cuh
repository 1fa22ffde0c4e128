/* SPDX-License-Identifier: Apache-2.0 */
/* A tile of a pass: its keys are ranked by a digit in shared memory, and leave it in runs. */
#ifndef CONSORT_LSD_TILE_CUH
#define CONSORT_LSD_TILE_CUH

#include "cuda/device/async_copy.cuh"
#include "cuda/device/codes.cuh"
#include "cuda/device/values.cuh"
#include "cuda/device/warp_ranks.cuh"
#include "cuda/sorts/lsd/lsd_route.cuh"

/* What a tile sorts by: a byte, or a longer digit, which is at the top. */
template <typename K, unsigned Bits> struct lsd_digit {
    static_assert(Bits > LSD_DIGIT_BITS, "others are bytes");

    __device__ __forceinline__ explicit lsd_digit(uint32_t)
    {
    }

    __device__ __forceinline__ uint32_t operator()(K code) const
    {
        return (uint32_t)(code >> (8 * sizeof(K) - Bits));
    }
};

template <typename K> struct lsd_digit<K, LSD_DIGIT_BITS> : code_byte<K> {
    using code_byte<K>::code_byte;
};

/* Values that come to shared memory while keys are ranked, by their positions in the tile. */
template <typename Value, unsigned Count, bool Ahead> struct lsd_values_ahead {
};

template <typename Value, unsigned Count> struct lsd_values_ahead<Value, Count, true> {
    alignas(16) Value value[Count];
};

/*
 * `Ahead`: wide values do not wait for the places of their keys. `Halves`: halves may leave.
 *
 * Keys alone take their ranks by atomic additions, which keep no promised order. When the tile is
 * sorted its keys tell whether it is in order; one that is not, which no GPU is known to make, is
 * put in order by its keys. Where values move, ballots rank: keys would not tell, and to note where
 * they came from takes more time than it saves.
 */
template <typename K, unsigned ValueBytes, unsigned Threads, unsigned Items, bool Ahead = false,
          bool Halves = false, unsigned Bits = LSD_DIGIT_BITS>
struct lsd_tile {
    using key_type = K;
    using digit_type = lsd_digit<K, Bits>;
    static constexpr unsigned items = Items, keys = Threads * Items, bins = 1u << Bits;
    static constexpr bool ahead = Ahead, alone = ValueBytes == 0;
    static_assert(!alone || Bits == LSD_DIGIT_BITS, "what is asked of sorted keys knows bytes");
    using ranks = warp_ranks<Threads, Items, Bits>;
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
        uint32_t base[bins];
        uint32_t base_high[bins];
        uint32_t warp_sums[bins / 32];
        uint32_t tile;
    };

    /* What a tile is made of, to make it again. */
    struct origin {
        const lsd_arguments &a;
        storage &s;
        lsd_route route;
        uint32_t pass;
        uint64_t first;
        uint32_t filled;
    };

    const lsd_arguments &a;
    storage &s;
    const lsd_route route;
    const uint32_t pass;
    const digit_type digit;
    uint64_t first;                          /* index of the tile's first key */
    uint32_t filled;                         /* keys in this tile */
    K code[Items];                           /* as they came; of keys alone, what is sorted then */
    packed_places<Items> place;              /* in the sorted tile */
    packed_digits<Items, Bits> sorted_digit; /* of what this thread writes: where its values go */

    __device__ __forceinline__ lsd_tile(const lsd_arguments &arguments, storage &memory,
                                        lsd_route way, uint32_t number)
        : a(arguments), s(memory), route(way), pass(number), digit(number)
    {
    }

    __device__ __forceinline__ explicit lsd_tile(const origin &same)
        : lsd_tile(same.a, same.s, same.route, same.pass)
    {
        first = same.first;
        filled = same.filled;
    }

    __device__ __forceinline__ origin whence() const
    {
        return {a, s, route, pass, first, filled};
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

    /* Of a key of the list. */
    __device__ __forceinline__ uint32_t digit_at(uint64_t i) const
    {
        const K key = ((const K *)route.keys_in)[i];
        return digit(route.first ? (K)(codes<K>(a.codec).encode(key) << route.lead) : key);
    }

    /* Places beyond the end get the highest code: they rank after every real key and are dropped.
     * Of keys alone whole tiles take the same way as the last, whose own would be code that no
     * cache holds: in a graph blocks waited for it 8 µs longer at the end of each pass (H200). */
    __device__ __forceinline__ void load_keys()
    {
        const codes<K> codec(a.codec);
        const K *in = (const K *)route.keys_in + first;
        if (!alone && filled == keys) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++)
                code[i] = in[position(i)];
            encode_loaded(codec);
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            code[i] = (K) ~(K)0;
            if (position(i) < filled)
                code[i] = in[position(i)];
        }
        encode_loaded(codec);
    }

    __device__ __forceinline__ void encode_loaded(const codes<K> &codec)
    {
        if (!route.first || (codec.identity && !route.lead))
            return;
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            if (position(i) < filled)
                code[i] = (K)(codec.encode(code[i]) << route.lead);
    }

    __device__ __forceinline__ void rank_in_warps()
    {
        const auto digit_of = [this](unsigned i) { return digit(code[i]); };
        if constexpr (alone)
            ranks::count_somehow(s.buffer.warp_bins, place, digit_of);
        else
            ranks::count(s.buffer.warp_bins, place, digit_of);
    }

    /* Behind a barrier; holds another. */
    __device__ __forceinline__ void put_in_order()
    {
        ranks::places(s.buffer.warp_bins, place, [this](unsigned i) { return digit(code[i]); });
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            s.buffer.keys_sorted[place.at(i)] = code[i];
    }

    /* Fetches the keys that this thread writes of the sorted tile. Says whether those of a digit
     * are in order of their lower bits, but for those that took no pass if there are such. */
    template <bool Cut> __device__ __forceinline__ bool fetch_in_order()
    {
        const uint32_t above = 8 * (uint32_t)(sizeof(K) - 1 - pass);
        const uint32_t below = Cut ? above + 8 * left_out() : 0;
        bool ordered = true;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = i * Threads + threadIdx.x;
            const K before = s.buffer.keys_sorted[j > 0 ? j - 1 : 0];
            code[i] = s.buffer.keys_sorted[j];
            if constexpr (Cut)
                ordered &= (K)(before << above) >> below <= (K)(code[i] << above) >> below;
            else
                ordered &= (K)(before << above) <= (K)(code[i] << above);
        }
        return ordered;
    }

    /* How many of the lowest digits are left out: of wide keys alone some may be. */
    __device__ __forceinline__ uint32_t left_out() const
    {
        return sizeof(K) >= 8 ? a.control->cut : 0;
    }

    /* The same of all lower bits by which earlier steps have sorted the list: then keys of a digit
     * are as they came, but for those that differ above the digit alone, which later steps put in
     * order. */
    __device__ __forceinline__ bool fetch_sorted()
    {
        bool ordered;
        if constexpr (sizeof(K) == 16)
            ordered = fetch_in_order<true>();
        else if constexpr (sizeof(K) == 8)
            ordered = left_out() ? fetch_in_order<true>() : fetch_in_order<false>();
        else
            ordered = fetch_in_order<false>();
        return ordered && (filled == keys || ends_with_padding());
    }

    /* Whether what is dropped of the sorted tile are highest codes: padding, or the same bits. */
    __device__ __forceinline__ bool ends_with_padding() const
    {
        bool ends = true;
        for (uint32_t j = filled + threadIdx.x; j < keys; j += Threads)
            ends &= s.buffer.keys_sorted[j] == (K) ~(K)0;
        return ends;
    }

    /* Item i of what this thread writes of the sorted tile. */
    __device__ __forceinline__ K sorted_key(unsigned i) const
    {
        return alone ? code[i] : s.buffer.keys_sorted[i * Threads + threadIdx.x];
    }

    __device__ __forceinline__ void store_halves()
    {
        uint16_t *out = (uint16_t *)route.keys_out;
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = i * Threads + threadIdx.x;
            const K key = sorted_key(i);
            const uint32_t d = digit(key);
            if (j < filled)
                out[s.base[d] + j] = (uint16_t)key;
            sorted_digit.set(i, d);
        }
    }

    /* The usual case apart, so that it carries fewer tests: codes stored as they are, and places
     * below 2³²; with values, of full tiles. */
    __device__ __forceinline__ void store_keys()
    {
        if (Halves && route.halves)
            return store_halves();
        const codes<K> codec(a.codec);
        K *out = (K *)route.keys_out;
        const bool decode = route.last && !codec.identity;
        if ((alone || filled == keys) && a.count <= 0xffffffffu && !decode && out) {
#pragma unroll
            for (unsigned i = 0; i < Items; i++) {
                const uint32_t j = i * Threads + threadIdx.x;
                const K key = sorted_key(i);
                const uint32_t d = digit(key);
                if (!alone || j < filled)
                    out[s.base[d] + j] = key;
                if constexpr (ValueBytes != 0)
                    sorted_digit.set(i, d);
            }
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < Items; i++) {
            const uint32_t j = i * Threads + threadIdx.x;
            const K key = sorted_key(i);
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

    /* Values follow their keys. */
    __device__ __forceinline__ void move()
    {
        if constexpr (Ahead)
            move_fetched();
        else if constexpr (ValueBytes != 0)
            move_values();
    }

    __device__ __forceinline__ void move_values()
    {
        value_type value[Items];
        load_values(value);
        move_loaded(value);
    }

    __device__ __forceinline__ void move_loaded(const value_type (&value)[Items])
    {
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Items; i++)
            s.buffer.values_sorted[place.at(i)] = value[i];
        __syncthreads();
        store_values();
    }
};

#endif
