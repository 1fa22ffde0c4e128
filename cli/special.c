/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distributions that are about bit patterns: the ends of a type, constant halves, and the floats
 * that are not ordinary numbers.
 */
#include "generator.h"

#include <string.h>

/* 01010101: neither all clear nor all set. */
enum {
    SPECIAL_FILLER = 0x55
};

static uint64_t special_word(const struct generator *generator, uint64_t index)
{
    return splitmix_at(generator->streams[1], index);
}

static uint64_t special_sign(const struct level_shape *shape, uint64_t bit)
{
    return (bit & 1) << (shape->bits - 1);
}

static uint64_t special_infinity(const struct level_shape *shape)
{
    return ((UINT64_C(1) << shape->exponent_bits) - 1) << shape->mantissa_bits;
}

/* A mantissa that is not zero. */
static uint64_t special_mantissa(const struct level_shape *shape, uint64_t word)
{
    return 1 + splitmix_below(word, (UINT64_C(1) << shape->mantissa_bits) - 1);
}

/* A number in [−1, 1). */
static uint64_t special_number(struct generator *generator, uint64_t index)
{
    return level_float_pattern(&generator->shape, true, generator_uniform(generator, index));
}

static void special_half_constant_bytes(struct generator *generator, uint64_t index,
                                        unsigned char *out)
{
    uint64_t stream = special_word(generator, index);
    uint32_t bytes = generator->shape.bytes;
    memset(out, SPECIAL_FILLER, bytes / 2);
    for (uint32_t i = bytes / 2; i < bytes; i++) {
        out[i] = (unsigned char)splitmix_at(stream, i);
    }
}

void special_half_constant(struct generator *generator, uint64_t index, unsigned char *out)
{
    const struct level_shape *shape = &generator->shape;
    if (shape->kind == CONSORT_KIND_BYTES) {
        special_half_constant_bytes(generator, index, out);
        return;
    }
    uint32_t half = shape->bits / 2;
    splitmix_wide constant;
    if (level_shape_float(shape)) {
        /* The upper half of 1.0: what follows it can only make a number. */
        constant = ((UINT64_C(1) << (shape->exponent_bits - 1)) - 1) << shape->mantissa_bits;
    } else {
        memset(&constant, SPECIAL_FILLER, sizeof constant);
    }
    uint64_t varying = special_word(generator, index) >> (64 - half);
    level_store_pattern(shape, constant >> half << half | varying, out);
}

static void special_extremes_float(struct generator *generator, uint64_t word, unsigned char *out)
{
    const struct level_shape *shape = &generator->shape;
    uint64_t infinity = special_infinity(shape);
    uint64_t normal = UINT64_C(1) << shape->mantissa_bits;
    uint64_t one = ((UINT64_C(1) << (shape->exponent_bits - 1)) - 1) << shape->mantissa_bits;
    uint64_t patterns[] = {0, 1, normal - 1, normal, one, infinity - 1, infinity};
    uint64_t pattern = patterns[splitmix_below(word, sizeof patterns / sizeof *patterns)];
    level_store_pattern(shape, pattern | special_sign(shape, word), out);
}

void special_extremes(struct generator *generator, uint64_t index, unsigned char *out)
{
    const struct level_shape *shape = &generator->shape;
    uint64_t word = special_word(generator, index);
    if (level_shape_float(shape)) {
        special_extremes_float(generator, word, out);
    } else if (shape->kind == CONSORT_KIND_BYTES) {
        /* 00…00, 00…01, FF…FE, FF…FF: all but the last byte tie. */
        memset(out, (word & 1) != 0 ? 0xFF : 0, shape->bytes);
        out[shape->bytes - 1] ^= (unsigned char)((word >> 1) & 1);
    } else {
        /* The ends, and zero with its neighbours: each of the three, or one to either side. */
        splitmix_wide middle = (splitmix_wide)1 << (shape->bits - 1);
        splitmix_wide pattern = (word & 1) != 0 ? middle : 0;
        pattern += splitmix_below(word, 3);
        level_store_pattern(shape, pattern - 1, out);
    }
}

void special_subnormals(struct generator *generator, uint64_t index, unsigned char *out)
{
    const struct level_shape *shape = &generator->shape;
    uint64_t word = special_word(generator, index);
    level_store_pattern(shape, special_mantissa(shape, word) | special_sign(shape, word), out);
}

void special_zeros(struct generator *generator, uint64_t index, unsigned char *out)
{
    const struct level_shape *shape = &generator->shape;
    uint64_t word = special_word(generator, index);
    uint64_t pattern = special_sign(shape, word);
    if (word >> 63 != 0) {
        pattern = special_number(generator, index);
    }
    level_store_pattern(shape, pattern, out);
}

void special_infinities(struct generator *generator, uint64_t index, unsigned char *out)
{
    const struct level_shape *shape = &generator->shape;
    uint64_t word = special_word(generator, index);
    uint64_t pattern = special_infinity(shape) | special_sign(shape, word);
    if (word >> 62 != 0) {
        pattern = special_number(generator, index);
    }
    level_store_pattern(shape, pattern, out);
}

void special_nans(struct generator *generator, uint64_t index, unsigned char *out)
{
    const struct level_shape *shape = &generator->shape;
    uint64_t word = special_word(generator, index);
    uint64_t pattern = special_infinity(shape) | special_sign(shape, word);
    if (word >> 62 == 0) {
        pattern |= special_mantissa(shape, splitmix_at(generator->streams[2], index));
    } else if (word >> 60 != 4) {
        pattern = special_number(generator, index);
    }
    level_store_pattern(shape, pattern, out);
}
