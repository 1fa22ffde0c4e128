/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays in host memory that fit several GPUs together: each GPU takes a part of the list, the
 * parts are sorted as a list spread over the GPUs, and each goes back to its place. Every item
 * crosses the bus once each way.
 *
 * Until parts go back the input is whole: a GPU that fails, or has too little memory when it comes
 * to it, leaves the whole list to `merge-chunks` on the others.
 */
#ifndef CONSORT_SPREAD_H
#define CONSORT_SPREAD_H

#include "core/plan.h"
#include "core/status.h"
#include "multi/multi_carry.h"
#include "multi/multi_devices.h"
#include "multi/multi_list.h"

/* The plan's parameter, and its counters, in the order of the registry's entry. */
enum {
    SPREAD_PARAMETER_MEMORY
};

enum spread_counter {
    SPREAD_COUNT_DEVICES,
    SPREAD_COUNT_OPEN,
    SPREAD_COUNT_UP,
    SPREAD_COUNT_SORT,
    SPREAD_COUNT_DOWN,
    SPREAD_COUNT_CHUNKED /* 1: merge-chunks did it */
};

/* What a plan keeps. */
struct spread_state {
    struct consort_plan sort; /* of the spread list; algorithm NULL: not every GPU can, */
    struct status_kept why;   /* as this one says */
    int32_t devices[MULTI_MOST_DEVICES];
};

struct spread;

/* A GPU and its part of the list. */
struct spread_member {
    struct spread *spread;
    const struct device *device;
    struct staging_store *store;
    struct multi_carry carry;
    CUdeviceptr memory;
    uint64_t capacity; /* items that it has room for */
    uint64_t first, count;
    consort_column *values; /* of the part */
    struct status_kept trouble;
};

struct spread {
    const struct consort_plan *plan;
    const struct spread_state *state;
    const struct run *run;
    struct multi_list list;
    struct team *team; /* a thread for each GPU */
    struct spread_member members[MULTI_MOST_DEVICES];
    uint32_t member_count;
    consort_part parts[MULTI_MOST_DEVICES];
    bool down; /* which way parts move */
    double lap;
    atomic_bool stopped;
};

/* Bytes of device memory that an item takes, at most: its columns, and what sorting needs. */
double spread_item_bytes(const struct request *request);

/* spread_member.c, in the member's thread. A failure is noted, not returned. */
void spread_member_open(struct spread_member *member);
void spread_member_move(struct spread_member *member);
void spread_member_close(struct spread_member *member);

/* In any thread. False: a failure was noted. */
bool spread_member_allocate(struct spread_member *member);
int32_t spread_member_ordinal(const struct spread_member *member);
consort_part spread_member_part(const struct spread_member *member);

/* spread_run.c */
consort_status spread_run(const struct consort_plan *plan, const struct run *run);

extern const struct algorithm spread_sort, spread_argsort;

#endif
