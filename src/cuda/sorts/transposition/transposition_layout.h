/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of `transposition` share. Plain C, included by both. */
#ifndef CONSORT_TRANSPOSITION_LAYOUT_H
#define CONSORT_TRANSPOSITION_LAYOUT_H

#include "cuda/sorts/items/items_layout.h"

enum {
    TRANSPOSITION_THREADS = 256
};

/* All zero before a run. */
struct transposition_control {
    uint32_t barrier; /* device/grid_barrier.cuh */
    /* By round, modulo 3: blocks that exchanged anything, in all rounds. The next to add to a word
     * do so when all have read it: two more barriers lie between. */
    uint32_t exchanging[3];
    uint64_t rounds;
};

#endif
