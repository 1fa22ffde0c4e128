/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `segmented` for items of one shape, and how many blocks of each are resident. */
#ifndef CONSORT_SEGMENTED_KERNELS_H
#define CONSORT_SEGMENTED_KERNELS_H

#include "cuda/launch.h"
#include "cuda/sorts/segmented/segmented_workspace.h"

struct segmented_state {
    struct launch classify, count, scan, move, deep, tiny, runs, warps, gather;
    struct launch blocks[SEGMENTED_CLASSES]; /* from SEGMENTED_WARP_CLASSES on */
    uint32_t blocks_end;                     /* behind the last of them that has a launch */
    uint32_t processors;
    bool early; /* kernels but `deep` may be started before the one before them has ended */
    /* Blocks that are resident, where each takes as much work as any other, or waits for all. */
    uint32_t classify_blocks, deep_blocks, tiny_blocks, runs_blocks, warps_blocks;
    uint32_t blocks_blocks[SEGMENTED_CLASSES];
};

/* False if one cannot be had, as consort_last_error() tells. */
bool segmented_find_all(const struct device *device, const struct segmented_shape *shape,
                        struct segmented_state *state);

/* Whether short segments among longer ones are sorted by one or two threads each. */
bool segmented_picks(const struct segmented_shape *shape);

/* As many blocks as may be resident. */
uint32_t segmented_blocks_for(const struct launch *launch, uint32_t processors);

#endif
