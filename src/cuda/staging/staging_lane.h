/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lane: the streams, events and pinned buffers that one run on host arrays uses, one run at a
 * time, and leaves for the next, because making them takes longer than sorting a short list.
 */
#ifndef CONSORT_CUDA_STAGING_LANE_H
#define CONSORT_CUDA_STAGING_LANE_H

#include "cuda/driver/device.h"

enum staging_direction {
    STAGING_UP,
    STAGING_DOWN
};

enum {
    STAGING_SLOT_BYTES = 2 << 20,
    STAGING_SLOTS = 32, /* most of a lane */
    STAGING_FLIGHTS = 3 /* pieces of one direction on the bus or waiting for it */
};

/* A pinned buffer; `free` has happened when the GPU is done with it. */
struct staging_slot {
    char *memory;
    CUevent free;
};

struct staging_lane {
    struct staging_lane *next;
    CUstream sort;
    CUstream bus[2];
    CUevent order; /* recorded on one stream and waited for on another at once */
    CUevent flights[2][STAGING_FLIGHTS];
    struct staging_slot slots[STAGING_SLOTS];
    uint32_t slot_count;
};

/* NULL, with the error recorded. The device is entered, here and below. */
struct staging_lane *staging_lane_create(void);
void staging_lane_destroy(struct staging_lane *lane);

/* Adds pinned buffers until there are `wanted` or the driver has no more. */
void staging_lane_grow(struct staging_lane *lane, uint32_t wanted);

/* Lets `later` wait for what is queued on `earlier` now. */
CUresult staging_lane_order(const struct staging_lane *lane, CUstream earlier, CUstream later);

/* Waits for everything queued: afterwards neither memory nor buffers are in use. */
CUresult staging_lane_wait(const struct staging_lane *lane);

#endif
