/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of `msd`. Plain C, stamped into kernels and into the host's table.
 *
 * MSD_SHAPES(X) expands, for each key width, X(bits, partition threads, items, blocks a
 * multiprocessor, the same of levels, items of a pass, small leaf threads, items, bin bits, blocks,
 * large leaf threads, items, bin bits, blocks). Passes have two blocks of 384 threads, with as many
 * items as registers allow: low-entropy u32 of 2^24 and 2^28 by three of 256 325 µs and 4.06 ms, by
 * these 333 and 4.08, u64 of 2^21 171 and 166 µs, of 2^24 940 to 956 and 953 to 962 (H200); but by
 * three of 256 their words would be more memory than CUB takes.
 */
#ifndef CONSORT_MSD_TUNING_H
#define CONSORT_MSD_TUNING_H

#include "cuda/device/constant_function.h"
#include "cuda/sorts/lsd/lsd_layout.h"
#include "cuda/sorts/msd/msd_layout.h"

/* Keys of so many bytes at most have a launch for passes, by tiles of `lsd`. It takes 2.5 µs if
 * there is nothing to do, and saves 4 % of 2^22 low-entropy u64, 25 % of 2^28. (H200: seven passes
 * over 2^26 by a loop over tiles 3.05 ms; by a block for each tile 2.93, but 64 µs if there is
 * nothing to do, of 2^28 209. In the launch of the levels three passes over 2^24 low-entropy u32
 * take 250 µs instead of 237.) Keys of so many bytes and more are judged by those that differ. */
enum {
    MSD_WIDE_PASSED = 3 << 20, /* fewer keys of 8 bytes take passes wherever narrower ones do */
    MSD_PASSED_KEY_BYTES = 8,
    MSD_DIFFER_KEY_BYTES = 8,
    MSD_PREFIX_KEY_BYTES = 8, /* of keys that passes by a prefix may sort, if lists are not short */
    MSD_PREFIX_SAVED = 2,     /* bytes in which keys differ that these leave out, at least */
    MSD_PREFIX_KEPT = 2,      /* and that they do not */
    MSD_PREFIX_VOTES = 3,   /* samples that a prefix must separate: frequent keys that share one are
                             * in order some 40 µs after the passes (H200, zipf u64) */
    MSD_CUT_KEY_BYTES = 16, /* of these, passes over short lists may leave out so many bytes */
    MSD_MOST_CUT = 12,
    MSD_PASS_THREADS = 384,
    MSD_PASS_BLOCKS = 2 /* on a multiprocessor */
};

/* clang-format off */
#define MSD_SHAPES(X)                                                                              \
    X(32,  512, 32, 2,  512, 32, 2, 28,  256, 17, 11, 3,  1024, 17, 14, 1)                             \
    X(64,  512, 16, 2,  512, 16, 2, 21,  256, 17, 12, 2,  1024, 9, 13, 1)                              \
    X(128, 1024, 8, 1,  512, 8, 2, 9,  256, 17, 12, 2,  1024, 9, 13, 1)
/* clang-format on */

/* Partitions of long lists of narrow keys, and the first partition of those of wide ones. Shorter
 * lists have too few such tiles. Of wide keys the second partition has tiles of 512 threads always:
 * while one block of a multiprocessor waits for its group the other has something to do. Passes of
 * wide keys have more threads, which are a little faster (2^28 low-entropy u64 by 384 × 21 12.67
 * ms, by 512 × 15 12.46; H200). */
enum {
    MSD_LONG_KEY_BYTES = 4,
    MSD_LONG_WIDE_KEY_BYTES = 8,
    MSD_LONG_THREADS = 1024,
    MSD_LONG_ITEMS = 32,
    MSD_LONG_WIDE_ITEMS = 16,
    MSD_LONG_PASS_THREADS = 512,
    MSD_LONG_PASS_ITEMS = 15,
    MSD_LONG_PASS_BLOCKS = 2,
    MSD_LONG_COPIES = 32 /* counters of a digit in the second partition: one for each lane */
};

/* Middling lists of narrow keys: a tile for each multiprocessor, of which one block has none.
 * Passes have two blocks of 512 × 16, which hold all keys at once up to 2^21: four over low-entropy
 * u32 of 2^20, 2^21, 2^22 take 43, 54, 92 µs, by 512 × 21 52, 61, 90 (H200). */
