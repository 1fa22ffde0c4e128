/* SPDX-License-Identifier: Apache-2.0 */
/* Stable parallel merge sort: kernels by kind of element, and the levels that a team does. */
#include "cpu/mergesort.h"

#include <stdatomic.h>
#include <string.h>

enum {
    MERGESORT_TILE_BYTES = 1 << 17, /* a tile and its spare stay in a second-level cache */
    MERGESORT_LEAST_PIECE =
        1 << 12, /* elements; smaller ones cost more in searches than they win */
    MERGESORT_PIECES = 1024,
    MERGESORT_PIECES_PER_MEMBER = 4 /* so that a member that lost its processor delays few */
};

enum {
    /* A callback is dear: short runs, since merging takes fewer comparisons than insertion. */
    MERGESORT_COMPARED_RUN = 8,
    MERGESORT_CODE_RUN = 16
};

/* All ones or zeros. The compiler may not see that it was a comparison: which list the next element
 * comes from is as good as random, and a branch on it cost 8 of 10 ns an element (u32, 1e6 keys).
 */
static inline uint64_t mergesort_mask(bool condition)
{
    uint64_t mask = 0 - (uint64_t)condition;
    __asm__("" : "+r"(mask));
    return mask;
}

static inline const char *mergesort_select(const char *a, const char *b, uint64_t from_b)
{
    return (const char *)((uintptr_t)a ^ (((uintptr_t)a ^ (uintptr_t)b) & (uintptr_t)from_b));
}

#define MERGE_KIND               item
#define MERGE_BYTES(sort)        ((sort)->bytes)
#define MERGE_BEFORE(sort, x, y) (order_compare((sort)->order, x, y) < 0)
#define MERGE_RUN                MERGESORT_COMPARED_RUN
#include "cpu/mergesort_template.h"

static inline bool mergesort_before32(const struct mergesort *sort, const char *x, const char *y)
{
    uint32_t i, j;
    memcpy(&i, x, sizeof i);
    memcpy(&j, y, sizeof j);
    return order_compare(sort->order, sort->items + i * sort->item_bytes,
                         sort->items + j * sort->item_bytes) < 0;
}

#define MERGE_KIND        index32
#define MERGE_BYTES(sort) 4
#define MERGE_BEFORE      mergesort_before32
#define MERGE_RUN         MERGESORT_COMPARED_RUN
#include "cpu/mergesort_template.h"

static inline bool mergesort_before64(const struct mergesort *sort, const char *x, const char *y)
{
    uint64_t i, j;
    memcpy(&i, x, sizeof i);
    memcpy(&j, y, sizeof j);
    return order_compare(sort->order, sort->items + i * sort->item_bytes,
                         sort->items + j * sort->item_bytes) < 0;
}

#define MERGE_KIND        index64
#define MERGE_BYTES(sort) 8
#define MERGE_BEFORE      mergesort_before64
#define MERGE_RUN         MERGESORT_COMPARED_RUN
#include "cpu/mergesort_template.h"

#include "cpu/mergesort_codes.h"

static const struct mergesort_kernels *mergesort_code_kernels(uint32_t width)
{
    switch (width) {
    case 1:
        return &mergesort_u8_kernels;
    case 2:
        return &mergesort_u16_kernels;
    case 4:
        return &mergesort_u32_kernels;
    case 8:
        return &mergesort_u64_kernels;
    default:
        return &mergesort_u128_kernels;
    }
}

struct mergesort mergesort_of(enum mergesort_kind kind, const struct order *order,
                              const void *items)
{
    struct mergesort sort = {.kernels = &mergesort_item_kernels,
                             .order = order,
                             .items = items,
                             .item_bytes = order->item_bytes,
                             .bytes = order->item_bytes};
    if (kind == MERGESORT_INDEX32) {
        sort.kernels = &mergesort_index32_kernels;
        sort.bytes = sizeof(uint32_t);
    } else if (kind == MERGESORT_INDEX64) {
        sort.kernels = &mergesort_index64_kernels;
        sort.bytes = sizeof(uint64_t);
    } else if (order_is_plain(order)) {
        sort.codec = order->pieces[0].codec;
        sort.kernels = mergesort_code_kernels(sort.codec.width);
    }
    return sort;
}

/* A job in progress. Piece p of a level writes the output from cut[p] to cut[p + 1]. */
struct mergesort_state {
    const struct mergesort_job *job;
    uint64_t tile;
    uint32_t levels;
    uint32_t pieces;
    _Atomic uint64_t next; /* tile or piece to hand out */
    atomic_bool cancelled;
    uint64_t cut[MERGESORT_PIECES + 1];
    uint64_t from_a[MERGESORT_PIECES + 1]; /* of the pair that holds cut[p]: taken from its first */
};

static uint64_t mergesort_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void mergesort_plan(struct mergesort_state *state, const struct mergesort_job *job)
{
    uint32_t members = team_size(job->team);
    state->job = job;
    state->tile = MERGESORT_TILE_BYTES / job->sort.bytes;
    while (state->tile > MERGESORT_LEAST_PIECE && job->count / state->tile < members)
        state->tile /= 2;
    uint64_t tiles = job->count / state->tile + (job->count % state->tile != 0);
    while (state->levels < 63 && (uint64_t)1 << state->levels < tiles)
        state->levels++;
    uint64_t most = members == 1 ? 1 : (uint64_t)members * MERGESORT_PIECES_PER_MEMBER;
    most = mergesort_least(most, job->count / MERGESORT_LEAST_PIECE);
    state->pieces = (uint32_t)mergesort_least(most ? most : 1, MERGESORT_PIECES);
}

/* Remembers a cancellation, for the caller's flag may be lowered again. */
static bool mergesort_stops(struct mergesort_state *state)
{
    if (!checkpoint_cancelled(state->job->checkpoint))
        return false;
    atomic_store(&state->cancelled, true);
    return true;
}

