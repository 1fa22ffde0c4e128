/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Levels: distributions think in 64-bit fractions of the value range, this room turns them into
 * keys of any type. The map is monotone in the type's own ascending order, so sorted levels are
 * sorted keys and equal levels are equal keys, whatever the type.
 */
#ifndef CONSORT_CLI_LEVEL_H
#define CONSORT_CLI_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <consort.h>
#include "splitmix.h"

struct level_shape {
    uint32_t kind;
    uint32_t bytes;
    uint32_t bits; /* of a scalar; 8 × bytes, at most 128 */
    bool swap;     /* stored in the byte order that this machine does not have */
    bool centred;  /* floats span [−1, 1) instead of [0, 1) */
    bool sparse;   /* what follows the first 8 bytes has one bit in eight set, not one in two */
    uint32_t mantissa_bits;
    uint32_t exponent_bits;
};

/* False for a type that has no keys of its own: records, callback elements, invalid types. */
bool level_shape_init(struct level_shape *shape, consort_type type);

/* Is this one of the binary floating-point types? */
bool level_shape_float(const struct level_shape *shape);

/* Writes one scalar key given as its bit pattern, in the byte order of the shape. Bits above those
 * of the type are ignored. */
void level_store_pattern(const struct level_shape *shape, splitmix_wide pattern,
                         unsigned char *out);

/*
 * The bit pattern of the float for `level`: level / 2⁶⁴, or 2 · level / 2⁶⁴ − 1 when centred,
 * rounded towards zero; never −0.
 */
uint64_t level_float_pattern(const struct level_shape *shape, bool centred, uint64_t level);

/*
 * Writes `count` keys. Integers span the whole range of the type: level 0 is its minimum and all
 * ones its maximum. Byte strings are the level's bytes, the most significant first. What a key has
 * beyond 8 bytes is a hash of the level (so 16-byte integers miss their very ends).
 */
void level_store(const struct level_shape *shape, const uint64_t *levels, size_t count,
                 unsigned char *out);

#endif