enum {
    MSD_MIDDLING_KEY_BYTES = 4,
    MSD_MIDDLING_THREADS = 1024,
    MSD_MIDDLING_ITEMS = 32,
    MSD_MIDDLING_COPIES = 8,
    MSD_MIDDLING_PASS_THREADS = 512,
    MSD_MIDDLING_PASS_ITEMS = 16,
    MSD_MIDDLING_PASS_BLOCKS = 2
};

/* Of keys of so many bytes and less the launch of the second partition does the levels, too, if
 * lists are not long: a launch with nothing to do less. */
enum {
    MSD_JOINED_KEY_BYTES = 4
};

/* Keys of so many bytes and more are split by octaves where they peel; of narrower ones few levels
 * are left then. (H200, 2^24 peeled u32 by octaves 0.48 ms, without 0.43.) */
enum {
    MSD_OCTAVE_KEY_BYTES = 8
};

/* Widest keys that get rooms. */
enum {
    MSD_ROOMY_KEY_BYTES = 8
};

/* Leaves of long lists, of which halves of keys are sorted in pairs. */
enum {
    MSD_HALVES_THREADS = 256,
    MSD_HALVES_BLOCKS = 5,   /* on a multiprocessor */
    MSD_HALVES_KEYS = 4352,  /* at most */
    MSD_HALVES_PAIRS = 2304, /* half as many, and room for chance */
    MSD_HALVES_BIN_BITS = 11,
    MSD_HALVES_BINS = 1 << MSD_HALVES_BIN_BITS,
    MSD_CROWDED_ITEMS = MSD_HALVES_KEYS / MSD_HALVES_THREADS, /* of those that take passes */
    MSD_CROWDED_BLOCKS = 4
};

/* Lists of at most so many small leaves take one launch. Its tiles, and leaves of as many bins as
 * small ones. */
enum {
    MSD_WHOLE_LEAVES = 241, /* 2^20 keys */
    /* Keys of so many bytes at most, if blocks hold them, go by their counts, if few differ, or by
     * passes, where they are uneven, without asking a sample whether they crowd: of none of them
     * were levels faster (H100, 2^20 u32, u64). They move in place then. */
    MSD_WHOLE_HELD_KEY_BYTES = 8,
    MSD_WHOLE_BLOCK_KEYS = 2048, /* of which there is a block for so many */
    MSD_WHOLE_THREADS = 512,
    MSD_WHOLE_ITEMS = 8,
    MSD_WHOLE_LEAF_ITEMS = 9,
    MSD_WHOLE_BIN_BITS = 12
};

/* Counters of sampled keys: by their highest bits, and by their lowest byte. */
enum {
    MSD_SAMPLE_BITS = 12,
    MSD_SAMPLE_BINS = 1 << MSD_SAMPLE_BITS,
    MSD_LOW_BINS = 256
};

/* Keys of a run that passes by a prefix have left together, which a warp sorts. */
CONSTANT_FUNCTION uint32_t msd_longest_run(uint32_t key_bytes)
{
    return key_bytes == MSD_PREFIX_KEY_BYTES ? 192 : 64;
}

/* Bytes of shared memory, of which the kernels' structures need at most a few less. */
CONSTANT_FUNCTION uint32_t msd_rounded(uint32_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Counters of a digit. More of them take longer to add up, which only large tiles pay for. */
CONSTANT_FUNCTION uint32_t msd_copies(uint32_t items)
{
    return items >= 32 ? 16 : items >= 16 ? 8 : 4;
}

CONSTANT_FUNCTION uint32_t msd_copied_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items,
                                            uint32_t copies)
{
    return msd_rounded(threads * items * key_bytes) + (copies + 1) * MSD_DIGITS * 4 + 16;
}

CONSTANT_FUNCTION uint32_t msd_tile_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items)
{
    return msd_copied_bytes(key_bytes, threads, items, msd_copies(items));
}

/* Two blocks with tiles of 4-byte keys, a table and the 1024 bytes that the system takes of each
 * are 196 KB to the byte, which is one of the shares of shared memory that there are. */
CONSTANT_FUNCTION bool msd_first_is_tight(uint32_t key_bytes, uint32_t threads)
{
    return key_bytes == 4 && threads == 512;
}

CONSTANT_FUNCTION uint32_t msd_first_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items)
{
    return msd_tile_bytes(key_bytes, threads, items) -
           (msd_first_is_tight(key_bytes, threads) ? 16 : 0) + MSD_TABLE;
}

