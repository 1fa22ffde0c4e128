/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an item to its slice. Slices are linear in the value: of a float the value is its number,
 * of everything else its code. A float that is no finite number has a slice at its end.
 *
 * A slice is worked out twice, when it is counted and when its items move, and must be the same:
 * integers are exact, and floats go through one fused and one single multiplication, which leaves
 * a compiler no choice.
 */
#ifndef CONSORT_BUCKET_MAP_CUH
#define CONSORT_BUCKET_MAP_CUH

#include <math.h>

#include "cuda/device/code_range.cuh"
#include "cuda/device/item.cuh"
#include "cuda/sorts/bucket/bucket_layout.h"

/* The floating-point field of a code. */
template <typename K>
static __device__ __forceinline__ uint64_t bucket_field(const bucket_values &v, K code)
{
    const uint64_t field = (uint64_t)(code >> v.shift);
    return v.bits == 64 ? field : field & (((uint64_t)1 << v.bits) - 1);
}

static __device__ __forceinline__ bool bucket_is_finite(const bucket_values &v, uint64_t field)
{
    return field >= v.lowest && field <= v.highest;
}

/* Negated if the order descends, so that values never fall as codes rise. */
static __device__ __forceinline__ double bucket_value(const bucket_values &v, uint64_t field)
{
    const uint64_t sign = (uint64_t)1 << (v.bits - 1);
    const uint64_t flipped = (field + v.bias) ^ v.flip;
    const uint64_t size = (flipped & sign ? ~flipped : flipped) & (sign - 1);
    const double value = v.bits == 64
                             ? __longlong_as_double((long long)size)
                             : (double)(__uint_as_float((uint32_t)size << v.left) * v.factor);
    return ((flipped & sign) != 0) != (v.descends != 0) ? -value : value;
}

/* (`at` − the lowest) · slices / (the distance of the highest + 1), rounded down: exact, below
 * `slices`, and not 0 for the highest unless there is only one slice. */
template <typename W>
static __device__ __forceinline__ uint32_t bucket_linear_slice(const bucket_map &map, W at)
{
    const W distance = (W)(at - code_from_words<W>(map.low));
    const uint32_t reduced = (uint32_t)(distance >> map.shift);
    return (uint32_t)((uint64_t)reduced * map.multiplier >> 32);
}

template <typename W>
static __device__ __forceinline__ void bucket_map_linearly(bucket_map *map, W low, W high,
                                                           uint32_t wanted)
{
    const W distance = (W)(high - low);
    const uint32_t bits = code_bit_length(distance);
    map->shift = bits > 32 ? bits - 32 : 0;
    const uint64_t reach = (uint64_t)(distance >> map->shift) + 1;
    map->slices = reach < wanted ? (uint32_t)reach : wanted;
    map->multiplier = ((uint64_t)map->slices << 32) / reach;
    code_to_words(low, map->low);
}

static __device__ __forceinline__ uint32_t bucket_value_slice(const bucket_values &v,
                                                              const bucket_map &map, uint64_t field)
{
    if (!bucket_is_finite(v, field))
        return field < v.lowest ? 0 : map.slices - 1;
    const double steps = fma(bucket_value(v, field), 0.5, -map.half_low) * map.scale;
    return 1 + min((uint32_t)steps, map.slices - BUCKET_APART - 1);
}

/* False if doubles cannot tell the two values apart, or not divide their distance. */
static __device__ __forceinline__ bool bucket_map_by_value(bucket_map *map, double low, double high,
                                                           uint32_t wanted)
{
    map->half_low = low * 0.5;
    map->range = fma(high, 0.5, -map->half_low);
    map->scale = (double)wanted / map->range;
    map->slices = wanted + BUCKET_APART;
    return map->range > 0.0 && map->scale < 1e300;
}

/* A word of an index, or none. */
template <typename I> struct bucket_index {
    using type = I;

    static __device__ __forceinline__ I load(const items &a, uint64_t at)
    {
        return ((const I *)a.indices)[at];
    }
};
template <> struct bucket_index<no_index> {
    using type = uint32_t;

    static __device__ __forceinline__ uint32_t load(const items &, uint64_t)
    {
        return 0;
    }
};

/* The slice of the item whose code is `code` and that stands at `at`. */
template <typename K, typename I>
static __device__ __forceinline__ uint32_t bucket_slice(const bucket_arguments &a,
                                                        const bucket_division &d, K code,
                                                        uint64_t at)
{
    if (d.map.mode == BUCKET_BY_VALUE)
        return bucket_value_slice(a.values, d.map, bucket_field(a.values, code));
    if (d.map.mode == BUCKET_BY_INDEX)
        return bucket_linear_slice<typename bucket_index<I>::type>(
            d.map, bucket_index<I>::load(a.arrays[d.part.buffer], at));
    return bucket_linear_slice<K>(d.map, code);
}

#endif
