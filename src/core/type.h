/* SPDX-License-Identifier: Apache-2.0 */
/* Types: the parts of a consort_type. Adding a type is one line in type.c and one in the header. */
#ifndef CONSORT_CORE_TYPE_H
#define CONSORT_CORE_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "consort.h"

static inline int32_t type_kind(consort_type type)
{
    return type >> 8 & 0xff;
}

static inline uint32_t type_bytes(consort_type type)
{
    return (uint32_t)type & 0xff;
}

static inline int32_t type_byte_order(consort_type type)
{
    return type >> 16 & 0xff;
}

/* Scalar types and byte strings: everything that is a key by itself. */
bool type_is_key(consort_type type);

/* Integers and floats, in any byte order. */
bool type_is_scalar(consort_type type);

/* CONSORT_U32 or CONSORT_U64, in native order. */
bool type_is_index(consort_type type);

/* True if the bytes of a scalar must be reversed to be read on this machine. */
bool type_is_swapped(consort_type type);

/* The alignment arrays of this type need: that of the scalar, 1 for everything else. */
uint32_t type_alignment(consort_type type);

#endif
