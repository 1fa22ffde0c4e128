/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of `sample` share. Plain C, included by both. */
#ifndef CONSORT_SAMPLE_LAYOUT_H
#define CONSORT_SAMPLE_LAYOUT_H

#include "cuda/device/constant_function.h"
#include "cuda/sorts/split/split_layout.h"

/* Bytes of shared memory of a block that splits items of `word_bytes`: a tile of items and, for
 * each, its part; splitters, counters and places; the batch. */
CONSTANT_FUNCTION uint32_t sample_shared_bytes(uint32_t word_bytes, uint32_t tile_items)
{
    return SPLIT_THREADS * tile_items * (word_bytes + 1) + SPLIT_MOST_PARTS * (word_bytes + 12) +
           (SPLIT_BATCH + 1) * 4 + 256;
}

#endif
