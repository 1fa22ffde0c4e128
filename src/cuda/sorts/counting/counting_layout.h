/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of the GPU's `counting` share. Plain C, included by both. */
#ifndef CONSORT_COUNTING_LAYOUT_H
#define CONSORT_COUNTING_LAYOUT_H

#include "cuda/device/code_constants.h"

enum {
    COUNTING_BINS = 1 << 16, /* of 16-bit keys; 8-bit keys use the first 256 */
    COUNTING_THREADS = 1024,
    COUNTING_DENSE_WORDS = COUNTING_THREADS / 4, /* with counts, of one that each thread looks at */
    COUNTING_STRETCH_CODES = 512,                /* that a block scans */
    COUNTING_STRETCHES = COUNTING_BINS / COUNTING_STRETCH_CODES,
    COUNTING_EXPAND_THREADS = 256,
    COUNTING_EXPAND_BLOCKS = 5,     /* a multiprocessor: all that fit without spilling */
    COUNTING_ALONE_KEYS = 1 << 14,  /* 8-bit keys that one block sorts faster than a grid */
    COUNTING_ALONE_SETS = 8,        /* of its counters, which threads use in turn */
    COUNTING_SPARSE_KEYS = 1 << 13, /* 16-bit keys that one block sorts faster than a grid */
    COUNTING_KEYS_BITS = 44 /* of a word that says how many keys codes have; above, how many do */
};

/* Bytes of shared memory. */
enum {
    COUNTING_SHARED_8 = 256 * 32 * 4,
    COUNTING_SHARED_16 = COUNTING_BINS / 2 * 4 + 16,
    COUNTING_SHARED_ALONE = (COUNTING_ALONE_SETS * 256 + 256 + 8) * 4,
    COUNTING_SHARED_SPARSE =
        (COUNTING_BINS / 2 + COUNTING_THREADS + 32) * 4 + COUNTING_SPARSE_KEYS * 2
};

/* Zero before keys are counted. */
struct counting_control {
    uint64_t stretch_keys[COUNTING_STRETCHES]; /* what so many codes have, and one, when counted */
    uint32_t rows;    /* that blocks asked for, though there may be room for fewer */
    uint32_t present; /* codes that have keys, when all are counted */
};

struct counting_arguments {
    const void *in;
    void *out;
    struct counting_control *control;
    void *counts;      /* of each key, 32 bits or, if wide, 64; zero before keys are counted */
    uint64_t *ends;    /* where each key of 16 bits that there is ends */
    uint16_t *present; /* and which they are, in order */
    uint64_t count;
    uint32_t wide;
    void *outcome; /* a consort_outcome, or NULL */
    struct code_constants codec;
};

#endif
