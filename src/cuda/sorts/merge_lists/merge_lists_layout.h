/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of `merge-lists` share. Plain C, included by both. */
#ifndef CONSORT_MERGE_LISTS_LAYOUT_H
#define CONSORT_MERGE_LISTS_LAYOUT_H

#include "cuda/device/constant_function.h"
#include "cuda/sorts/merge/merge_layout.h"

/* The paper's numbers: segments of 2048 keys, of which each thread takes four neighbours. */
enum {
    MERGE_LISTS_SEGMENT = 2048,
    MERGE_LISTS_KEYS = 4,
    MERGE_LISTS_THREADS = MERGE_LISTS_SEGMENT / MERGE_LISTS_KEYS,
    MERGE_LISTS_CUT_THREADS = 128,
    MERGE_LISTS_STRAIGHTEN_THREADS = 1024
};

/* A point of the merge: so many items of each list lie before it. */
struct merge_lists_cut {
    uint64_t a, b;
};

/* The workspace: for each segment of a, how many keys of b go before its first; the points between
 * which blocks merge; for each block that finds either, whether lists that are not sorted made
 * neighbours cross. */
struct merge_lists_arguments {
    struct merge_arguments merge;
    uint64_t *pivots;
    struct merge_lists_cut *cuts;
    uint32_t *crossed_pivots, *crossed_cuts;
    uint64_t a_segments, b_segments;
    uint64_t pivot_blocks, cut_blocks; /* that say whether neighbours cross */
};

/* Bytes of shared memory of a block: the codes of two segments, their places, a's ranks. */
CONSTANT_FUNCTION uint32_t merge_lists_shared_bytes(uint32_t key_bytes)
{
    uint32_t word = key_bytes < 4 ? 4 : key_bytes;
    return 2 * MERGE_LISTS_SEGMENT * (word + 2) + 2 * MERGE_LISTS_SEGMENT;
}

#endif
