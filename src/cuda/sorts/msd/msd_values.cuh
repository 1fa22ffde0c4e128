/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells of floating-point keys by the numbers they are, not by their codes, which grow with the
 * logarithm: numbers that spread evenly make even cells. A cell's number is what one multiplication
 * and addition leaves in the lowest bits of its result, rounded down; as that never falls where the
 * number rises, whatever the rounding, cells are in the order of codes.
 *
 * Keys move as they came and become codes when they have reached their cells.
 */
#ifndef CONSORT_MSD_VALUES_CUH
#define CONSORT_MSD_VALUES_CUH

#include "cuda/sorts/msd/msd_codes.cuh"

/* `unit`: the number whose successors in its type are 1 apart. */
template <typename K> struct msd_number;

template <> struct msd_number<uint32_t> {
    using type = float;
    using word = int32_t;
    static constexpr uint32_t unit = 0x4b000000u, infinity = 0x7f800000u, sign = 0x80000000u;

    static __device__ __forceinline__ float of(uint32_t key)
    {
        return __uint_as_float(key);
    }

    static __device__ __forceinline__ uint32_t bits(float number)
    {
        return __float_as_uint(number);
    }

    static __device__ __forceinline__ float multiply_add(float x, float y, float z)
    {
        return __fmaf_rd(x, y, z);
    }
};

template <> struct msd_number<uint64_t> {
    using type = double;
    using word = int64_t;
    static constexpr uint64_t unit = (uint64_t)0x433 << 52, infinity = (uint64_t)0x7ff << 52;
    static constexpr uint64_t sign = (uint64_t)1 << 63;

    static __device__ __forceinline__ double of(uint64_t key)
    {
        return __longlong_as_double((long long)key);
    }

    static __device__ __forceinline__ uint64_t bits(double number)
    {
        return (uint64_t)__double_as_longlong(number);
    }

    static __device__ __forceinline__ double multiply_add(double x, double y, double z)
    {
        return __fma_rd(x, y, z);
    }
};

/* From keys to cells. */
template <typename K> struct msd_value_map {
    using number = msd_number<K>;
    using word = typename number::word;

    typename number::type scale, offset;
    uint32_t cells;

    static __device__ __forceinline__ msd_value_map of(const msd_arguments &a)
    {
        return {number::of((K)a.control->scale), number::of((K)a.control->offset),
                1u << a.cell_bits};
    }

    static __device__ __forceinline__ bool is_nan(K key)
    {
        return (K)(key & (K)~number::sign) > number::infinity;
    }

    /* The number of a cell in its lowest bits. */
    __device__ __forceinline__ K place(K key) const
    {
        return number::bits(number::multiply_add(number::of(key), scale, offset));
    }

    __device__ __forceinline__ K inner_place(K key) const
    {
        const word low = (word)number::unit, high = (word)(number::unit + cells - 1);
        return (K)min(max((word)place(key), low), high);
    }

    /* Bits that are set only if a key belongs to no cell. */
    __device__ __forceinline__ K beyond(K place) const
    {
        return (K)((K)(place ^ number::unit) & ~(K)(cells - 1));
    }

    /* Whether a code is in this cell or behind it. */
    __device__ __forceinline__ bool reaches(const codes<K> &codec, uint32_t cell, K code) const
    {
        return (word)place(codec.decode(code)) >= (word)(number::unit + cell);
    }

    /* About where a cell begins: all but exact where its numbers are not small beside the offset.
     */
    __device__ __forceinline__ K begins_about(const codes<K> &codec, uint32_t cell) const
    {
        const auto from = number::of(number::unit) - offset;
        return codec.encode(number::bits((from + (typename number::type)cell) / scale));
    }

    /* The first code of a cell. Infinities are beyond all cells. Searched in steps that double,
     * from a guess on: by halves from the infinities on all cells of f64 took 14 µs. */
    __device__ __forceinline__ K begin(const codes<K> &codec, uint32_t cell) const
    {
        const K infinity = codec.encode(number::infinity);
        const K other = codec.encode((K)(number::infinity | number::sign));
        K low = code_lower(infinity, other), high = code_higher(infinity, other), step = 1;
        const K guess = code_lower(code_higher(begins_about(codec, cell), low), high);
        if (reaches(codec, cell, guess)) {
            high = guess;
            for (; high - low > step && reaches(codec, cell, high - step); step *= 2)
                high -= step;
            low = high - low > step ? high - step + 1 : low;
        } else {
            low = code_lower((K)(guess + 1), high);
            for (; high - low > step && !reaches(codec, cell, low + step); step *= 2)
                low += step + 1;
            high = high - low > step ? low + step : high;
        }
        while (low < high) {
            const K middle = (K)(low + (K)(high - low) / 2);
            if (reaches(codec, cell, middle))
                high = middle;
            else
                low = (K)(middle + 1);
        }
        return low;
    }

    /* Whether a cell from this code on may have keys of both signs, or such that their lowest 16
     * bits do not tell apart. */
    __device__ __forceinline__ bool exceeds_half(const codes<K> &codec, uint32_t cell,
                                                 K first) const
    {
        const K infinity = codec.encode(number::infinity);
        const K other = codec.encode((K)(number::infinity | number::sign));
        const K most = code_higher(infinity, other) - first, half = (K)1 << MSD_HALF_BITS;
        const K behind = codec.decode((K)(first + code_lower(most, half)));
        return (word)place(behind) < (word)(number::unit + cell + 1) ||
               ((codec.decode(first) ^ behind) & number::sign) != 0;
    }
};

