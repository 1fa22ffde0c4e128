/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of `fused` share. Plain C, included by both. */
#ifndef CONSORT_FUSED_LAYOUT_H
#define CONSORT_FUSED_LAYOUT_H

#include "cuda/sorts/lsd/lsd_layout.h"
#include "cuda/sorts/msd/msd_layout.h"

struct fused_arguments {
    struct msd_arguments words; /* how `msd` sorts words; nothing is said of where they come from */
    const uint32_t *keys;
    uint32_t *places;            /* where they go */
    uint32_t *sorted;            /* becomes 1 if words were sorted: nobody else need do it */
    uint32_t shift;              /* of places to the left: the highest differ in the highest bit */
    struct code_constants codec; /* of keys */
};

/* Of a short list. All zero before a run. */
struct fused_short_control {
    uint32_t arrivals;           /* for grid_barrier */
    uint32_t digits[MSD_DIGITS]; /* keys of each highest digit, then where the next one goes */
};

struct fused_short_arguments {
    struct lsd_arguments list; /* how passes sort it */
    struct fused_short_control *control;
    uint64_t *words; /* in the place of the spare buffers, which passes alone need */
    uint32_t shift;  /* of places, as above */
    uint32_t leaf;   /* most words of one */
    uint32_t seed;   /* of the places of sampled keys */
};

#endif
