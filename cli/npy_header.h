/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of a .npy file (NEP 1 and numpy.lib.format): versions 1.0, 2.0 and 3.0. Pure functions
 * over bytes. The dictionary is Python source text; all that numpy.save writes is understood, and
 * nothing else that Python would understand.
 */
#ifndef CONSORT_CLI_NPY_HEADER_H
#define CONSORT_CLI_NPY_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "consort.h"
#include "problem.h"

enum {
    NPY_MAGIC = 6,   /* "\x93NUMPY" */
    NPY_PREFIX = 12, /* magic, version and length: 10 bytes in version 1.0, 12 in the others */
    NPY_MAXIMUM_DIMENSIONS = 64,
    NPY_MAXIMUM_FIELDS = 256,
    NPY_MAXIMUM_NAME = 256,
    NPY_MAXIMUM_HEADER = 1 << 20
};

/* One leaf of a dtype: a number, a string, or what consort cannot order. */
struct npy_dtype {
    consort_type type;   /* 0: not orderable, unless it is a string longer than 255 */
    uint64_t bytes;      /* of one element */
    bool is_string;      /* 'S' */
    const char *refusal; /* why not, if it cannot be ordered; else NULL */
};

struct npy_field {
    char name[NPY_MAXIMUM_NAME]; /* nested ones joined with '.' */
    uint64_t offset;
    uint64_t elements; /* more than 1: a subarray */
    struct npy_dtype dtype;
};

struct npy_header {
    uint64_t header_bytes; /* from the file's beginning to the first item */
    bool fortran_order;
    uint32_t dimensions;
    uint64_t shape[NPY_MAXIMUM_DIMENSIONS];
    uint64_t count;      /* product of the shape */
    uint64_t item_bytes; /* of one item, all fields and padding included */
    bool structured;
    struct npy_dtype dtype; /* of what is not structured */
    uint32_t field_count;
    struct npy_field fields[NPY_MAXIMUM_FIELDS];
    /* Where the shape's text stands in the file: [shape_from, shape_end). */
    uint64_t shape_from;
    uint64_t shape_end;
};

/* From the first NPY_PREFIX bytes: how long the header is, all in all. */
bool npy_header_measure(const unsigned char *bytes, size_t length, uint64_t *header_bytes,
                        struct problem *problem);

/* From the whole header. */
bool npy_header_parse(const unsigned char *bytes, size_t length, struct npy_header *header,
                      struct problem *problem);

/* The dtype string "<f4"; false if it is none that NumPy has. */
bool npy_dtype_parse(const char *text, size_t length, struct npy_dtype *dtype);

/* Writes a header of `length` items of a one-dimensional array of `type`, 64-byte aligned; returns
 * its bytes, at most `size`, or 0 if NumPy has no such type. */
size_t npy_header_write(consort_type type, uint64_t count, char *bytes, size_t size);

/* The header `old` with another count instead of its one-dimensional shape, in version 2.0 if that
 * is too long for 1.0; 0 if it does not fit or there is no memory. Room for 128 bytes more than the
 * old one is enough. */
size_t npy_header_resize(const unsigned char *old, const struct npy_header *header, uint64_t count,
                         char *bytes, size_t size);

#endif
