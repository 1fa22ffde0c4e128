/* SPDX-License-Identifier: Apache-2.0 */
/* Headers of .npy files, made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy_header.h"

enum {
    NPY_ALIGNMENT = 64
};

/* NumPy's string for a type; false if it has none. */
static bool npy_dtype_write(consort_type type, char *text, size_t size)
{
    int32_t kind = type >> 8 & 0xff;
    int32_t order = type >> 16;
    uint32_t bytes = consort_type_size(type);
    bool big = order == CONSORT_BIG_ENDIAN ||
               (order == CONSORT_NATIVE && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    char letter = kind == CONSORT_KIND_UNSIGNED ? 'u'
                  : kind == CONSORT_KIND_SIGNED ? 'i'
                  : kind == CONSORT_KIND_FLOAT  ? 'f'
                                                : 'S';
    bool has_order = kind != CONSORT_KIND_BYTES && bytes > 1;
    if (kind == CONSORT_KIND_BFLOAT || (kind != CONSORT_KIND_BYTES && bytes > 8))
        return false;
    snprintf(text, size, "%c%c%u", has_order ? (big ? '>' : '<') : '|', letter, bytes);
    return true;
}

/* Magic, version, length, text, blanks and a newline: the items begin at a multiple of 64. */
static size_t npy_header_wrap(int version, const char *text, size_t length, char *bytes,
                              size_t size)
{
    size_t prefix = version == 1 ? 10 : 12;
    size_t total = (prefix + length + 1 + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    size_t rest = total - prefix;
    if (total > size || (version == 1 && rest > UINT16_MAX))
        return 0;
    memcpy(bytes, "\x93NUMPY", NPY_MAGIC);
    bytes[6] = (char)version;
    bytes[7] = 0;
    for (size_t i = 8; i < prefix; i++)
        bytes[i] = (char)(rest >> (8 * (i - 8)) & 0xff);
    memset(bytes + prefix, ' ', rest);
    memcpy(bytes + prefix, text, length);
    bytes[total - 1] = '\n';
    return total;
}

size_t npy_header_write(consort_type type, uint64_t count, char *bytes, size_t size)
{
    char dtype[16];
    char text[128];
    if (!npy_dtype_write(type, dtype, sizeof dtype))
        return 0;
    int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%llu,), }",
                 dtype, (unsigned long long)count);
    return npy_header_wrap(1, text, (size_t)length, bytes, size);
}

size_t npy_header_resize(const unsigned char *old, const struct npy_header *header, uint64_t count,
                         char *bytes, size_t size)
{
    char *text = malloc(header->header_bytes + 64);
    int version = old[6];
    size_t prefix = version == 1 ? 10 : 12;
    size_t end = header->header_bytes;
    while (end > header->shape_end && strchr(" \n", old[end - 1]))
        end--;
    if (!text)
        return 0;
    int length = snprintf(text, header->header_bytes + 64, "%.*s(%llu,)%.*s",
                          (int)(header->shape_from - prefix), (const char *)old + prefix,
                          (unsigned long long)count, (int)(end - header->shape_end),
                          (const char *)old + header->shape_end);
    size_t written = npy_header_wrap(version, text, (size_t)length, bytes, size);
    /* Version 1.0 holds 64 kB; 2.0 differs from it in nothing else. */
    if (written == 0 && version == 1)
        written = npy_header_wrap(2, text, (size_t)length, bytes, size);
    free(text);
    return written;
}
