/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arrays of a run for host arrays, as one list: where each comes from, where it goes to, and
 * where it stands in device memory meanwhile. What an operation reads and writes is told here and
 * nowhere else; allocating and copying loop over the list.
 */
#ifndef CONSORT_CUDA_STAGING_ARRAYS_H
#define CONSORT_CUDA_STAGING_ARRAYS_H

#include "core/algorithm.h"

enum staging_role {
    STAGING_ITEMS,   /* in; and out, where an operation may work in place */
    STAGING_ITEMS_B, /* the second list of a merge */
    STAGING_OUT,     /* out, where it is not the place of in */
    STAGING_INDICES,
    STAGING_OFFSETS,
    STAGING_COLUMN, /* the same three for a column of values */
    STAGING_COLUMN_B,
    STAGING_COLUMN_OUT
};

struct staging_array {
    enum staging_role role;
    uint32_t column;  /* of STAGING_COLUMN… */
    const void *from; /* the caller's memory; NULL: nothing to bring */
    void *to;         /* the caller's memory; NULL: nothing to take back */
    uint64_t bytes;   /* never 0 */
    uint64_t offset;  /* in the run's block of device memory */
    void *device;
};

struct staging_arrays {
    struct staging_array *items;
    uint32_t count;
    consort_column *columns; /* in device memory: what the algorithm sees */
};

/* Lists the arrays of a run. CONSORT_OK or MEMORY; release in either case. */
consort_status staging_arrays_list(struct staging_arrays *arrays, const struct request *request,
                                   const consort_arguments *host);
void staging_arrays_release(struct staging_arrays *arrays);

/* The arguments of the run on the device: `host` with every array replaced. Each array's `device`
 * must be set. */
consort_arguments staging_arrays_arguments(struct staging_arrays *arrays,
                                           const struct request *request,
                                           const consort_arguments *host);

#endif
