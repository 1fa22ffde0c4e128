/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving the arrays of a run over the bus, both ways at once where that is possible: uploads are
 * queued when asked for, downloads whenever the bus has room for another piece.
 */
#ifndef CONSORT_CUDA_STAGING_COPY_H
#define CONSORT_CUDA_STAGING_COPY_H

#include "core/algorithm.h"
#include "cuda/staging/staging_lane.h"

/* One array on its way. */
struct staging_move {
    enum staging_direction direction;
    char *caller; /* in the caller's memory */
    char *device;
    uint64_t bytes;
    uint64_t queued;
    bool pageable;   /* goes through pinned buffers */
    bool over_input; /* the first byte damages an input */
};

struct staging_copier {
    const struct device *device;
    struct staging_lane *lane;
    struct team_pool *pool; /* threads for pageable memory */
    uint32_t threads;
    const struct checkpoint *checkpoint;
    bool *input_whole;
    uint64_t moved, total;        /* bytes, for progress */
    struct staging_move *waiting; /* downloads, first to last; room for every array of the run */
    uint32_t waiting_first, waiting_count;
    uint32_t flight[2]; /* pieces queued in each direction so far */
};

/* Uploads: when this returns all of it is queued on the lane's upload stream. */
consort_status staging_copy_bring(struct staging_copier *copier, struct staging_move move);

/* Downloads, after what the lane's sort stream holds now; later, or at the latest in
 * staging_copy_finish. */
consort_status staging_copy_take(struct staging_copier *copier, struct staging_move move);

/* Returns when every download has arrived. */
consort_status staging_copy_finish(struct staging_copier *copier);

#endif
