/* SPDX-License-Identifier: Apache-2.0 */
/* Which constants make a type's bits an unsigned code, and the general one-key load. */
#include "core/codec.h"

#include <string.h>

#include "core/type.h"

static uint128 codec_low_bits(uint32_t bits)
{
    return bits >= 128 ? ~(uint128)0 : ((uint128)1 << bits) - 1;
}

static uint32_t codec_mantissa_bits(consort_type type)
{
    if (type_kind(type) == CONSORT_KIND_BFLOAT)
        return 7;
    return type_bytes(type) == 2 ? 10 : type_bytes(type) == 4 ? 23 : 52;
}

static void codec_set_float(struct codec *codec, consort_type type, int32_t float_order)
{
    uint32_t mantissa = codec_mantissa_bits(type);
    uint128 nans = codec_low_bits(mantissa); /* of one sign */
    codec->magnitude = codec_low_bits(codec->bits - 1);
    codec->infinity = codec->magnitude & ~codec_low_bits(mantissa);
    codec->equal_floats = float_order == CONSORT_NUMPY_ORDER;
    if (float_order == CONSORT_NAN_LAST || float_order == CONSORT_NUMPY_ORDER)
        codec->bias = nans;
    else if (float_order == CONSORT_NAN_FIRST)
        codec->bias = (0 - nans) & codec_low_bits(codec->bits);
}

struct codec codec_of(consort_type type, int32_t direction, int32_t float_order)
{
    uint32_t stored = type_bytes(type);
    int32_t kind = type_kind(type);
    struct codec codec = {.width = 1, .stored = stored, .bits = 8 * stored};
    while (codec.width < stored)
        codec.width *= 2;
    bool bytes_reversed = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    codec.swap = kind == CONSORT_KIND_BYTES ? bytes_reversed : type_is_swapped(type);
    bool is_float = kind == CONSORT_KIND_FLOAT || kind == CONSORT_KIND_BFLOAT;
    if (is_float)
        codec_set_float(&codec, type, float_order);
    if (is_float || kind == CONSORT_KIND_SIGNED)
        codec.flip = (uint128)1 << (codec.bits - 1);
    if (direction == CONSORT_DESCENDING)
        codec.flip ^= codec_low_bits(codec.bits);
    return codec;
}

static uint128 codec_read(const struct codec *codec, const void *key)
{
    uint128 x = 0;
    if (codec->stored != codec->width) { /* a byte string: big-endian, right-aligned */
        const unsigned char *bytes = key;
        for (uint32_t i = 0; i < codec->stored; i++)
            x = x << 8 | bytes[i];
        return x;
    }
    uint64_t word = 0;
    switch (codec->width) {
    case 1:
        return *(const unsigned char *)key;
    case 2:
        memcpy(&word, key, 2);
        return codec->swap ? __builtin_bswap16((uint16_t)word) : word;
    case 4:
        memcpy(&word, key, 4);
        return codec->swap ? __builtin_bswap32((uint32_t)word) : word;
    case 8:
        memcpy(&word, key, 8);
        return codec->swap ? __builtin_bswap64(word) : word;
    default:
        memcpy(&x, key, 16);
        return codec->swap ? codec_swap128(x) : x;
    }
}

/* NumPy's order does not tell zeros or NaNs apart: one bit pattern stands for each. */
static uint128 codec_unify(const struct codec *codec, uint128 x)
{
    uint128 size = x & codec->magnitude;
    if (size > codec->infinity)
        return codec->infinity + 1;
    return size == 0 ? 0 : x;
}

uint128 codec_load(const struct codec *codec, const void *key)
{
    uint128 x = codec_read(codec, key);
    if (codec->equal_floats)
        x = codec_unify(codec, x);
    bool negative = x >> (codec->bits - 1) & 1;
    x ^= (negative ? codec->magnitude : 0) ^ codec->flip;
    return (x - codec->bias) & codec_low_bits(codec->bits);
}
