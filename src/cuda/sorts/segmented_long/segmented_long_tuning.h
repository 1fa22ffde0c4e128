/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of what sorts long segments of keys alone. Plain C, stamped into kernels and into the
 * host's table.
 *
 * SEGMENTED_LONG_LEAVES(X) expands X(key bits, class of segmented_layout.h, the most items of a
 * leaf, threads, items a thread, bin bits, blocks a multiprocessor), in the order of classes;
 * SEGMENTED_LONG_TILES(X) X(key bits, items a thread).
 */
#ifndef CONSORT_SEGMENTED_LONG_TUNING_H
#define CONSORT_SEGMENTED_LONG_TUNING_H

#include "cuda/sorts/msd/msd_layout.h"
#include "cuda/sorts/msd/msd_tuning.h"
#include "cuda/sorts/segmented/segmented_tuning.h"

/* clang-format off */
#define SEGMENTED_LONG_LEAVES(X)                                                                   \
    X(32, 6, 4096, 256, 17, 11, 3)                                                                 \
    X(32, 7, 10752, 512, 21, 13, 2)                                                                \
    X(32, 8, 16384, 1024, 17, 14, 1)                                                               \
    X(64, 7, 4096, 256, 17, 12, 2)                                                                 \
    X(64, 8, 8192, 1024, 9, 13, 1)

#define SEGMENTED_LONG_TILES(X) X(16, 32) X(32, 32) X(64, 16)
/* clang-format on */

enum {
    SEGMENTED_LONG_BYTES_THREADS = 256, /* of a block that counts single bytes */
    SEGMENTED_LONG_BYTES_BLOCKS = 8     /* on a multiprocessor */
};

/* Bytes of shared memory of a tile that the partition moves. */
CONSTANT_FUNCTION uint32_t segmented_long_tile_bytes(uint32_t key_bytes, uint32_t items)
{
    return msd_tile_bytes(key_bytes, SEGMENTED_TILE_THREADS, items) + MSD_DIGITS * 4;
}

#endif
