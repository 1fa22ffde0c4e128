/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of records, byte strings and everything else that has a normalised key, in the memory of
 * several GPUs. `exchange` sorts windows: up to 16 bytes of the items' normalised keys, as numbers,
 * made on each GPU. The items are a column of values.
 *
 * Keys that fit a window are sorted once. Of longer ones the first window is sorted first; where
 * that leaves a disorder, all windows are sorted one after the other, from the last to the first:
 * each sort is stable.
 */
#ifndef CONSORT_RECORDS_H
#define CONSORT_RECORDS_H

#include "core/plan.h"
#include "cuda/launch.h"
#include "cuda/staging/staging_store.h"

/* Its counters, in the order of the registry's entry. */
enum records_counter {
    RECORDS_COUNT_WINDOWS,
    RECORDS_COUNT_CROSSED,
    RECORDS_COUNT_MAKE,
    RECORDS_COUNT_EXCHANGE
};

/* What a plan keeps. */
struct records_state {
    struct consort_plan exchange; /* of windows; its request points into this */
    struct order_piece piece;
    uint64_t value_bytes[2]; /* of an argsort by several windows: the items, their numbers */
};

struct records_member {
    const struct device *device;
    const consort_part *part;
    uint64_t first; /* of the part's items, in the list */
    struct launch encode, number;
    uint32_t blocks;
    struct consort_plan check; /* whether the part is sorted */
    struct staging_store *store;
    struct staging_lane *lane;
    CUdeviceptr memory;
    void *windows;
    void *items; /* where sorted items go: the result, or of an argsort a copy of them */
    void *spare; /* workspace of the check */
    void *found; /* and its outcome */
    consort_column *columns; /* of the sort of windows */
};

/* The sort of windows, once for each of them. */
struct records_sort {
    struct exchange *exchange;
    struct run run;
    consort_arguments arguments;
    consort_part parts[REQUEST_MOST_PARTS];
    struct checkpoint checkpoint;
    consort_outcome outcome;
    bool untouched;
};

struct records {
    const struct consort_plan *plan;
    const struct records_state *state;
    const struct run *run;
    struct records_member members[REQUEST_MOST_PARTS];
    uint32_t member_count;
    uint64_t windows, pass, passes;
    char *edges; /* the first and the last item of each member, for the host to look at */
    consort_outcome outcomes[REQUEST_MOST_PARTS]; /* what members say of their parts' order */
    struct records_sort sort;
};

/* Windows of a request's keys, and bytes of a number that holds one. */
uint64_t records_windows(const struct request *request);
uint32_t records_window_bytes(const struct request *request);

/* True if sorted items move, so that what they look like can be told again. */
bool records_move(const struct request *request);

/* records_member.c. The device is entered in all but the first and the last. */
consort_status records_member_open(struct records *r, uint32_t number);
consort_status records_member_prepare(struct records_member *member, const struct request *request);
void records_member_close(struct records_member *member, bool sound);

/* Queues what writes an argsort's numbers to where the indices go, if they move as values: that is
 * for when all members are open, because a run that is refused touches no array. */
consort_status records_member_number(const struct records *r, const struct records_member *member);

/* Queues what makes a window of the items, from where they are in this pass. */
consort_status records_member_make(const struct records *r, struct records_member *member,
                                   uint64_t window);

/* What this pass sorts. */
consort_part records_member_part(const struct records *r, struct records_member *member);

/* records_check.c: whether the list is sorted. */
consort_status records_check(struct records *r, bool *sorted);

/* records_run.c. `step` on every member that has items, in turn, with its device entered. */
typedef consort_status records_step(struct records *r, struct records_member *member,
                                    void *context);
consort_status records_each(struct records *r, records_step *step, void *context);

consort_status records_run(const struct consort_plan *plan, const struct run *run);

extern const struct algorithm records_sort, records_argsort;

#endif
