/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run over several GPUs, and one GPU's part of it. Each GPU has a host thread, three slots for
 * chunks in its memory, and a workspace for the sort; while one slot is filled, the next is sorted
 * and the third is emptied.
 */
#ifndef CONSORT_MULTI_WORKER_H
#define CONSORT_MULTI_WORKER_H

#include "core/status.h"
#include "cuda/staging/staging_store.h"
#include "multi/multi_carry.h"
#include "multi/multi_chunk.h"
#include "multi/multi_clock.h"
#include "multi/multi_list.h"
#include "multi/multi_queue.h"

enum {
    MULTI_SLOTS = STAGING_FLIGHTS, /* a lane has as many events of each kind */
    MULTI_MOST_CHUNKS = 1024
};

struct multi;

struct multi_worker {
    struct multi *multi;
    uint32_t member; /* 0: the caller's own thread */
    const struct device *device;
    struct multi_chunk chunk;
    uint64_t capacity; /* items of a slot */
    struct staging_store *store;
    struct staging_lane *lane;
    CUdeviceptr memory;
    uint64_t slot_bytes, bytes;
    struct multi_carry carry;
    struct multi_clock clock;
    consort_column *columns; /* the values of a slot, as the sort sees them */
    uint64_t turn;
    uint64_t slots[MULTI_SLOTS]; /* the number of the chunk or part there, or NONE */
    uint64_t leaving;            /* the one whose slot has been given to the next, or NONE */
    bool opened, sound;
    struct status_kept trouble;
};

struct multi {
    const struct consort_plan *plan;
    const struct run *run;
    struct multi_list list;
    uint64_t wanted, least; /* items of a chunk: for an even flow, and the fewest allowed */
    uint64_t memory;        /* most bytes of a GPU's memory; 0: half of what is free */
    uint64_t chunk_items;   /* of every chunk and every part but the last */
    uint32_t chunk_count;
    bool merging;   /* the second phase */
    uint64_t *cuts; /* part p begins in run r at cuts[p * chunk_count + r] */
    struct multi_queue queue;
    struct multi_worker *workers;
    uint32_t worker_count;
    double began, lap;         /* by the host's clock; the last phase's end, from there on */
    bool timed;                /* somebody asks how long everything takes */
    struct multi_times *times; /* if so: of every chunk, then of every part */
    _Atomic uint64_t done;     /* items, in both phases */
    atomic_bool stopped, damaged;
};

/* In the worker's thread: takes a GPU and its memory. A failure is noted, not returned. */
void multi_worker_open(struct multi_worker *worker, struct multi *multi, uint32_t member,
                       int32_t ordinal);

/* When chunks have their size: the host memory that a turn takes, so that none is asked for when
 * outputs are being written. */
consort_status multi_worker_reserve(struct multi_worker *worker);

/* Sorts chunks, or merges parts, until there are no more. */
void multi_worker_work(struct multi_worker *worker);

/* In the caller's thread, when its own GPU does nothing more: tells what the others do, and asks
 * whether they are to go on, until they have done it. */
void multi_worker_watch(struct multi_worker *worker);

void multi_worker_close(struct multi_worker *worker);

/* Notes the thread's last error. What is not one GPU's own trouble stops the others, too. */
void multi_worker_fail(struct multi_worker *worker, consort_status status);

/* multi_pipeline.c: one turn. *more is false when nothing is left. */
consort_status multi_pipeline_turn(struct multi_worker *worker, bool *more);

/* Where a column of a slot is in device memory. */
void *multi_worker_place(const struct multi_worker *worker, uint32_t slot, uint32_t column);

static inline uint64_t multi_items(const struct multi *multi, uint64_t number)
{
    uint64_t left = multi->list.count - number * multi->chunk_items;
    return left < multi->chunk_items ? left : multi->chunk_items;
}

#endif
