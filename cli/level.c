/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From levels to keys. Integer arithmetic only: the same bits on every machine and compiler.
 */
#include "level.h"

#include <string.h>

static bool level_scalar_bytes(uint32_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

static bool level_float_init(struct level_shape *shape)
{
    static const uint8_t exponents[] = {[2] = 5, [4] = 8, [8] = 11};
    uint32_t bytes = shape->bytes;
    if (shape->kind == CONSORT_KIND_BFLOAT) {
        shape->exponent_bits = bytes == 2 ? 8 : 0;
    } else {
        shape->exponent_bits = bytes < sizeof exponents ? exponents[bytes] : 0;
    }
    shape->mantissa_bits = shape->bits - 1 - shape->exponent_bits;
    return shape->exponent_bits != 0;
}

bool level_shape_init(struct level_shape *shape, consort_type type)
{
    uint32_t order = (uint32_t)type >> 16;
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    uint32_t foreign = little ? CONSORT_BIG_ENDIAN : CONSORT_LITTLE_ENDIAN;
    memset(shape, 0, sizeof *shape);
    shape->bytes = (uint32_t)type & 0xFF;
    shape->kind = ((uint32_t)type >> 8) & 0xFF;
    shape->bits = shape->bytes <= 16 ? shape->bytes * 8 : 128;
    shape->swap = order == foreign;
    if (order > CONSORT_BIG_ENDIAN) {
        return false;
    }
    switch (shape->kind) {
    case CONSORT_KIND_UNSIGNED:
    case CONSORT_KIND_SIGNED:
        return level_scalar_bytes(shape->bytes);
    case CONSORT_KIND_FLOAT:
    case CONSORT_KIND_BFLOAT:
        return level_float_init(shape);
    case CONSORT_KIND_BYTES:
        return shape->bytes > 0 && order == CONSORT_NATIVE;
    default:
        return false;
    }
}

bool level_shape_float(const struct level_shape *shape)
{
    return shape->kind == CONSORT_KIND_FLOAT || shape->kind == CONSORT_KIND_BFLOAT;
}

static splitmix_wide level_swap(splitmix_wide x)
{
    return (splitmix_wide)__builtin_bswap64((uint64_t)x) << 64 |
           __builtin_bswap64((uint64_t)(x >> 64));
}

void level_store_pattern(const struct level_shape *shape, splitmix_wide pattern, unsigned char *out)
{
    splitmix_wide stored = shape->swap ? level_swap(pattern) >> (128 - shape->bits) : pattern;
    uint64_t low = (uint64_t)stored;
    switch (shape->bytes) {
    case 1:
        memcpy(out, &(uint8_t){(uint8_t)low}, 1);
        break;
    case 2:
        memcpy(out, &(uint16_t){(uint16_t)low}, 2);
        break;
    case 4:
        memcpy(out, &(uint32_t){(uint32_t)low}, 4);
        break;
    case 8:
        memcpy(out, &low, 8);
        break;
    default:
        memcpy(out, &stored, 16);
        break;
    }
}

/* The pattern of fraction / 2⁶⁴, rounded towards zero. The smallest is 2⁻⁶⁴, so that only binary16
 * reaches its subnormals here. */
static uint64_t level_fraction_pattern(const struct level_shape *shape, uint64_t fraction)
{
    if (fraction == 0) {
        return 0;
    }
    uint32_t bias = (1U << (shape->exponent_bits - 1)) - 1;
    uint32_t zeros = (uint32_t)__builtin_clzll(fraction);
    if (zeros + 1 >= bias) {
        return fraction >> (64 - (bias - 1 + shape->mantissa_bits));
    }
    uint64_t rest = zeros < 63 ? fraction << (zeros + 1) : 0;
    uint64_t exponent = bias - (zeros + 1);
    return exponent << shape->mantissa_bits | rest >> (64 - shape->mantissa_bits);
}

uint64_t level_float_pattern(const struct level_shape *shape, bool centred, uint64_t level)
{
    const uint64_t middle = UINT64_C(1) << 63;
    if (!centred) {
        return level_fraction_pattern(shape, level);
    }
    if (level >= middle) {
        return level_fraction_pattern(shape, (level - middle) << 1);
    }
    /* Level 0 would be −1 exactly, a fraction of 2⁶⁴: it shares the next level's key instead. */
    uint64_t distance = (middle - (level != 0 ? level : 1)) << 1;
    uint64_t magnitude = level_fraction_pattern(shape, distance);
    return magnitude != 0 ? magnitude | UINT64_C(1) << (shape->bits - 1) : 0;
}

/* The index-th word after the first, which is the level itself. */
static uint64_t level_tail(const struct level_shape *shape, uint64_t level, uint64_t index)
{
    uint64_t word = splitmix_at(level, 3 * index);
    if (shape->sparse) {
        word &= splitmix_at(level, 3 * index + 1) & splitmix_at(level, 3 * index + 2);
    }
    return word;
}

static uint64_t level_big_endian(uint64_t word)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(word) : word;
}

static void level_store_bytes(const struct level_shape *shape, uint64_t level, unsigned char *out)
{
    for (uint32_t i = 0; i < shape->bytes; i += 8) {
        uint64_t word = i == 0 ? level : level_tail(shape, level, i / 8);
        uint32_t rest = shape->bytes - i;
        word = level_big_endian(word);
        memcpy(out + i, &word, rest < 8 ? rest : 8);
    }
}

static splitmix_wide level_integer_pattern(const struct level_shape *shape, uint64_t level)
{
    splitmix_wide code = (splitmix_wide)level << 64;
    if (shape->bits > 64) {
        code |= level_tail(shape, level, 1);
    }
    if (shape->kind == CONSORT_KIND_SIGNED) {
        code ^= (splitmix_wide)1 << 127;
    }
    return code >> (128 - shape->bits);
}

void level_store(const struct level_shape *shape, const uint64_t *levels, size_t count,
                 unsigned char *out)
{
    size_t bytes = shape->bytes;
    if (shape->kind == CONSORT_KIND_BYTES) {
        for (size_t i = 0; i < count; i++) {
            level_store_bytes(shape, levels[i], out + i * bytes);
        }
    } else if (level_shape_float(shape)) {
        for (size_t i = 0; i < count; i++) {
            uint64_t pattern = level_float_pattern(shape, shape->centred, levels[i]);
            level_store_pattern(shape, pattern, out + i * bytes);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            level_store_pattern(shape, level_integer_pattern(shape, levels[i]), out + i * bytes);
        }
    }
}
