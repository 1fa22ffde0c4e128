/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of `segmented`: SEGMENTED_SHAPES(X) expands X(key bits, values?, items a thread sorts in
 * registers, most threads of a block that sorts one segment, blocks of four warps a
 * multiprocessor). Plain C, for kernels and host.
 *
 * Items: as many as stay in registers, because comparisons between threads cost a shuffle each.
 * Threads: two blocks share a multiprocessor's 64 Ki registers and 227 KiB of shared memory.
 */
#ifndef CONSORT_SEGMENTED_TUNING_H
#define CONSORT_SEGMENTED_TUNING_H

/* clang-format off */
#define SEGMENTED_SHAPES(X)                                                                        \
    X(8, 0, 32, 512, 8)    X(8, 1, 32, 512, 8)    X(16, 0, 32, 512, 8)  X(16, 1, 32, 512, 8)       \
    X(32, 0, 32, 512, 8)   X(32, 1, 16, 512, 8)   X(64, 0, 16, 512, 8)  X(64, 1, 16, 256, 5)       \
    X(128, 0, 16, 256, 4)  X(128, 1, 8, 256, 4)

/* Tiles of the partition of large segments: X(key bits, items a thread). */
#define SEGMENTED_TILES(X) X(8, 16) X(16, 16) X(32, 16) X(64, 12) X(128, 8)
/* clang-format on */

enum {
    SEGMENTED_TINY_THREADS = 128,
    SEGMENTED_WARPS_THREADS = 128,
    SEGMENTED_TILE_THREADS = 512,
    SEGMENTED_TILES_A_UNIT = 16, /* consecutive tiles that one block partitions */
    SEGMENTED_SCAN_THREADS = 256,
    SEGMENTED_CLASSIFY_THREADS = 256,
    SEGMENTED_COPY_THREADS = 256
};

#endif
