/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference's idea of a key: bytes decoded to the value they mean, and values compared as
 * values, straight from the definitions in consort.h. It shares nothing with the library.
 */
#ifndef CONSORT_TESTS_REFERENCE_VALUE_H
#define CONSORT_TESTS_REFERENCE_VALUE_H

#include <stdbool.h>

#include "consort.h"

__extension__ typedef unsigned __int128 reference_u128;
__extension__ typedef __int128 reference_i128;

struct reference_value {
    reference_u128 bits; /* the number's bits, most significant first; integers: the value */
    double number;       /* floats that are numbers: exactly the value */
    bool is_nan;
    bool is_negative;           /* the sign bit of a float */
    const unsigned char *bytes; /* byte strings */
};

/* Decodes the key at `key`, which needs no alignment. */
struct reference_value reference_decode(consort_type type, const void *key);

/* −1, 0 or 1, as `a` comes before, with or after `b` in the field's order. */
int reference_compare(const consort_field *field, const struct reference_value *a,
                      const struct reference_value *b);

#endif
