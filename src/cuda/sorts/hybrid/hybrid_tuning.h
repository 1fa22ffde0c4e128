/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of the leaves of `hybrid`: HYBRID_SHAPES(X) expands X(key bits, value bytes, threads,
 * items a thread, blocks a multiprocessor). Plain C, stamped into kernels and into the host's
 * table.
 */
#ifndef CONSORT_HYBRID_TUNING_H
#define CONSORT_HYBRID_TUNING_H

#include "cuda/device/constant_function.h"

/* clang-format off */
#define HYBRID_SHAPES(X)                                                                           \
    X(32, 4, 256, 19, 3)   X(32, 8, 512, 9, 2)   X(32, 16, 512, 9, 2)                             \
    X(64, 4, 512, 9, 2)    X(64, 8, 512, 9, 2)    X(64, 16, 512, 9, 1)                             \
    X(128, 4, 512, 9, 1)   X(128, 8, 512, 9, 1)
/* clang-format on */

/* Tiles of the launch for uneven keys, which are those of `lsd`, also of short lists; of those
 * whose rounds smaller tiles fill. */
/* clang-format off */
#define HYBRID_UNEVEN_SHAPES(X)                                                                    \
    X(32, 4, 512, 23, 2)   X(32, 8, 512, 15, 2)   X(32, 16, 512, 11, 2)                            \
    X(64, 4, 512, 15, 2)   X(64, 8, 512, 13, 2)   X(64, 16, 384, 12, 2)                            \
    X(128, 4, 512, 9, 2)   X(128, 8, 512, 9, 2)
#define HYBRID_ROUND_SHAPES(X) X(32, 4, 512, 21, 2)
/* clang-format on */

/* Finishing what passes over a prefix leave: X(key bits, value bytes, blocks a multiprocessor). */
#define HYBRID_GROUP_SHAPES(X) X(64, 4, 2) X(64, 8, 2) X(64, 16, 1) X(128, 4, 1) X(128, 8, 1)

enum {
    HYBRID_COUNT_THREADS = 1024,
    /* After so many a block asks whether to go on counting; its warps wait for each other then.
     * After each, counting 2^28 u32 took 386 µs, now 320. */
    HYBRID_COUNT_ROUNDS = 8,
    /* Tiles of u32 + 16 bytes whose values come ahead: what two blocks a multiprocessor find room
     * for, and no smaller than those of `lsd`, for which look-back words are reserved. */
    HYBRID_PASS_THREADS = 512,
    HYBRID_PASS_ITEMS = 11,
    /* Of u32 and an index, as `lsd` has them. */
    HYBRID_INDEX_THREADS = 512,
    HYBRID_INDEX_ITEMS = 23,
    /* A pass by more bits than a byte, for pairs of u32 + 4. H200, µs, of 2^21, 2^22, 2^23 by 1024
     * × 16 29, 55, 97; by 512 × 16 and two blocks 36, 77, 130; 512 × 23 42, 82, 129; 1024 × 12 39,
     * 62, 106; two passes by bytes 43, 76, 134. */
    HYBRID_WIDE_BITS = 10,
    HYBRID_WIDE_THREADS = 1024,
    HYBRID_WIDE_ITEMS = 16,
    HYBRID_HALF_THREADS = 256, /* leaves of halves of keys */
    HYBRID_HALF_ITEMS = 19,
    HYBRID_ALONE_THREADS = 512, /* of a list that is one leaf */
    HYBRID_ALONE_ITEMS = 9,
    HYBRID_GROUP_THREADS = 512, /* of a chunk of groups */
    HYBRID_GROUP_ITEMS = 9,
    HYBRID_PREFIX_KEY_BYTES = 8, /* of keys that may be sorted by a prefix, at least */
    /* Items; of fewer passes are too short to be saved. H200, f64 + 8 bytes: 2^18 98 µs by all
     * bytes, 110 by a prefix, 2^20 162, 149 (`merge` 134), 2^21 299, 215. */
    HYBRID_PREFIX_FROM = (1 << 20) + 1,
    /* Items, of keys of 8 bytes and more. H200, 2^28 u64 + 8: the first pass over bytes 3.42 ms
     * where one by ranks may take its place, others 2.83; a launch with nothing to do 35 µs. */
    HYBRID_APART_FROM = 1 << 26,
    HYBRID_PREFIX_BYTES = 2, /* of a prefix in which keys differ, at least */
    HYBRID_PREFIX_SAVED = 2, /* bytes below it in which they do, at least */
    /* One more for fewer than so many times the items from which on prefixes sort, if one block has
     * to look behind the count of cells: 25 µs, beside 34 for a pass over 2^21 u64 + 8 bytes and 58
     * for the groups (H200; of 2^22 it would be 3 % slower). */
    HYBRID_PREFIX_LATE = 2,
    /* Items, of fewer too few blocks count cells: u64 + 8 zipf of 2^20 160 µs if they counted
     * digits, too, 145 if a launch behind them does; of 2^21 196, 208 (H200). */
    HYBRID_DIGITS_FROM = 1 << 21,
    HYBRID_PREFIX_GROUP = 512, /* items of a group of different keys, at most: half as many as may
                                * lie behind the end of a chunk */
    HYBRID_COPIED_WORDS = 4,   /* that a thread has under way if leaves' blocks copy the result */
    HYBRID_BIN_BITS = 12,
    HYBRID_PLACE_BITS =
        13, /* of a key's position in its leaf; the other bits of a word are its tag */
    HYBRID_FINER_BITS = 2, /* buckets of uneven keys are told apart by at most so many more */
    HYBRID_LEAST_LEAF = 4608,
    /* Keys of a bucket on average, at most: 8 standard deviations below the least leaf. */
    HYBRID_AIM = 4096,
    HYBRID_AIM_SPARE = 128 /* one in so many more is no other number of buckets: lists just above a
                            * power of two would have tables of twice as many */
};

/* Bytes of shared memory of a leaf, of which the kernel's structure needs at most a few less. */
CONSTANT_FUNCTION uint32_t hybrid_leaf_bytes(uint32_t key_bytes, uint32_t value_bytes,
                                             uint32_t threads, uint32_t items)
{
    uint32_t capacity = threads * items;
    return (4u << HYBRID_BIN_BITS) + (4 + key_bytes + value_bytes) * capacity + 4 * 64;
}

#endif
