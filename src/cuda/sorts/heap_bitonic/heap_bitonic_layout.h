/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of `heap-bitonic` share. Plain C, included by both. */
#ifndef CONSORT_HEAP_BITONIC_LAYOUT_H
#define CONSORT_HEAP_BITONIC_LAYOUT_H

#include "cuda/sorts/items/items_layout.h"

enum {
    HEAP_BITONIC_LOG_TILE = 12, /* items of a block; each thread sorts one chunk of them */
    HEAP_BITONIC_LOG_LEAST = 3,
    HEAP_BITONIC_LOG_MOST = 8,
    HEAP_BITONIC_MOST_THREADS = 1 << (HEAP_BITONIC_LOG_TILE - HEAP_BITONIC_LOG_LEAST)
};

#endif
