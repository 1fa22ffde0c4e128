/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of `segmented`: SEGMENTED_SHAPES(X) expands X(key bits, values?, items a thread sorts in
 * registers, most threads of a block that sorts one segment, blocks of four warps a
 * multiprocessor, the most items of a tiny segment, blocks of those a multiprocessor). Plain C, for
 * kernels and host.
 *
 * Items: as many as stay in registers, because comparisons between threads cost a shuffle each.
 * Tiny: as many as CUB 3.0.1 sorts by two threads, and networks still fit registers. H200,
 * CUDA 13.0, 2026-11, 10^9 items a second: 64/0, segments of 24, 162 with 5 blocks; 64/1, of 24,
 * 104 with 4; 32/0, of 10, 8 or 9 blocks alike. Two blocks more with other gaps in shared memory
 * spilled: 136 and 82. Threads: two blocks share a multiprocessor's 64 Ki registers and 227 KiB of
 * shared memory.
 *
 * Units: 2 · 132 are moved at once. 464 took two rounds, and no less time but where buckets have
 * three or four; with 192 a segment of 10^6 among 100 is one unit, which took 1.48 times as long.
 *
 * Single bytes alone are counted, not sorted, where a segment takes a block: SEGMENTED_BLOCK_SHAPES
 * are the other shapes.
 */
#ifndef CONSORT_SEGMENTED_TUNING_H
#define CONSORT_SEGMENTED_TUNING_H

/* clang-format off */
#define SEGMENTED_SHAPES(X) X(8, 0, 32, 512, 8, 32, 8) SEGMENTED_BLOCK_SHAPES(X)
#define SEGMENTED_BLOCK_SHAPES(X)                                                                  \
    X(8, 1, 16, 512, 8, 32, 8)                                                                     \
    X(16, 0, 32, 512, 8, 32, 8)  X(16, 1, 16, 512, 8, 32, 8)                                       \
    X(32, 0, 32, 512, 8, 32, 8)  X(32, 1, 16, 512, 8, 20, 7)                                       \
    X(64, 0, 16, 512, 8, 24, 5)  X(64, 1, 16, 256, 5, 24, 4)                                       \
    X(128, 1, 16, 256, 3, 16, 3)

/* Runs of short segments: X(key bits, blocks a multiprocessor); of narrow keys alone they are
 * picks. */
#define SEGMENTED_RUN_SHAPES(X) X(8, 8) X(16, 8) X(32, 8) X(64, 5) X(128, 3)
#define SEGMENTED_PICK_SHAPES(X) X(8, 8) X(16, 8) X(32, 8)

/* Tiles of the partition of large segments: X(key bits, values?, items a thread). */
#define SEGMENTED_TILES(X)                                                                         \
    X(8, 1, 16) X(16, 0, 16) X(16, 1, 16) X(32, 0, 16) X(32, 1, 16) X(64, 0, 12) X(64, 1, 12)      \
    X(128, 1, 8)
/* clang-format on */

enum {
    SEGMENTED_RUN_ITEMS = 16,      /* of a thread */
    SEGMENTED_RUN_MOST = 128,      /* items of a segment that others share a tile with */
    SEGMENTED_RUN_SEGMENTS = 63,   /* of a tile, at most: six bits tell one from the next */
    SEGMENTED_PICK_MOST = 64,      /* items of a segment of narrow keys that is collected */
    SEGMENTED_PICK_SEGMENTS = 128, /* of a tile, at most */
    SEGMENTED_TINY_THREADS = 128,
    SEGMENTED_TINY_SETS = 4,   /* of a warp's 32 segments that are looked at together */
    SEGMENTED_TINY_ROUNDS = 4, /* so many times the blocks that are resident, at most */
    SEGMENTED_WARPS_THREADS = 128,
    SEGMENTED_TILE_THREADS = 512,
    SEGMENTED_TILES_A_UNIT = 16,  /* consecutive tiles that one block partitions, at least */
    SEGMENTED_TILES_COUNTED = 4,  /* the same where they are only counted */
    SEGMENTED_MOST_UNITS = 264,   /* of buckets that have several: each keeps counts of digits */
    SEGMENTED_MOST_COUNTED = 464, /* the same where they are only counted */
    SEGMENTED_SCAN_THREADS = 256,
    SEGMENTED_CLASSIFY_THREADS = 256
};

#endif
