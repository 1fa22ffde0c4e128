/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arrays of a run for host arrays, as one list: where each comes from, where it goes to, and
 * where it stands in device memory meanwhile. What an operation reads and writes is told here and
 * nowhere else; allocating and copying loop over the list.
 */
#ifndef CONSORT_CUDA_STAGING_ARRAYS_H
#define CONSORT_CUDA_STAGING_ARRAYS_H

#include "core/algorithm.h"
#include "cuda/driver/pointer.h"

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
    enum pointer_kind from_kind, to_kind;
    bool from_here, to_here; /* in the plan's device's memory: used where it is, not copied */
    bool owns;               /* has a place in the run's block of device memory … */
    uint64_t offset;         /* … here */
    void *source;            /* in device memory: what the algorithm reads … */
    void *target;            /* … and writes; one place for both, if it can be */
    bool brought, taken;     /* what staging.c has done with it */
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

/* Asks the driver where the caller's arrays live and decides which need memory of their own on the
 * device, which is entered. */
consort_status staging_arrays_locate(struct staging_arrays *arrays, int32_t device);

/* Sets every array's source and target; `block` is the run's memory. */
void staging_arrays_place(struct staging_arrays *arrays, char *block);

/* True if the caller's own work on some stream may still be writing one of the arrays. */
bool staging_arrays_on_device(const struct staging_arrays *arrays);

/* True if the algorithm writes straight over one of the caller's inputs. */
bool staging_arrays_overwrite(const struct staging_arrays *arrays);

/* The arguments of the run on the device: `host` with every array replaced. */
consort_arguments staging_arrays_arguments(struct staging_arrays *arrays,
                                           const struct request *request,
                                           const consort_arguments *host);

#endif
