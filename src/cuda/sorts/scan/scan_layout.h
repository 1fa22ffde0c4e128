/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of the GPU's `scan` share. Plain C, included by both. */
#ifndef CONSORT_SCAN_LAYOUT_H
#define CONSORT_SCAN_LAYOUT_H

#include "cuda/device/code_constants.h"
#include "cuda/sorts/normalised/normalised_layout.h"

enum {
    SCAN_THREADS = 256,
    SCAN_BLOCKS = 8, /* a multiprocessor: all that fit */
    SCAN_UNROLL = 4  /* 16-byte words a thread has in flight */
};

/* All zero before a run. */
struct scan_control {
    uint64_t earliest; /* 2⁶⁴ − 1 − the least disorder found so far; 0: none */
    uint32_t finished_blocks;
    uint32_t reserved;
};

struct scan_arguments {
    const void *in;
    uint64_t count;
    struct scan_control *control;
    void *outcome; /* a consort_outcome */
    struct code_constants codec;
};

struct scan_items_arguments {
    struct normalised_items items;
    struct normalised_order order;
    struct scan_control *control;
    void *outcome;
};

#endif