static void mergesort_tiles(struct mergesort_state *state, char *to, char *other)
{
    const struct mergesort_job *job = state->job;
    uint64_t bytes = job->sort.bytes;
    for (;;) {
        uint64_t first = atomic_fetch_add(&state->next, 1) * state->tile;
        if (first >= job->count || mergesort_stops(state))
            return;
        uint64_t at = first * bytes;
        /* One item needs no spare place, and none has an address. */
        job->sort.kernels->tile(&job->sort, job->in + at, to ? to + at : NULL,
                                other ? other + at : NULL,
                                mergesort_least(state->tile, job->count - first));
    }
}

/* The pair of runs of `width` that holds position `at`: [*first, *middle) and [*middle, *last). */
static void mergesort_pair(const struct mergesort_state *state, uint64_t width, uint64_t at,
                           uint64_t *first, uint64_t *middle, uint64_t *last)
{
    uint64_t count = state->job->count;
    *first = at / (2 * width) * (2 * width);
    *middle = *first + mergesort_least(width, count - *first);
    *last = *middle + mergesort_least(width, count - *middle);
}

static void mergesort_cut(struct mergesort_state *state, const char *from, uint64_t width,
                          uint32_t piece)
{
    const struct mergesort *sort = &state->job->sort;
    uint64_t at, end, first, middle, last;
    team_share(state->job->count, piece, state->pieces, 1, &at, &end);
    state->cut[piece] = at;
    mergesort_pair(state, width, at, &first, &middle, &last);
    state->from_a[piece] =
        sort->kernels->co_rank(sort, from + first * sort->bytes, middle - first,
                               from + middle * sort->bytes, last - middle, at - first);
}

/* Cuts of one pair must not cross. They cannot, unless the comparison contradicts itself. */
static void mergesort_straighten(struct mergesort_state *state, uint64_t width)
{
    for (uint32_t piece = 1; piece < state->pieces; piece++) {
        uint64_t before = state->cut[piece - 1], at = state->cut[piece];
        if (before / (2 * width) != at / (2 * width))
            continue;
        uint64_t low = state->from_a[piece - 1], high = low + (at - before);
        uint64_t *taken = &state->from_a[piece];
        *taken = *taken < low ? low : *taken > high ? high : *taken;
    }
}

/* Merges the output positions of one piece, which may reach over several pairs. */
static void mergesort_piece(const struct mergesort_state *state, const char *from, char *to,
                            uint64_t width, uint32_t piece)
{
    const struct mergesort *sort = &state->job->sort;
    uint64_t bytes = sort->bytes, at = state->cut[piece], end = state->cut[piece + 1];
    uint64_t taken = state->from_a[piece];
    while (at < end) {
        uint64_t first, middle, last;
        mergesort_pair(state, width, at, &first, &middle, &last);
        uint64_t stop = mergesort_least(last, end);
        uint64_t taken_end = stop == last ? middle - first : state->from_a[piece + 1];
        sort->kernels->merge(sort, from + (first + taken) * bytes,
                             from + (first + taken_end) * bytes,
                             from + (middle + (at - first - taken)) * bytes,
                             from + (middle + (stop - first - taken_end)) * bytes, to + at * bytes);
        at = stop;
        taken = 0;
    }
}

/* Between phases: all members wait, member 0 reports. False: stop. */
static bool mergesort_meet(struct mergesort_state *state, uint32_t member, uint32_t done)
{
    const struct mergesort_job *job = state->job;
    team_barrier(job->team);
    if (member == 0) {
        atomic_store(&state->next, 0);
        if (checkpoint_pass(job->checkpoint, done * job->count, (state->levels + 1) * job->count))
            atomic_store(&state->cancelled, true);
    }
    team_barrier(job->team);
    return !atomic_load(&state->cancelled);
}

static void mergesort_level(struct mergesort_state *state, const char *from, char *to,
                            uint64_t width, uint32_t member, uint32_t size)
{
    const struct mergesort_job *job = state->job;
    for (uint32_t piece = member; piece < state->pieces; piece += size)
        mergesort_cut(state, from, width, piece);
    team_barrier(job->team);
    if (member == 0)
        mergesort_straighten(state, width);
    team_barrier(job->team);
    for (;;) {
        uint64_t piece = atomic_fetch_add(&state->next, 1);
        if (piece >= state->pieces || mergesort_stops(state))
            return;
        mergesort_piece(state, from, to, width, (uint32_t)piece);
    }
}

static void mergesort_member(void *context, uint32_t member, uint32_t size)
{
    struct mergesort_state *state = context;
    const struct mergesort_job *job = state->job;
    char *to = state->levels % 2 == 0 ? job->out : job->spare;
    char *other = state->levels % 2 == 0 ? job->spare : job->out;
    mergesort_tiles(state, to, other);
    for (uint32_t level = 0; level < state->levels; level++) {
        if (!mergesort_meet(state, member, level + 1))
            return;
        mergesort_level(state, to, other, state->tile << level, member, size);
        char *swap = to;
        to = other;
        other = swap;
    }
}

bool mergesort_run(const struct mergesort_job *job)
{
    struct mergesort_state state;
    state.levels = 0;
    mergesort_plan(&state, job);
    state.cut[state.pieces] = job->count;
    atomic_init(&state.next, 0);
    uint64_t total = (state.levels + 1) * job->count;
    atomic_init(&state.cancelled, checkpoint_pass(job->checkpoint, 0, total));
    if (!atomic_load(&state.cancelled))
        team_run(job->team, mergesort_member, &state);
    return !atomic_load(&state.cancelled) && !checkpoint_pass(job->checkpoint, total, total);
}
