/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tile shapes of `lsd`: LSD_SHAPES(X) expands X(key bits, value bytes, threads, items a thread,
 * blocks a multiprocessor). Plain C, stamped into kernels and into the host's table.
 *
 * Evidence: NVIDIA H200, CUDA 13.0, 2026-11, n = 2^28 uniform, ratio to CUB 3.0.1 in the same run.
 *   32/0: 512 × 23 0.98, 512 × 19 0.91, 384 × 19 0.92, 384 × 23 0.87, 256 × 19 0.84
 *   32/4: 512 × 19 1.12, 384 × 23 1.08, 512 × 15 1.01, 256 × 19 0.93
 *   64/0: 512 × 15 1.06, 384 × 19 1.04, 384 × 15 0.94
 *   64/4: 512 × 15 1.01, 384 × 19 1.01, 512 × 13 0.99
 *   64/8: 512 × 13 1.04, 512 × 15 1.03, 384 × 15 1.02
 *   32/16: 512 × 9 1.04, 384 × 12 1.03 (before the leaner ranking)
 * A pass alone, later, milliseconds (2^28; 64-bit keys 2^27):
 *   32/4: 512 × 23 1.62, 512 × 25 1.67, 512 × 27 1.70, 512 × 19 1.72
 *   32/8: 512 × 15 2.27, 512 × 17 2.33, 512 × 19 2.34; 32/16: 512 × 11 3.44, 512 × 9 3.56
 *   64/8: 512 × 13 1.41, 384 × 17 1.41, 512 × 15 1.44; 64/4: 384 × 19 1.16, 512 × 15 1.19
 *   64/16: 384 × 12 2.03, 512 × 8 2.06, 512 × 9 2.19
 * Two blocks of 512 threads leave 64 registers a thread; more items spill.
 *
 * Short lists have few tiles: what counts is how long one takes, and how long a tile waits for
 * those that began with it. LSD_SHORT_SHAPES: the same for lists of at most so many tiles for each
 * block that is resident, and so many keys. A sort of zipf keys by tiles of 512 × 8, 8 words of a
 * look-back at once (1 word; the shapes above, 4 words), µs: u32 + 8 bytes 2^16 50 (54; 65), 2^20
 * 95 (108; 108); u64 + 8 2^16 91 (114), 2^20 179 (207); u16 2^16 28.9 (39.7), 2^18 32 (40), 2^20 44
 * (46). A pass of u32 + 4 by 512 × 16 (512 × 23; 512 × 8), µs: 2^20 13.0 (14.5; 14.1), 2^21 21.6
 * (24.8; 25.0), 2^22 37.9 (41.1; 45.0), above two tiles a block no longer: 2^22.5 51.1
 * (51.7; 60.7). Of pairs of 12 and 16 bytes nothing between 512 × 8 and the shapes above was faster
 * above 2^20.
 *
 * Lists of few rounds: the last one takes as long as any, though most blocks have nothing to do in
 * it. LSD_ROUND_SHAPES: smaller tiles, taken where that makes up for it. u32 + 4 by 512 × 21 (512 ×
 * 23; 512 × 25), µs: 2^23 uniform 253 (260; 265), 2^24 402 (404; 418), zipf 511 (525; 541), argsort
 * zipf 525 (547; 550), 2^25 730 (719; 739), 2^26 1362 (1345; 1390).
 *
 * The histogram, µs, by 1024 × 8 keys (256 × 4, six blocks a multiprocessor, which queued up at the
 * same bins): u32 2^20 12.6 (17.6), 2^22 19 (35), 2^24 42 (50), 2^28 497 (542); one block a
 * multiprocessor instead of two 526.
 */
#ifndef CONSORT_LSD_TUNING_H
#define CONSORT_LSD_TUNING_H

/* clang-format off */
#define LSD_SHAPES(X)                                                                              \
    X(8, 0, 512, 23, 2)   X(8, 4, 512, 19, 2)   X(8, 8, 512, 15, 2)   X(8, 16, 512, 9, 2)         \
    X(16, 0, 512, 23, 2)  X(16, 4, 512, 19, 2)  X(16, 8, 512, 15, 2)  X(16, 16, 512, 9, 2)        \
    X(32, 0, 512, 23, 2)  X(32, 4, 512, 23, 2)  X(32, 8, 512, 15, 2)  X(32, 16, 512, 11, 2)        \
    X(64, 0, 512, 15, 2)  X(64, 4, 512, 15, 2)  X(64, 8, 512, 13, 2)  X(64, 16, 384, 12, 2)        \
    X(128, 0, 512, 9, 2)  X(128, 4, 512, 9, 2)  X(128, 8, 512, 9, 2)  X(128, 16, 512, 7, 2)
/* clang-format on */

/* Also tiles for each resident block, at most, and the logarithm of the most keys, by which
 * look-back words are chosen: lsd_row_bytes(). */
/* clang-format off */
#define LSD_SHORT_SHAPES(X)                                                                        \
    X(32, 4, 512, 16, 2, 2, 22)                                                                    \
    X(32, 8, 512, 8, 2, 1, 20)   X(64, 4, 512, 8, 2, 1, 20)   X(64, 8, 512, 8, 2, 1, 20)
/* clang-format on */

/* The same threads as above. */
#define LSD_ROUND_SHAPES(X) X(32, 4, 512, 21, 2)

/* All passes in one launch, of lists that its blocks hold. */
#define LSD_RESIDENT_SHAPES(X) X(16, 0, 512, 8, 2)

enum {
    LSD_WINDOW = 4, /* words of a look-back that are asked for at once */
    LSD_SHORT_WINDOW = 8,
    LSD_ROUND_PERCENT = 2,     /* what smaller tiles lose, if all rounds are full */
    LSD_ROUND_KEYS = 1 << 25,  /* at most: rounds of longer lists are many */
    LSD_TICKETED_TILES = 6000, /* above, blocks ask which tile is theirs: lsd_own_tile() */
    LSD_HISTOGRAM_KEYS = 8192, /* for which a block counts */
    LSD_HISTOGRAM_THREADS = 1024,
    LSD_HISTOGRAM_BLOCKS = 2,
    LSD_FINISH_THREADS = 256,
    LSD_FINISH_BLOCKS = 6
};

#endif
