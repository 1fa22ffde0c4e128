/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of `fused`: those that `msd` has for keys of 8 bytes. Plain C, for kernels and host.
 *
 * The first partition by 1024 × 16, 512 × 16 and two blocks a multiprocessor: of u64 by `msd` 86
 * and 77 µs for 2^24, 1.22 and 1.45 ms for 2^28, as good at 2^26 (H200).
 */
#ifndef CONSORT_FUSED_TUNING_H
#define CONSORT_FUSED_TUNING_H

#include "cuda/sorts/msd/msd_tuning.h"

enum {
    FUSED_WORD_BYTES = 8,
    FUSED_ITEMS = 16, /* of a thread in the first partition */
    FUSED_THREADS = 512,
    FUSED_BLOCKS = 2,
    FUSED_LONG_THREADS = 1024, /* from so many keys on: */
    FUSED_LONG = 1 << 26,
    FUSED_SMALL_THREADS = 256,
    FUSED_SMALL_ITEMS = 17,
    FUSED_SMALL_BIN_BITS = 12,
    FUSED_SMALL_BLOCKS = 2,
    FUSED_LARGE_THREADS = 1024,
    FUSED_LARGE_ITEMS = 9,
    FUSED_LARGE_BIN_BITS = 13,
    FUSED_SHORT_BLOCK_KEYS = 2048 /* of a short list, of which there is a block for so many */
};

CONSTANT_FUNCTION uint32_t fused_front_bytes(void)
{
    return (MSD_SAMPLE_BINS + MSD_LOW_BINS) * 4 + 512;
}

CONSTANT_FUNCTION uint32_t fused_small_bytes(void)
{
    return msd_small_bytes(FUSED_WORD_BYTES, FUSED_SMALL_THREADS, FUSED_SMALL_ITEMS,
                           FUSED_SMALL_BIN_BITS);
}

CONSTANT_FUNCTION uint32_t fused_large_bytes(void)
{
    return msd_leaf_bytes(FUSED_WORD_BYTES, FUSED_LARGE_THREADS, FUSED_LARGE_ITEMS,
                          FUSED_LARGE_BIN_BITS);
}

/* Short lists have the shapes of those of `msd`: the same tiles and leaves, of words; passes' tiles
 * are as large. */
CONSTANT_FUNCTION uint32_t fused_short_bytes(void)
{
    const uint32_t leaf = msd_alone_bytes(FUSED_WORD_BYTES);
    const uint32_t tile = msd_tile_bytes(FUSED_WORD_BYTES, MSD_WHOLE_THREADS, MSD_WHOLE_ITEMS);
    const uint32_t passes = lsd_shared_bytes(4, 4, MSD_WHOLE_THREADS, MSD_WHOLE_ITEMS);
    const uint32_t larger = tile > passes ? tile : passes;
    return (leaf > larger ? leaf : larger) +
           msd_rounded((MSD_DIGITS + 1 + MSD_WHOLE_THREADS / 32) * 4);
}

#endif
