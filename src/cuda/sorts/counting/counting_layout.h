/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of the GPU's `counting` share. Plain C, included by both. */
#ifndef CONSORT_COUNTING_LAYOUT_H
#define CONSORT_COUNTING_LAYOUT_H

#include "cuda/device/code_constants.h"

enum {
    COUNTING_BINS = 1 << 16, /* of 16-bit keys; 8-bit keys use the first 256 */
    COUNTING_THREADS = 1024,
    COUNTING_EXPAND_THREADS = 256,
    COUNTING_ALONE_KEYS = 1 << 14, /* 8-bit keys that one block sorts faster than a grid */
    COUNTING_ALONE_SETS = 8,       /* of its counters, which threads use in turn */
    COUNTING_SPARSE_KEYS = 1 << 13 /* 16-bit keys that one block sorts faster than a grid */
};

/* Bytes of shared memory. */
enum {
    COUNTING_SHARED_8 = COUNTING_THREADS / 32 * 256 * 4,
    COUNTING_SHARED_16 = COUNTING_BINS / 2 * 4 + 4,
    COUNTING_SHARED_ALONE = (COUNTING_ALONE_SETS * 256 + 256 + 8) * 4,
    COUNTING_SHARED_SPARSE =
        (COUNTING_BINS / 2 + COUNTING_THREADS + 32) * 4 + COUNTING_SPARSE_KEYS * 2
};

struct counting_arguments {
    const void *in;
    void *out;
    uint64_t *bins; /* keys of each code, zero before the run; then where the code's keys end */
    uint64_t count;
    uint32_t bin_count;
    uint32_t reserved;
    void *outcome; /* a consort_outcome, or NULL */
    struct code_constants codec;
};

#endif
