/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels of `hybrid` a request has, and finding them. */
#ifndef CONSORT_HYBRID_KERNELS_H
#define CONSORT_HYBRID_KERNELS_H

#include "core/plan.h"
#include "cuda/sorts/lsd/lsd_passes.h"

struct hybrid_shape {
    uint32_t key_bits, value_bytes, threads, items;
};

struct hybrid_state {
    struct lsd_passes passes;
    struct launch gather, count, alone;
    struct launch uneven[LSD_TILES]; /* by the tiles of passes */
    struct launch wide;              /* the pass of middling lists, if there is one */
    struct launch leaves[2];         /* without and with keys in shared memory */
    uint32_t leaf_blocks[2];
    struct lsd_passes halved; /* passes that may leave halves of keys, */
    struct launch halves;     /* and their leaves */
    uint32_t half_blocks;
    struct launch groups; /* finishes groups; none of keys for which there is no prefix */
    uint32_t group_blocks;
    uint32_t count_blocks;
    bool counts_together; /* its blocks meet, and empty the tables */
};

/* NULL if there are no kernels for its keys and values. */
const struct hybrid_shape *hybrid_shape_of(const struct request *request);

/* Whether one pass by a longer digit tells so many buckets apart. */
bool hybrid_is_wide(const struct request *request, uint32_t bucket_bits);

/* Whether the last pass may leave halves: of argsorts of keys of 4 bytes leaves need the lower ones
 * only, if buckets are as many as there are upper ones. */
bool hybrid_has_halves(const struct request *request);

/* Most shared memory that a block of these kernels takes, bytes. */
uint64_t hybrid_shared(const struct request *request);

/* Makes plan->state; the device must be entered. */
consort_status hybrid_prepare(struct consort_plan *plan, const struct device *device);

#endif
