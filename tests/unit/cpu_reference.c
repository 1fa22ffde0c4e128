/* SPDX-License-Identifier: Apache-2.0 */
/* An independent reference for the CPU engine's tests. */
#include "cpu_reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 reference_bits;
__extension__ typedef __int128 reference_signed;

uint64_t reference_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dULL;
}

static reference_bits reference_read(consort_type type, const unsigned char *key)
{
    uint32_t bytes = consort_type_size(type);
    reference_bits x = 0;
    for (uint32_t i = 0; i < bytes; i++) {
        bool big = (type >> 16 & 0xff) == CONSORT_BIG_ENDIAN;
        x = x << 8 | key[big ? i : bytes - 1 - i];
    }
    return x;
}

static int reference_sign(reference_signed a, reference_signed b)
{
    return a < b ? -1 : a > b;
}

/* Classes of floats in the order they come out, then the value or payload within the class. */
struct reference_float {
    int class;
    reference_signed rank;
};

static struct reference_float reference_float_of(const consort_field *field, reference_bits x)
{
    uint32_t bits = 8 * consort_type_size(field->type);
    uint32_t mantissa = (field->type >> 8 & 0xff) == CONSORT_KIND_BFLOAT ? 7
                        : bits == 16                                     ? 10
                        : bits == 32                                     ? 23
                                                                         : 52;
    bool negative = x >> (bits - 1) & 1, descending = field->direction == CONSORT_DESCENDING;
    reference_signed size = (reference_signed)(x & (((reference_bits)1 << (bits - 1)) - 1));
    reference_signed infinity =
        (reference_signed)((((reference_bits)1 << (bits - 1 - mantissa)) - 1) << mantissa);
    reference_signed rank = negative ? -size - 1 : size;
    bool nan = size > infinity;
    if (field->float_order == CONSORT_TOTAL_ORDER)
        return (struct reference_float){0, descending ? -rank : rank};
    if (field->float_order == CONSORT_NUMPY_ORDER) {
        rank = nan ? 0 : negative ? -size : size;
        return (struct reference_float){nan, descending ? -rank : rank};
    }
    /* NaNs whose sign is that of the early end of the order come after the others. */
    int class = nan                                       ? (negative != descending ? 2 : 1)
                : field->float_order == CONSORT_NAN_FIRST ? 3
                                                          : 0;
    return (struct reference_float){class, descending ? -rank : rank};
}

static int reference_compare_field(const consort_field *field, const unsigned char *a,
                                   const unsigned char *b)
{
    int32_t kind = field->type >> 8 & 0xff;
    uint32_t bytes = consort_type_size(field->type);
    bool descending = field->direction == CONSORT_DESCENDING;
    if (kind == CONSORT_KIND_BYTES) {
        int sign = memcmp(a, b, bytes);
        return descending ? -sign : sign;
    }
    reference_bits x = reference_read(field->type, a), y = reference_read(field->type, b);
    if (kind == CONSORT_KIND_UNSIGNED)
        return (x < y ? -1 : x > y) * (descending ? -1 : 1);
    if (kind == CONSORT_KIND_SIGNED) {
        uint32_t spare = 128 - 8 * bytes;
        int sign = reference_sign((reference_signed)(x << spare), (reference_signed)(y << spare));
        return descending ? -sign : sign;
    }
    struct reference_float f = reference_float_of(field, x), g = reference_float_of(field, y);
    return f.class != g.class ? reference_sign(f.class, g.class) : reference_sign(f.rank, g.rank);
}

int reference_compare(const struct reference_order *order, const void *a, const void *b)
{
    for (uint32_t i = 0; i < order->field_count; i++) {
        const consort_field *field = &order->fields[i];
        int sign = reference_compare_field(field, (const unsigned char *)a + field->offset,
                                           (const unsigned char *)b + field->offset);
        if (sign != 0)
            return sign;
    }
    return 0;
}

void reference_argsort(const struct reference_order *order, const void *items, uint64_t *indices,
                       uint64_t first, uint64_t last)
{
    if (last - first < 2) {
        if (last > first)
            indices[first] = first;
        return;
    }
    uint64_t middle = first + (last - first) / 2, i = first, j = middle, k = 0;
    reference_argsort(order, items, indices, first, middle);
    reference_argsort(order, items, indices, middle, last);
    uint64_t *merged = malloc((last - first) * sizeof *merged);
    while (i < middle || j < last) {
        bool second = i == middle ||
                      (j < last && reference_compare(
                                       order, (const char *)items + indices[j] * order->item_bytes,
                                       (const char *)items + indices[i] * order->item_bytes) < 0);
        merged[k++] = second ? indices[j++] : indices[i++];
    }
    memcpy(indices + first, merged, (last - first) * sizeof *merged);
    free(merged);
}
