/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of sorts by splitting, by the bytes of an item as kernels compare it (split_word.cuh).
 * Plain C, stamped into kernels and into the host's table.
 *
 * SPLIT_SHAPES(X) expands X(bytes, items a thread of a tile, of a sample, leaf threads, items, leaf
 * blocks a multiprocessor).
 */
#ifndef CONSORT_SPLIT_TUNING_H
#define CONSORT_SPLIT_TUNING_H

#include "cuda/device/constant_function.h"

/* clang-format off */
#define SPLIT_SHAPES(X)                                                                            \
    X(4,  16, 9,  256, 33, 5)                                                                      \
    X(8,  16, 9,  256, 17, 4)                                                                      \
    X(16,  8, 5,  256,  9, 3)                                                                      \
    X(32,  4, 3,  128,  9, 3)
/* clang-format on */

/* Bytes of shared memory in which a leaf is sorted (block_merge). */
CONSTANT_FUNCTION uint32_t split_leaf_bytes(uint32_t word_bytes, uint32_t threads, uint32_t items)
{
    return threads * items * word_bytes + 2 * threads + 48;
}

#endif
