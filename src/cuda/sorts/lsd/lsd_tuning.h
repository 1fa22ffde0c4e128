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
 * those that began with it. LSD_SHORT_SHAPES: the same for lists of at most LSD_SHORT_KEYS keys,
 * whose tiles all find room at once. A sort of zipf keys by tiles of 512 × 8, 8 words of a
 * look-back at once (1 word; the shapes above, 4 words), µs: u32 + 8 bytes 2^16 50 (54; 65), 2^20
 * 95 (108; 108); u64 + 8 2^16 91 (114), 2^20 179 (207); u16 2^16 28.9 (39.7), 2^18 32 (40), 2^20 44
 * (46). Then with fewer blocks for the histogram, of one outlier: u32 + 8 2^20 81 (93), u64 + 8 156
 * (180).
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

/* clang-format off */
#define LSD_SHORT_SHAPES(X)                                                                        \
    X(16, 0, 512, 8, 2)                                                                            \
    X(32, 4, 512, 8, 2)  X(32, 8, 512, 8, 2)  X(64, 4, 512, 8, 2)  X(64, 8, 512, 8, 2)
/* clang-format on */

enum {
    LSD_SHORT_KEYS = 1 << 20,
    LSD_WINDOW = 4, /* words of a look-back that are asked for at once */
    LSD_SHORT_WINDOW = 8,
    LSD_HISTOGRAM_KEYS = 4096, /* for which a block counts */
    LSD_HISTOGRAM_THREADS = 256,
    LSD_HISTOGRAM_BLOCKS = 6,
    LSD_FINISH_THREADS = 256
};

#endif
