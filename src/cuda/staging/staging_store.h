/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a context keeps on a GPU between runs on host arrays: idle lanes, and a pool of device
 * memory. Bounded: at most 256 MiB of pinned host memory in all lanes together, at most 8 idle
 * lanes, and of the device's memory at most a sixteenth while no run uses it.
 */
#ifndef CONSORT_CUDA_STAGING_STORE_H
#define CONSORT_CUDA_STAGING_STORE_H

#include "core/context.h"
#include "cuda/staging/staging_lane.h"

struct staging_store;

/* The context's store on a device that is entered, made on first use; NULL, with the error
 * recorded. */
struct staging_store *staging_store_of(struct consort_context *context,
                                       const struct device *device);

/* A lane for one run with up to `slots` pinned buffers, fewer (even none) where pinned memory is
 * short. NULL, with the error recorded. */
struct staging_lane *staging_store_borrow(struct staging_store *store, uint32_t slots);

/* `sound` is false after an error: the lane is destroyed instead of kept. */
void staging_store_return(struct staging_store *store, struct staging_lane *lane, bool sound);

/* Device memory in the order of the lane's sort stream. */
consort_status staging_store_allocate(struct staging_store *store, const struct staging_lane *lane,
                                      uint64_t bytes, CUdeviceptr *memory);
void staging_store_free(struct staging_store *store, const struct staging_lane *lane,
                        CUdeviceptr memory);

/* Lets another device's copies reach the memory of this store; where that fails the driver takes
 * them through host memory. */
void staging_store_share(struct staging_store *store, const struct device *peer);

/* Bytes that a run could have of a device whose context is open. */
uint64_t staging_store_available(struct consort_context *context, const struct device *device);

/* Runs that take a part of what is available ask and allocate in turns: two that see the same
 * memory take two halves of it, and leave nothing to a third. */
void staging_store_begin_turn(struct staging_store *store);
void staging_store_end_turn(struct staging_store *store);

/* Gives back everything that a context keeps on any GPU. */
void staging_store_release(struct consort_context *context);

#endif
