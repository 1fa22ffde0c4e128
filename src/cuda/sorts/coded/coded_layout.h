/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of `coded` share. Plain C, included by both. */
#ifndef CONSORT_CODED_LAYOUT_H
#define CONSORT_CODED_LAYOUT_H

#include "cuda/sorts/normalised/normalised_layout.h"

enum {
    CODED_THREADS = 256,
    CODED_TILE = 1024,     /* neighbours whose places a block looks for together */
    CODED_PREFIX_BYTES = 8 /* of normalised keys, which nearly always decide */
};

/* Codes: unsigned numbers of 4 or 8 bytes. */
struct coded_array {
    void *codes;
    uint32_t bytes;
    uint32_t reserved;
};

/* Two sorted lists; the codes and prefixes of b's items stand behind those of a's. */
struct coded_lists {
    struct normalised_items a, b;
    struct normalised_order order;
    const uint64_t *prefixes; /* of normalised keys */
    struct coded_array codes;
};

#endif
