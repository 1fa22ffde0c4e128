/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list in the memory of several GPUs, sorted there. Each part of the list is a member of the run.
 *
 * A part is sorted in ranges, one after the other, so that a range is sorted while the next ones
 * arrive. `select` finds where the ranges of all parts are cut, `move` puts every member's items in
 * the order of the ranges, and the ranges are brought together from all members, the first member's
 * items first, and sorted (`ranges`). There are two ways:
 *
 * - Cut exactly: for each place where a range begins `select` finds the item that belongs there,
 * and how many of each member's items come before. Places are known before items move.
 * - Cut by a sample (`sampled`): ranges begin at codes of a sample, near where they should. There
 * is room for what the sample lets expect and for chance, and how many items a range has is known
 *   when they have moved (`settle`). Between two parts there is a seam, a short range of its own in
 *   which the one ends and the other begins; it is sorted on the first one's device and shared out.
 *   If the sample deceived, exact cuts follow.
 */
#ifndef CONSORT_EXCHANGE_H
#define CONSORT_EXCHANGE_H

#include "core/plan.h"
#include "cuda/sorts/exchange/exchange_layout.h"
#include "cuda/staging/staging_store.h"
#include "multi/multi_chunk.h"
#include "multi/multi_clock.h"

/* The plan's parameters, and its counters, in the order of the registry's entry. */
enum {
    EXCHANGE_PARAMETER_RANGES,
    EXCHANGE_PARAMETER_SAMPLE,
    EXCHANGE_PARAMETER_STORED,
    EXCHANGE_PARAMETER_ROOM,
    EXCHANGE_PARAMETERS
};

extern const consort_parameter_info exchange_parameters[EXCHANGE_PARAMETERS];

enum exchange_counter {
    EXCHANGE_COUNT_RANGES,
    EXCHANGE_COUNT_ROUNDS,
    EXCHANGE_COUNT_CROSSED,
    EXCHANGE_COUNT_SELECT,
    EXCHANGE_COUNT_MOVE,
    EXCHANGE_COUNT_SORT,
    EXCHANGE_COUNT_STORED,
    EXCHANGE_COUNT_ARRIVE,
    EXCHANGE_COUNT_RANGE_SORTS,
    EXCHANGE_COUNT_SAMPLED,
    EXCHANGE_COUNT_LENT
};

enum {
    EXCHANGE_NO_RANGE = EXCHANGE_MOST_RANGES
};

/* Keys, then values, or for an argsort the items' numbers. */
struct exchange_column {
    uint64_t bytes;   /* of an element */
    const void *in;   /* NULL: numbers, which are made on the GPU */
    CUdeviceptr send; /* where the member puts its own items in the order of the ranges */
    CUdeviceptr arrive;
};

/* What a member keeps on its device beside the columns. */
struct exchange_control {
    CUdeviceptr cursor, bins; /* of the selection, one behind the other */
    CUdeviceptr targets, ticket;
    CUdeviceptr index;   /* of the items in the order of the ranges, where columns follow one */
    CUdeviceptr scratch; /* look-back words, then the workspace of the sort */
};

/* Items by their numbers: in the list, or where they are put aside. */
struct exchange_stretch {
    uint64_t begin, end;
};

struct exchange_member {
    const struct device *device;
    const consort_part *part;
    uint64_t first;          /* of the part's items, in the list */
    struct multi_chunk sort; /* of a range */
    struct launch sample, count, move, gather;
    uint32_t move_blocks;
    uint64_t tile_items;
    uint64_t tiles; /* that look back; 0: none does */
    struct staging_store *store;
    struct staging_lane *lane;
    CUdeviceptr memory;
    uint64_t bytes;
    struct exchange_column *columns;
    struct exchange_control control;
    consort_column *values; /* of a range, as the sort sees them */
    uint32_t reached;       /* bits of members whose outputs kernels of this one may write, */
    uint32_t gathered;      /* and of those where they may put items aside */
    uint64_t aside;         /* items that there is room for where they are put aside */
    uint64_t *told;         /* by kernels: counts */
    struct exchange_targets targets; /* of the partition, on their way to the device */
    /* Its items of each range where they are put aside: by itself, or, of a range that is stored,
     * on the range's own device. */
    struct exchange_stretch pieces[EXCHANGE_MOST_RANGES + 1];
    struct exchange_stretch stored[EXCHANGE_MOST_RANGES]; /* are where they belong: not copied */
    uint64_t room[EXCHANGE_MOST_RANGES];                  /* sampled: where that of a piece ends, */
    uint64_t spare;                                       /* and for a tile that finds no room */
    struct multi_clock clock;                             /* of ranges, if somebody asks */
    double arriving, sorting; /* seconds that this took, of all ranges */
};

/* A place in the list, and the item that belongs there: its code, and for each member, how many of
 * its items come before all items of that code, and how many have it. */
struct exchange_rank {
    uint128 code;
    uint64_t left; /* while it is looked for: its place among the items with its prefix */
    uint64_t below[REQUEST_MOST_PARTS], equal[REQUEST_MOST_PARTS];
    uint32_t range; /* that begins there */
    uint32_t row;
};