/* Of a counter that has no such cells. */
template <typename K, bool Numbered> struct msd_values_of {
    struct type {
        static __device__ __forceinline__ type of(const msd_arguments &)
        {
            return {};
        }
    };
};

template <typename K> struct msd_values_of<K, true> {
    using type = msd_value_map<K>;
};

/* Key to digit. `Inside`: no key is beyond the cells. `Rests`: keys become codes. */
template <typename K, bool Inside, bool Rests> struct msd_value_digit {
    static constexpr bool of_keys = true;
    msd_value_map<K> map;
    msd_codec<K> codec;
    uint32_t shift, mask;
    const uint64_t *scale; /* of the map, and its offset behind */

    __device__ __forceinline__ msd_value_digit(const msd_arguments &a, uint32_t from, uint32_t bits)
        : map(msd_value_map<K>::of(a)), codec(a.codec), shift(from), mask((1u << bits) - 1),
          scale(&a.control->scale)
    {
    }

    __device__ __forceinline__ uint32_t operator()(K key) const
    {
        const K place = Inside ? map.place(key) : map.inner_place(key);
        return (uint32_t)place >> shift & mask;
    }

    __device__ __forceinline__ K moved(K key) const
    {
        return Rests ? codec.encode_straight(key) : key;
    }
};

/* 2^exponent, in the range of ordinary doubles. */
static __device__ __forceinline__ double msd_power_of_two(long long exponent)
{
    return __longlong_as_double((exponent + 0x3ff) << 52);
}

/* Where 2^bits cells lie: from `base` on, over `span`. */
struct msd_interval {
    double base, span;
};

/*
 * Numbers that fill a range of a power of two get cells of its even parts, so that none is lost;
 * others get all of their own range and a little more, some of which is due to the offset, which is
 * a whole number. Keys beyond are asked about again.
 */
static __device__ __forceinline__ msd_interval msd_interval_of(double low, double high,
                                                               uint32_t bits)
{
    const double width = high - low;
    const long long exponent = (__double_as_longlong(width) >> 52) + 1 - 0x3ff;
    if (exponent > -1000 && exponent < 1000) {
        const double span = msd_power_of_two(exponent), part = span / 16;
        const double steps = low * msd_power_of_two(4 - exponent);
        if (steps > -1e9 && steps < 1e9) {
            long long step = (long long)steps;
            step -= (double)step > steps;
            const double base = (double)step * part;
            if (high < base + span && width >= part * 15)
                return {base, span};
        }
    }
    const double margin = width / 2048 + 2 * width * msd_power_of_two(-(long long)bits);
    return {low - margin, width + 2 * margin};
}

/* Of sampled codes from `low` to `high`; false if there is none: they are no numbers, or far from
 * zero for so short a range. Few cells remain unused. */
template <typename K>
static __device__ __forceinline__ bool msd_fit_values(const msd_arguments &a, K low, K high,
                                                      msd_value_map<K> *map)
{
    using number = msd_number<K>;
    const codes<K> codec(a.codec);
    const K first = codec.decode(low), last = codec.decode(high);
    const double from = (double)number::of(first), to = (double)number::of(last);
    const bool rises = from < to;
    if (!rises && !(to < from))
        return false;
    const uint32_t cells = 1u << a.cell_bits;
    const msd_interval interval =
        rises ? msd_interval_of(from, to, a.cell_bits) : msd_interval_of(to, from, a.cell_bits);
    const double scale = cells / interval.span * (rises ? 1 : -1);
    const double end = rises ? interval.base : interval.base + interval.span;
    map->cells = cells;
    map->scale = (typename number::type)scale;
    map->offset = (typename number::type)((double)number::of(number::unit) - end * scale);
    const K begin = map->place(first), behind = map->place(last);
    return map->scale != 0 && map->beyond(begin) == 0 && map->beyond(behind) == 0 &&
           behind - begin >= cells / 4 * 3;
}

/* What a block's first thread worked out. */
struct msd_fitted {
    uint64_t scale, offset; /* bits of numbers */
    uint32_t fits;
};

/* The same by a block: divisions of doubles by all threads take 2 µs. Holds a barrier. */
template <typename K>
static __device__ __forceinline__ bool msd_fit_block(const msd_arguments &a, K low, K high,
                                                     msd_fitted &s, msd_value_map<K> *map)
{
    using number = msd_number<K>;
    if (threadIdx.x == 0) {
        s.fits = msd_fit_values(a, low, high, map);
        s.scale = number::bits(map->scale);
        s.offset = number::bits(map->offset);
    }
    __syncthreads();
    *map = {number::of((K)s.scale), number::of((K)s.offset), 1u << a.cell_bits};
    return s.fits != 0;
}

#endif
