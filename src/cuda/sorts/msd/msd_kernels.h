/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `msd` of one key width, and the shapes that they were compiled for. */
#ifndef CONSORT_MSD_KERNELS_H
#define CONSORT_MSD_KERNELS_H

#include "cuda/launch.h"

struct msd_shape {
    uint32_t key_bits;
    uint32_t threads, items, blocks;
    uint32_t level_threads, level_items, level_blocks;
    uint32_t pass_items;
    uint32_t small_threads, small_items, small_bins, small_blocks;
    uint32_t large_threads, large_items, large_bins, large_blocks;
};

struct msd_kernel {
    struct launch launch;
    uint32_t blocks; /* all that are resident */
};

struct msd_state {
    struct msd_kernel front, first, second, levels, small, large;
    struct msd_kernel alone, whole;    /* of short lists */
    struct msd_kernel middling;        /* of narrow keys, in place of the front */
    struct msd_kernel uneven;          /* then in place of partitions and levels */
    struct msd_kernel middling_passes; /* and these of those that crowd */
    struct msd_kernel passes;          /* of keys whose levels do none */
    struct msd_kernel octaves;         /* of wide keys */
    /* Of long lists, without a function if there are none: the first partition by larger tiles; of
     * narrow keys the second, too, and leaves of halves of keys, whose cells are ranges of codes or
     * of numbers. */
    struct msd_kernel long_first, long_second, halves, numbers, crowded;
    struct msd_kernel long_passes; /* of wide ones, in place of passes */
    bool holds_short;              /* as blocks of `whole` should: others have no look-back words */
    bool early; /* kernels that wait for it may begin before the one before them has ended */
};

/* NULL if keys of this width have none. */
const struct msd_shape *msd_shape_of(uint64_t key_bytes);

/* Most bytes of shared memory that a block of these kernels needs. */
uint32_t msd_most_shared(const struct msd_shape *shape);

/* One of them, or another sort's that is launched likewise. False if it cannot be had. */
bool msd_find(const struct device *device, struct msd_kernel *kernel, const char *image,
              const char *name, uint32_t threads, uint32_t shared);

/* `longer`: those of long lists, too. False if one cannot be had, as consort_last_error() tells. */
bool msd_find_all(const struct device *device, const struct msd_shape *shape, bool longer,
                  struct msd_state *state);

#endif