CONSTANT_FUNCTION uint32_t msd_bucket_bytes(void)
{
    return msd_rounded((3 * MSD_DIGITS + 1 + 8) * 4);
}

CONSTANT_FUNCTION uint32_t msd_long_second_bytes(void)
{
    return msd_copied_bytes(MSD_LONG_KEY_BYTES, MSD_LONG_THREADS, MSD_LONG_ITEMS, MSD_LONG_COPIES) +
           msd_bucket_bytes();
}

CONSTANT_FUNCTION uint32_t msd_levels_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items)
{
    return msd_tile_bytes(key_bytes, threads, items) + msd_rounded((MSD_BATCH + 1) * 4) +
           MSD_DIGITS / 8 + threads / 32 * (4 + 2 * key_bytes) + 16;
}

CONSTANT_FUNCTION uint32_t msd_second_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items)
{
    uint32_t second = msd_tile_bytes(key_bytes, threads, items) + msd_bucket_bytes();
    uint32_t levels = msd_levels_bytes(key_bytes, threads, items);
    return key_bytes <= MSD_JOINED_KEY_BYTES && levels > second ? levels : second;
}

CONSTANT_FUNCTION uint32_t msd_leaf_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items,
                                          uint32_t bin_bits)
{
    return (4u << bin_bits) + msd_rounded(threads * items * key_bytes) +
           threads / 32 * 2 * key_bytes + (4u << bin_bits) / 32 / 8 + 2 * threads + 80;
}

/* Of small leaves, which are finished by words if keys are wider. */
CONSTANT_FUNCTION uint32_t msd_small_bytes(uint32_t key_bytes, uint32_t threads, uint32_t items,
                                           uint32_t bin_bits)
{
    uint32_t words = key_bytes > 4 ? msd_rounded(threads * items * 4) : 0;
    return msd_leaf_bytes(key_bytes, threads, items, bin_bits) + words;
}

/* Of a list that is one leaf, and of the leaves of one launch. */
CONSTANT_FUNCTION uint32_t msd_alone_bytes(uint32_t key_bytes)
{
    return msd_leaf_bytes(key_bytes, MSD_WHOLE_THREADS, MSD_WHOLE_LEAF_ITEMS, MSD_WHOLE_BIN_BITS);
}

CONSTANT_FUNCTION uint32_t msd_whole_bytes(uint32_t key_bytes)
{
    uint32_t leaf = msd_alone_bytes(key_bytes);
    uint32_t levels = msd_levels_bytes(key_bytes, MSD_WHOLE_THREADS, MSD_WHOLE_ITEMS);
    uint32_t sample = (MSD_SAMPLE_BINS + MSD_LOW_BINS + 4) * 4 + 24;
    uint32_t passes = lsd_shared_bytes(key_bytes, 0, MSD_WHOLE_THREADS, MSD_WHOLE_ITEMS);
    uint32_t histogram = key_bytes * LSD_BINS * 4 + 128 + 4 * key_bytes;
    levels = levels > sample ? levels : sample;
    levels = levels > passes ? levels : passes;
    levels = levels > histogram ? levels : histogram;
    return (leaf > levels ? leaf : levels) + MSD_WHOLE_THREADS / 32 * 2 * key_bytes +
           msd_rounded((MSD_DIGITS + 1) * 4) + 32;
}

CONSTANT_FUNCTION uint32_t msd_halves_bytes(void)
{
    return MSD_HALVES_BINS * 4 + MSD_HALVES_PAIRS * 4 + MSD_HALVES_THREADS / 32 * 4 + 16;
}

CONSTANT_FUNCTION uint32_t msd_crowded_bytes(void)
{
    return MSD_HALVES_THREADS * MSD_CROWDED_ITEMS * 2 +
           MSD_HALVES_THREADS / 32 * (LSD_BINS + 1) * 4;
}

CONSTANT_FUNCTION uint32_t msd_front_bytes(uint32_t key_bytes)
{
    return MSD_CELLS / 2 * 4 + 16 + (MSD_HISTOGRAM_THREADS / 32 * 2 + MSD_FEW) * key_bytes;
}

CONSTANT_FUNCTION uint32_t msd_middling_bytes(void)
{
    return MSD_MIDDLING_THREADS * MSD_MIDDLING_ITEMS * MSD_MIDDLING_KEY_BYTES +
           (MSD_MIDDLING_COPIES + 1) * MSD_MIDDLING_CELLS * 4 + 16;
}

#endif