struct exchange {
    const struct consort_plan *plan;
    const struct run *run;
    struct exchange_member members[REQUEST_MOST_PARTS];
    uint32_t member_count;
    uint32_t column_count;
    uint32_t ranges; /* of each part */
    bool may_sample; /* there is room for ranges that a sample cuts */
    bool sampled;    /* they are cut so in this pass; seams are numbered behind all ranges */
    bool borrows;    /* there is room for ranges of others */
    bool lends;      /* some ranges are sorted on other devices than their parts': */
    uint32_t owners[EXCHANGE_MOST_RANGES];
    struct exchange_stretch extents[EXCHANGE_MOST_RANGES]; /* sampled: ranges in the list, */
    uint32_t classes[EXCHANGE_MOST_RANGES];                /* and their classes */
    struct exchange_rank ranks[EXCHANGE_MOST_SPLITTERS];
    uint32_t rank_count;
    struct exchange_codes splitters;
    uint64_t *bins;        /* what kernels tell, where no pinned memory is */
    struct rounds *rounds; /* what a selection keeps in host memory */
    struct estimate *estimate;
    struct brackets *brackets;
    double began; /* by the host's clock */
};

/* Where a range of all parts should begin in the list, and if cuts are exact does; the one behind
 * the last at its end. */
uint64_t exchange_range_begin(const struct exchange *x, uint32_t range);

/* Items of the longest range of a member, as they should be. */
uint64_t exchange_longest_range(const struct exchange *x, const struct exchange_member *member);

/* Ranges, in the order of the list, with seams; and the number of each. */
uint32_t exchange_range_count(const struct exchange *x);
uint32_t exchange_range_at(const struct exchange *x, uint32_t k);

/* Ranges around the beginnings of parts come after all others. */
bool exchange_is_seam(const struct exchange *x, uint32_t range);

/* Where it is in the list, in whose part it begins, and where it is sorted. */
struct exchange_stretch exchange_range_extent(const struct exchange *x, uint32_t range);
uint32_t exchange_range_home(const struct exchange *x, uint32_t range);
uint32_t exchange_range_owner(const struct exchange *x, uint32_t range);

/* It is sorted on another device than its part's, and copied there. */
bool exchange_is_lent(const struct exchange *x, uint32_t range);

/* What comes of the members before in a range. */
uint64_t exchange_piece_offset(const struct exchange *x, const struct exchange_member *from,
                               uint32_t range);

/* Counters of one member in a round of the selection, at most. */
uint64_t exchange_most_bins(const struct exchange *x);

/* One thing that is done on a member, with its device entered. */
typedef consort_status exchange_step(struct exchange *x, struct exchange_member *member,
                                     void *context);

/* `step` on every member, in turn, up to the first error, which names the device. */
consort_status exchange_each(struct exchange *x, exchange_step *step, void *context);

/* exchange_member.c. The device is entered in all but the first and the last. */
consort_status exchange_member_open(struct exchange *x, uint32_t number);
consort_status exchange_member_prepare(struct exchange_member *member,
                                       const struct request *request);
exchange_step exchange_member_size, exchange_member_allocate;
void exchange_member_point(const struct exchange *x, struct exchange_member *member);
bool exchange_moves_freely(const struct request *request);
void exchange_member_free(struct exchange_member *member);
void exchange_member_close(struct exchange_member *member, bool sound);

/* exchange_select.c, with exchange_estimate.c, exchange_brackets.c and exchange_rounds.c: fills
 * ranks, splitters, and every member's pieces or the room for them. Takes its host memory before,
 * when members have theirs. */
consort_status exchange_select_open(struct exchange *x);
consort_status exchange_select(struct exchange *x);
void exchange_select_close(struct exchange *x);

/* exchange_estimate.c. Whether ranges may be cut by a sample; where room is short they are not. */
bool exchange_may_sample(const struct exchange *x);
uint64_t exchange_items_aside(const struct exchange *x, const struct exchange_member *member);
uint64_t exchange_most_sorted(const struct exchange *x, const struct exchange_member *member);

/* Whether all members put their items of a range aside where it is sorted, if it was sampled. */
bool exchange_gathers(const struct exchange *x, uint32_t range);

/* exchange_lend.c: who sorts which range, by what each costs, in any unit; `room` is what it needs
 * where it is sorted. */
struct exchange_work {
    double cost;
    uint64_t room;
};
void exchange_lend(struct exchange *x, const struct exchange_work *works);

/* exchange_settle.c: what the kernels told of a sampled run's pieces. False: the sample deceived.
 */
bool exchange_settle(struct exchange *x);

/* exchange_targets.c. Which outputs kernels of a member may write. */
exchange_step exchange_find_reached;

/* Where each of a member's classes goes; notes what the partition stores where it belongs. */
void exchange_aim(struct exchange *x, struct exchange_member *member,
                  struct exchange_targets *targets);

/* exchange_move.c: queues one member's. */
exchange_step exchange_move_items;

/* exchange_tell.c: what a run tells of its ranges, if somebody asks. The device is entered. */
exchange_step exchange_tell_start;
void exchange_tell_range(struct exchange_member *member, uint32_t turn, uint32_t range);
void exchange_tell(const struct exchange *x);

/* exchange_ranges.c: copies and sorts all ranges, and waits for them. */
consort_status exchange_sort_ranges(struct exchange *x);

/* exchange_run.c. A run, and its steps for who sorts more than once: all memory is taken when it is
 * opened; a pass sorts what the run's parts say then, which have the same lengths in all passes;
 * closing is due whatever failed, unless *opened is NULL. */
consort_status exchange_run(const struct consort_plan *plan, const struct run *run);
consort_status exchange_open(struct exchange **opened, const struct consort_plan *plan,
                             const struct run *run);
consort_status exchange_pass(struct exchange *x);
consort_status exchange_close(struct exchange *x, consort_status status);

extern const struct algorithm exchange_sort, exchange_argsort;

#endif
