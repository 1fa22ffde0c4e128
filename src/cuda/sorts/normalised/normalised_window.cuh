/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of an item's normalised key that a window shows: order_code() of core/order.c, for any
 * part of the key. */
#ifndef CONSORT_NORMALISED_WINDOW_CUH
#define CONSORT_NORMALISED_WINDOW_CUH

#include "cuda/device/unaligned.cuh"
#include "cuda/sorts/normalised/normalised_layout.h"

static __device__ __forceinline__ uint128 normalised_wide(const uint64_t *words)
{
    return (uint128)words[1] << 64 | words[0];
}

/* The stored key as a number, before any order. */
static __device__ __forceinline__ uint128 normalised_read(const normalised_piece &piece,
                                                          const unsigned char *item,
                                                          const byte_range &range)
{
    const uint128 bytes = unaligned_load(item + piece.offset, piece.stored, range);
    const uint32_t unused = 128 - 8 * piece.stored;
    if (!piece.reversed)
        return bytes >> unused;
    return bytes_reversed(bytes) & ~(uint128)0 >> unused;
}

/* NumPy's order does not tell zeros or NaNs apart: one bit pattern stands for each. */
static __device__ __forceinline__ uint128 normalised_unify(const normalised_piece &piece, uint128 x)
{
    const uint128 size = x & normalised_wide(piece.magnitude);
    const uint128 infinity = normalised_wide(piece.infinity);
    if (size > infinity)
        return infinity + 1;
    return size == 0 ? 0 : x;
}

static __device__ __forceinline__ uint128 normalised_code(const normalised_piece &piece,
                                                          const unsigned char *item,
                                                          const byte_range &range)
{
    const uint32_t bits = 8 * piece.stored;
    uint128 x = normalised_read(piece, item, range);
    if (piece.equal_floats)
        x = normalised_unify(piece, x);
    const bool negative = (uint32_t)(x >> (bits - 1)) & 1;
    x ^= (negative ? normalised_wide(piece.magnitude) : 0) ^ normalised_wide(piece.flip);
    return (x - normalised_wide(piece.bias)) & ~(uint128)0 >> (128 - bits);
}

static __device__ __forceinline__ uint128 normalised_look(const normalised_window &window,
                                                          const unsigned char *item,
                                                          const byte_range &range)
{
    uint128 seen = 0;
    for (uint32_t i = 0; i < window.piece_count; i++) {
        const normalised_piece &piece = window.pieces[i];
        const uint128 code = normalised_code(piece, item, range);
        seen |= piece.shift >= 0 ? code << piece.shift : code >> -piece.shift;
    }
    return seen & ~(uint128)0 >> (128 - 8 * window.bytes);
}

static __device__ __forceinline__ byte_range normalised_range(const normalised_items &a)
{
    const unsigned char *items = (const unsigned char *)a.items;
    return {items, items + a.count * a.item_bytes};
}

#endif
