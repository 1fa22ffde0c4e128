/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies between host memory and one GPU, both ways at once. What the GPU copies by itself is
 * queued at once; the rest is cut into pieces that threads carry through pinned buffers.
 */
#ifndef CONSORT_MULTI_CARRY_H
#define CONSORT_MULTI_CARRY_H

#include <stdatomic.h>

#include "core/checkpoint.h"
#include "cuda/staging/staging_store.h"

enum {
    MULTI_CARRY_DEPTH = 2 /* buffers of a thread: more threads than have so many are no help */
};

struct multi_piece {
    char *host;
    CUdeviceptr device;
    uint64_t bytes;
};

/* The pieces of one direction. */
struct multi_way {
    struct multi_piece *pieces;
    uint64_t room, count;
    _Atomic uint64_t next;
};

struct multi_carry {
    const struct device *device;
    struct staging_lane *lane;
    uint32_t carriers;                   /* threads that carry, the caller among them */
    struct team *team;                   /* NULL: the caller alone */
    const struct checkpoint *checkpoint; /* only its cancel is looked at */
    const atomic_bool *stopped;          /* true: nobody wants the rest */
    struct multi_way ways[2];
    _Atomic int failure; /* the first CUresult that is not success */
};

/* Borrows a lane, with buffers for so many threads. The device is entered, and `device`,
 * `checkpoint` and `stopped` are set. */
consort_status multi_carry_open(struct multi_carry *carry, struct staging_store *store,
                                uint32_t threads);

/* The pieces of a copy, at most; and room for so many of a direction, which must be there before
 * anything is added. */
uint64_t multi_carry_pieces(uint64_t bytes);
consort_status multi_carry_reserve(struct multi_carry *carry, enum staging_direction direction,
                                   uint64_t pieces);

/* Work that the caller has queued may still write an array in device memory. */
consort_status multi_carry_await_caller(consort_stream stream);

/* Borrows the threads, and gives them back: between phases others use them. */
void multi_carry_begin(struct multi_carry *carry, struct consort_context *context);
void multi_carry_end(struct multi_carry *carry);

/* Queues a copy on the lane's stream of that direction, or, if it must be carried, keeps it for
 * multi_carry_run. INTERNAL: there is no room for so many pieces. */
consort_status multi_carry_add(struct multi_carry *carry, enum staging_direction direction,
                               bool carried, char *host, void *device, uint64_t bytes);

/* Carries what was kept: uploads are queued when it returns, downloads have arrived; both only if
 * nobody stopped it. */
consort_status multi_carry_run(struct multi_carry *carry);

void multi_carry_release(struct multi_carry *carry);

#endif
