/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tile shapes of `merge`: X(key bits, placed, threads, items a thread, blocks a multiprocessor),
 * for sorting tiles and for merging. Threads and items are powers of two; a tile that is merged is
 * no longer than one that is sorted. Plain C, stamped into kernels and into the host's tables.
 */
#ifndef CONSORT_MERGE_TUNING_H
#define CONSORT_MERGE_TUNING_H

/* clang-format off */
#define MERGE_TILE_SHAPES(X)                                                                       \
    X(8, 0, 512, 17, 3)    X(8, 1, 256, 17, 3)                                                     \
    X(16, 0, 512, 17, 3)   X(16, 1, 256, 17, 3)                                                    \
    X(32, 0, 256, 33, 5)   X(32, 1, 256, 17, 3)                                                    \
    X(64, 0, 256, 17, 4)   X(64, 1, 256, 9, 5)                                                     \
    X(128, 0, 256, 9, 3)   X(128, 1, 256, 9, 2)
#define MERGE_ROUND_SHAPES(X)                                                                      \
    X(8, 0, 256, 17, 5)    X(8, 1, 128, 17, 8)                                                     \
    X(16, 0, 256, 17, 5)   X(16, 1, 128, 17, 8)                                                    \
    X(32, 0, 128, 33, 8)   X(32, 1, 128, 17, 8)                                                    \
    X(64, 0, 256, 17, 4)   X(64, 1, 256, 9, 5)                                                     \
    X(128, 0, 256, 9, 3)   X(128, 1, 256, 9, 2)
/* clang-format on */

enum {
    MERGE_CUT_THREADS = 128,
    MERGE_STRAIGHTEN_THREADS = 1024
};

#endif
