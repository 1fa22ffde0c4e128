/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of `msd`. Plain C, stamped into kernels and into the host's table.
 *
 * MSD_SHAPES(X) expands, for each key width, X(bits, partition threads, items, blocks a
 * multiprocessor, small leaf threads, items, bin bits, blocks, large leaf threads, items, bin bits,
 * blocks).
 */
#ifndef CONSORT_MSD_TUNING_H
#define CONSORT_MSD_TUNING_H

#include "cuda/device/constant_function.h"

/* clang-format off */
#define MSD_SHAPES(X)                                                                              \
    X(32,  512, 32, 2,  256, 17, 12, 3,  1024, 17, 14, 1)                                           \
    X(64,  512, 16, 2,  512, 9, 12, 2,  1024, 9, 13, 1)                                            \
    X(128, 512,  8, 2,  512, 9, 12, 2,  1024, 9, 13, 1)
/* clang-format on */

/* Bytes of shared memory, of which the kernels' structures need at most a few less. */
CONSTANT_FUNCTION uint32_t msd_rounded(uint32_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

CONSTANT_FUNCTION uint32_t msd_tile_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items)
{
    return msd_rounded(threads * items * key_bytes) + 2 * MSD_DIGITS * 4 + 32;
}

CONSTANT_FUNCTION uint32_t msd_first_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items)
{
    return msd_tile_bytes(key_bytes, threads, items) + MSD_TABLE;
}

CONSTANT_FUNCTION uint32_t msd_second_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items)
{
    return msd_tile_bytes(key_bytes, threads, items) + msd_rounded((MSD_DIGITS + 1) * 4);
}

CONSTANT_FUNCTION uint32_t msd_levels_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items)
{
    return msd_tile_bytes(key_bytes, threads, items) + msd_rounded((MSD_BATCH + 1) * 4) +
           MSD_DIGITS / 8 + threads / 32 * (4 + 2 * key_bytes) + 16;
}

CONSTANT_FUNCTION uint32_t msd_leaf_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items,
                                          uint32_t bin_bits)
{
    return (4u << bin_bits) + msd_rounded(threads * items * key_bytes) +
           threads / 32 * 2 * key_bytes + (4u << bin_bits) / 32 / 8 + 2 * threads + 48;
}

CONSTANT_FUNCTION uint32_t msd_histogram_bytes(uint32_t key_bytes)
{
    return MSD_CELLS / 2 * 4 + MSD_HISTOGRAM_THREADS / 32 * 2 * key_bytes;
}

#endif
