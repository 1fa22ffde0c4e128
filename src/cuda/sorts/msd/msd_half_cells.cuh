/* SPDX-License-Identifier: Apache-2.0 */
/* What halves of keys are in cells that are ranges of codes, and in those that are ranges of
 * numbers. */
#ifndef CONSORT_MSD_HALF_CELLS_CUH
#define CONSORT_MSD_HALF_CELLS_CUH

#include "cuda/sorts/msd/msd_codes.cuh"
#include "cuda/sorts/msd/msd_tuning.h"

/* A cell of `count` keys. Its halves, in the order of codes, fill 16 bits from the top. */
struct msd_half_cell {
    uint32_t begin, count;
    uint32_t unused; /* bits of a half, the lowest */
    uint32_t code;   /* of half 0 */
    /* Of numbers: a half and `from`, with all bits turned or none, are a key. */
    uint32_t turn, from;
    bool whole; /* keys of this cell are codes already */

    __device__ __forceinline__ uint32_t code_of(uint32_t half) const
    {
        return code + (half >> unused);
    }

    __device__ __forceinline__ uint32_t number_of(uint32_t half) const
    {
        return ((half >> unused) + from) ^ turn;
    }

    __device__ __forceinline__ uint32_t half_of(uint32_t written) const
    {
        return ((written ^ turn) - from) << unused & ((1u << MSD_HALF_BITS) - 1);
    }
};

/* Cells that are ranges of codes. */
struct msd_half_codes {
    static constexpr bool of_numbers = false;
    const msd_arguments &a;
    const msd_codec<uint32_t> codec;
    const msd_linear_digit<uint32_t> cell_of;

    __device__ __forceinline__ explicit msd_half_codes(const msd_arguments &arguments)
        : a(arguments), codec(a.codec), cell_of(msd_cell_of<uint32_t>(a))
    {
    }

    __device__ __forceinline__ msd_half_cell cell(uint32_t number) const
    {
        const uint32_t begin = a.singles[number];
        return {begin,
                a.cells[number] - begin,
                MSD_HALF_BITS - cell_of.shift,
                cell_of.base + (number << cell_of.shift),
                0,
                0,
                a.control->whole[number >> a.second_bits] != 0};
    }

    static __device__ __forceinline__ bool few(const msd_half_cell &)
    {
        return false;
    }

    /* What the second partition has written becomes a half. */
    static __device__ __forceinline__ uint32_t half_of(const msd_half_cell &, uint32_t written)
    {
        return written;
    }

    template <typename Write>
    __device__ __forceinline__ void write(const msd_half_cell &cell, const Write &write_as) const
    {
        if (codec.identity)
            write_as([cell](uint32_t half) { return cell.code_of(half); });
        else if (codec.flips)
            write_as([this, cell](uint32_t half) { return cell.code_of(half) ^ codec.flip; });
        else
            write_as([this, cell](uint32_t half) { return codec.decode(cell.code_of(half)); });
    }
};

/* Cells that are ranges of numbers, whose codes are in the middle of what the halves may be: so
 * both lists have about as many. */
struct msd_half_numbers {
    static constexpr bool of_numbers = true;
    const msd_arguments &a;
    const msd_codec<uint32_t> codec;

    __device__ __forceinline__ explicit msd_half_numbers(const msd_arguments &arguments)
        : a(arguments), codec(a.codec)
    {
    }

    __device__ __forceinline__ msd_half_cell cell(uint32_t number) const
    {
        const uint32_t begin = a.singles[number], count = a.cells[number] - begin;
        const uint32_t *bounds = (const uint32_t *)a.bounds + number;
        const uint32_t first = bounds[0], codes = bounds[1] - first;
        const uint32_t bits = min(code_bit_length(codes - 1), (uint32_t)MSD_HALF_BITS);
        const uint32_t before = bits > MSD_HALVES_BIN_BITS ? ((1u << bits) - codes) / 2 : 0;
        const uint32_t key = codec.decode(first);
        const uint32_t turn = codec.decode(first + 1) == key + 1 ? 0 : ~0u;
        const bool whole = a.control->whole[number >> a.second_bits] != 0;
        return {begin, count, MSD_HALF_BITS - bits, first - before, turn, (key ^ turn) - before,
                whole};
    }

    /* Whether each code has a bin. */
    static __device__ __forceinline__ bool few(const msd_half_cell &cell)
    {
        return cell.unused >= MSD_HALF_BITS - MSD_HALVES_BIN_BITS;
    }

    static __device__ __forceinline__ uint32_t half_of(const msd_half_cell &cell, uint32_t written)
    {
        return cell.half_of(written);
    }

    template <typename Write>
    __device__ __forceinline__ void write(const msd_half_cell &cell, const Write &write_as) const
    {
        write_as([cell](uint32_t half) { return cell.number_of(half); });
    }
};

#endif
