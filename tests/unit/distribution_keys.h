/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of distributions share: making keys and comparing them without the library.
 */
#ifndef CONSORT_TESTS_UNIT_DISTRIBUTION_KEYS_H
#define CONSORT_TESTS_UNIT_DISTRIBUTION_KEYS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "distributions.h"

enum {
    KEYS = 20000,
    LITTLE = CONSORT_LITTLE_ENDIAN << 16
};

static const consort_type types[] = {
    CONSORT_U8,  CONSORT_U16, CONSORT_U32, CONSORT_U64,  CONSORT_U128, CONSORT_I8,
    CONSORT_I16, CONSORT_I32, CONSORT_I64, CONSORT_I128, CONSORT_F16,  CONSORT_BF16,
    CONSORT_F32, CONSORT_F64, 0x0501,      0x0507,       0x0510,       0x05FF,
};
enum {
    TYPES = sizeof types / sizeof *types
};

static inline size_t type_bytes(consort_type type)
{
    return (size_t)type & 0xFF;
}

static inline bool type_is_float(consort_type type)
{
    int32_t kind = type >> 8;
    return kind == CONSORT_KIND_FLOAT || kind == CONSORT_KIND_BFLOAT;
}

static inline unsigned char *make(const char *name, consort_type type, uint64_t total,
                                  uint64_t seed)
{
    const struct distribution *distribution = distribution_find(name);
    assert_non_null(distribution);
    unsigned char *keys = malloc(total * type_bytes(type) + 1);
    assert_non_null(keys);
    assert_true(distribution_fill(distribution, type, keys, 0, total, total, seed));
    return keys;
}

static inline uint64_t *make_u64(const char *name, uint64_t total)
{
    return (uint64_t *)(void *)make(name, CONSORT_U64, total, 1);
}

/* An order independent of the library's codec: sign and magnitude from single bits. */
static inline int compare_keys(consort_type type, const unsigned char *a, const unsigned char *b)
{
    int32_t kind = (type >> 8) & 0xFF;
    size_t bytes = type_bytes(type);
    if (kind == CONSORT_KIND_BYTES) {
        return memcmp(a, b, bytes);
    }
    bool a_negative = kind != CONSORT_KIND_UNSIGNED && a[bytes - 1] >= 0x80;
    bool b_negative = kind != CONSORT_KIND_UNSIGNED && b[bytes - 1] >= 0x80;
    if (a_negative != b_negative) {
        return a_negative ? -1 : 1;
    }
    for (size_t i = bytes; i-- > 0;) {
        if (a[i] != b[i]) {
            int order = a[i] < b[i] ? -1 : 1;
            return a_negative && type_is_float(type) ? -order : order;
        }
    }
    return 0;
}

/* By insertion into a list of those seen: at most some hundreds in these tests. */
static inline size_t count_distinct(const unsigned char *keys, size_t count, size_t bytes)
{
    size_t *seen = malloc((count + 1) * sizeof *seen);
    size_t distinct = 0;
    assert_non_null(seen);
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;
        while (j < distinct && memcmp(keys + i * bytes, keys + seen[j] * bytes, bytes) != 0) {
            j++;
        }
        if (j == distinct) {
            seen[distinct++] = i;
        }
    }
    free(seen);
    return distinct;
}

static inline int compare_u64(const void *a, const void *b)
{
    uint64_t x;
    uint64_t y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

#endif
