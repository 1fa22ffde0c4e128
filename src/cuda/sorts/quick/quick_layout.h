/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of `quick` share. Plain C, included by both. */
#ifndef CONSORT_QUICK_LAYOUT_H
#define CONSORT_QUICK_LAYOUT_H

#include "cuda/device/constant_function.h"
#include "cuda/sorts/split/split_layout.h"

enum {
    QUICK_MOST_SAMPLE = 1024
};

/* Counters of a segment: items that went below and above its pivot. */
enum {
    QUICK_LESS,
    QUICK_GREATER,
    QUICK_COUNTERS
};

/* Bytes of shared memory of a block that splits items of `word_bytes`: a tile of items, the batch.
 */
CONSTANT_FUNCTION uint32_t quick_shared_bytes(uint32_t word_bytes, uint32_t tile_items)
{
    return SPLIT_THREADS * tile_items * word_bytes + SPLIT_THREADS / 32 * 8 +
           (SPLIT_BATCH + 1) * 4 + 128;
}

#endif
