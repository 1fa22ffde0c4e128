/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding keys to values and comparing values. */
#include "reference/reference_value.h"

#include <math.h>

static int reference_kind(consort_type type)
{
    return type >> 8 & 0xff;
}

static unsigned reference_length(consort_type type)
{
    return (unsigned)type & 0xff;
}

static bool reference_is_float(consort_type type)
{
    return reference_kind(type) == CONSORT_KIND_FLOAT ||
           reference_kind(type) == CONSORT_KIND_BFLOAT;
}

/* This machine is little-endian, and so is the native order: the tests run on nothing else yet. */
static bool reference_is_big_endian(consort_type type)
{
    return type >> 16 == CONSORT_BIG_ENDIAN;
}

static unsigned reference_exponent_bits(consort_type type)
{
    switch (type & 0xffff) {
    case CONSORT_F16:
        return 5;
    case CONSORT_BF16:
    case CONSORT_F32:
        return 8;
    default:
        return 11;
    }
}

static void reference_decode_float(struct reference_value *value, consort_type type)
{
    unsigned bits = 8 * reference_length(type);
    unsigned exponent_bits = reference_exponent_bits(type);
    unsigned mantissa_bits = bits - 1 - exponent_bits;
    uint64_t raw = (uint64_t)value->bits;
    uint64_t mantissa = raw & (((uint64_t)1 << mantissa_bits) - 1);
    int exponent = (int)(raw >> mantissa_bits & ((1u << exponent_bits) - 1));
    int largest = (1 << exponent_bits) - 1;
    int bias = largest / 2;
    value->is_negative = raw >> (bits - 1) & 1;
    double size;
    if (exponent == largest) {
        value->is_nan = mantissa != 0;
        size = INFINITY;
    } else if (exponent == 0) {
        size = ldexp((double)mantissa, 1 - bias - (int)mantissa_bits);
    } else {
        size = ldexp((double)(mantissa | (uint64_t)1 << mantissa_bits),
                     exponent - bias - (int)mantissa_bits);
    }
    value->number = value->is_negative ? -size : size;
}

struct reference_value reference_decode(consort_type type, const void *key)
{
    struct reference_value value = {.bytes = key};
    unsigned length = reference_length(type);
    if (reference_kind(type) == CONSORT_KIND_BYTES)
        return value;
    for (unsigned i = 0; i < length; i++) {
        unsigned place = reference_is_big_endian(type) ? length - 1 - i : i;
        value.bits |= (reference_u128)value.bytes[i] << 8 * place;
    }
    if (reference_is_float(type))
        reference_decode_float(&value, type);
    return value;
}

static int reference_compare_bytes(unsigned length, const unsigned char *a, const unsigned char *b)
{
    for (unsigned i = 0; i < length; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int reference_compare_integers(consort_type type, reference_u128 a, reference_u128 b)
{
    if (reference_kind(type) == CONSORT_KIND_UNSIGNED)
        return a < b ? -1 : a > b;
    unsigned unused = 128 - 8 * reference_length(type);
    reference_i128 x = (reference_i128)(a << unused), y = (reference_i128)(b << unused);
    return x < y ? -1 : x > y;
}

/*
 * totalOrder in the field's direction is: NaNs of one sign ("early"), numbers, NaNs of the other
 * ("late"). The other orders move these three groups as wholes.
 */
static int reference_group(const consort_field *field, const struct reference_value *value)
{
    enum {
        NUMBER,
        EARLY,
        LATE
    };
    static const int places[4][3] = {
        [CONSORT_NAN_LAST] = {[NUMBER] = 0, [LATE] = 1, [EARLY] = 2},
        [CONSORT_NAN_FIRST] = {[LATE] = 0, [EARLY] = 1, [NUMBER] = 2},
        [CONSORT_TOTAL_ORDER] = {[EARLY] = 0, [NUMBER] = 1, [LATE] = 2},
        [CONSORT_NUMPY_ORDER] = {[NUMBER] = 0, [EARLY] = 1, [LATE] = 1}};
    int group = NUMBER;
    if (value->is_nan)
        group = value->is_negative == (field->direction == CONSORT_ASCENDING) ? EARLY : LATE;
    return places[field->float_order][group];
}

/* Ascending, within one group. */
static int reference_compare_alike(bool numpy, const struct reference_value *a,
                                   const struct reference_value *b)
{
    if (a->is_nan) {
        if (numpy || a->bits == b->bits)
            return 0;
        bool less = a->bits < b->bits; /* same sign: by payload, away from the numbers */
        return less != a->is_negative ? -1 : 1;
    }
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (numpy || a->is_negative == b->is_negative)
        return 0;
    return a->is_negative ? -1 : 1; /* −0 before +0 */
}

int reference_compare(const consort_field *field, const struct reference_value *a,
                      const struct reference_value *b)
{
    int ascending;
    if (reference_kind(field->type) == CONSORT_KIND_BYTES) {
        ascending = reference_compare_bytes(reference_length(field->type), a->bytes, b->bytes);
    } else if (reference_is_float(field->type)) {
        int x = reference_group(field, a), y = reference_group(field, b);
        if (x != y)
            return x < y ? -1 : 1;
        ascending = reference_compare_alike(field->float_order == CONSORT_NUMPY_ORDER, a, b);
    } else {
        ascending = reference_compare_integers(field->type, a->bits, b->bits);
    }
    return field->direction == CONSORT_DESCENDING ? -ascending : ascending;
}
