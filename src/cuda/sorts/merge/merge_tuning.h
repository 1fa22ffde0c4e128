/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tile shapes of `merge`: X(key bits, placed, threads, items a thread, blocks a multiprocessor),
 * for sorting tiles, for sorting a list that is one tile, alone, of middle length or short, and for
 * merging. Threads and items are powers of two; a tile that is merged is no longer than one that is
 * sorted. Plain C, stamped into kernels and into the host's tables.
 *
 * Evidence: NVIDIA H200, CUDA 13.0, 2026-11, n = 2^28 uniform, milliseconds.
 *   32/0 tiles: 256 × 33 2.0, 512 × 33 2.4, 128 × 33 1.6 (one round more), 512 × 17 2.5
 *        rounds: 128 × 33 with 64 registers 0.59, 256 × 17 0.58, 256 × 33 0.63, 256 × 33 with 80
 *        registers 0.79. Even items with padding 0.75 to 1.10.
 *   64/0 tiles: 256 × 17 3.9, 512 × 17 5.1, 256 × 33 4.9; rounds: 256 × 17 1.04, 256 × 33 1.19
 *   32/1 tiles: 256 × 17 4.7, 512 × 17 5.6, 256 × 33 5.4; rounds (4-byte values, read with tests):
 *        128 × 17 1.41, 256 × 17 1.52, 256 × 33 2.05
 *   64/1 tiles: 256 × 9 6.6, 512 × 9 8.2, 256 × 17 6.7; rounds: 256 × 9 1.83, 256 × 17 2.58
 *   With cheaper loads and cuts, a merge of two lists: 32/0 128 × 33 0.597, 256 × 33 0.619; 32/1
 *        128 × 17 1.131, 256 × 17 1.148.
 *   By four, n = 2^28: 32/0 128 × 33 by seven blocks a multiprocessor 8.63 in all, by eight, which
 *        spill 40 bytes a thread, 8.92; 32/1 (4-byte values) 18.2, 18.3; 64/0 256 × 17 by four
 *        blocks 17.6, by three 18.1. By two and by four, all in microseconds, 32 MiB: u32 341, 378,
 *        u64 342, 396, u32 + 4 bytes 359, 390; 64 MiB: 672, 629, 665, 636, 651, 620, and u64 + 8
 *        bytes 596, 554: what the cache in between does not hold is worth the dearer cuts.
 *   Few tiles: 2^22 u32 + 4 bytes (1928 tiles) 0.366 cut by their own blocks, 0.479 by a launch;
 * 2^24 u32 (3972 tiles) 0.675 and 0.783. Short tiles, microseconds: 2^10 u64 12.8 instead of 19.3,
 * u32 + 4 bytes 13.4 instead of 20; middle ones: 2^11 u32 13.1 instead of 17.5, u64 15.1 instead of
 * 19.6, u32 + 4 bytes 16.4 instead of 20.3.
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
#define MERGE_ALONE_SHAPES(X)                                                                      \
    X(8, 0, 256, 17, 1)    X(16, 0, 256, 17, 1)   X(32, 0, 256, 17, 1)   X(32, 1, 512, 9, 1)
#define MERGE_SHORT_SHAPES(X)                                                                      \
    X(32, 1, 256, 5, 1)    X(64, 0, 256, 5, 1)    X(64, 1, 256, 5, 1)
#define MERGE_MIDDLE_SHAPES(X)                                                                     \
    X(32, 0, 256, 9, 1)    X(32, 1, 256, 9, 1)    X(64, 0, 256, 9, 1)
#define MERGE_ROUND_SHAPES(X)                                                                      \
    X(8, 0, 256, 17, 5)    X(8, 1, 128, 17, 8)                                                     \
    X(16, 0, 256, 17, 5)   X(16, 1, 128, 17, 8)                                                    \
    X(32, 0, 128, 33, 8)   X(32, 1, 128, 17, 8)                                                    \
    X(64, 0, 256, 17, 4)   X(64, 1, 256, 9, 5)                                                     \
    X(128, 0, 256, 9, 3)   X(128, 1, 256, 9, 2)
/* As long as the tiles of a round by two. */
#define MERGE_FOUR_SHAPES(X)                                                                       \
    X(32, 0, 128, 33, 7)   X(32, 1, 128, 17, 7)                                                    \
    X(64, 0, 256, 17, 4)   X(64, 1, 256, 9, 5)
/* clang-format on */

enum {
    MERGE_FEW_TILES = 31,        /* a multiprocessor, up to which blocks of a sort cut their own */
    MERGE_LONG_BYTES = 48 << 20, /* from which on runs are merged by four */
    MERGE_FEW_CUTS = 8,          /* likewise, up to which each is searched for by a warp */
    MERGE_CUT_THREADS = 128,
    MERGE_CUTS_AHEAD = 256, /* tiles */
    MERGE_STRAIGHTEN_THREADS = 1024
};

#endif
