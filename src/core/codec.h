/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Codes: every ordered scalar type becomes an unsigned integer of 8…128 bits that compares like
 * it. `struct codec` holds the run-time constants; codec_template.h the transform itself.
 */
#ifndef CONSORT_CORE_CODEC_H
#define CONSORT_CORE_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "consort.h"

__extension__ typedef unsigned __int128 uint128;

struct codec {
    uint32_t width;    /* bytes of a code: 1, 2, 4, 8 or 16 */
    uint32_t stored;   /* bytes of a stored key; differs from width for byte strings only */
    uint32_t bits;     /* low bits of a code that can differ: 8 * stored */
    bool swap;         /* stored in the other byte order (byte strings are big-endian) */
    bool equal_floats; /* NumPy's order: both zeros share a code, all NaNs share one; no decode */
    uint128 infinity;  /* bits of +Inf, where equal_floats */
    uint128 magnitude; /* the constants of codec_template.h, for `width` */
    uint128 flip;
    uint128 bias;
};

/* The codec of a scalar type, or of a byte string of at most 16 bytes (longer ones are cut into
 * pieces by order.c). The type, direction and float order must be valid. */
struct codec codec_of(consort_type type, int32_t direction, int32_t float_order);

/* The code of one stored key at any address: every width, kind and order. For cold paths and for
 * keys inside records; array loops use the codec_uN functions below. */
uint128 codec_load(const struct codec *codec, const void *key);

static inline uint8_t codec_swap8(uint8_t x)
{
    return x;
}

static inline uint128 codec_swap128(uint128 x)
{
    return (uint128)__builtin_bswap64((uint64_t)x) << 64 | __builtin_bswap64((uint64_t)(x >> 64));
}

#define CODEC_BITS 8
#define CODEC_T    uint8_t
#define CODEC_SWAP codec_swap8
#include "core/codec_template.h"

#define CODEC_BITS 16
#define CODEC_T    uint16_t
#define CODEC_SWAP __builtin_bswap16
#include "core/codec_template.h"

#define CODEC_BITS 32
#define CODEC_T    uint32_t
#define CODEC_SWAP __builtin_bswap32
#include "core/codec_template.h"

#define CODEC_BITS 64
#define CODEC_T    uint64_t
#define CODEC_SWAP __builtin_bswap64
#include "core/codec_template.h"

#define CODEC_BITS 128
#define CODEC_T    uint128
#define CODEC_SWAP codec_swap128
#include "core/codec_template.h"

#endif
