/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of equal codes, sorted by the full order: short ones by one member, long ones by the team.
 */
#include "cpu/ties.h"

#include <stdatomic.h>
#include <string.h>

#include "cpu/mergesort.h"

enum {
    TIES_BLOCK = 1 << 12, /* codes that a member takes at a time */
    TIES_LONG = 1 << 16   /* a longer run is worth a team */
};

/* A long run waits in a list whose links stand in the run's own part of `spare`. */
struct ties_run {
    uint64_t last;
    uint64_t next;
};

struct ties_state {
    const struct ties_job *job;
    struct mergesort sort;
    _Atomic uint64_t next;
    _Atomic uint64_t longs; /* first of the list of long runs, or count */
    atomic_bool cancelled;
};

static char *ties_at(const struct ties_state *state, void *array, uint64_t i)
{
    return (char *)array + i * state->sort.bytes;
}

static void ties_push(struct ties_state *state, uint64_t first, uint64_t last)
{
    struct ties_run run = {.last = last, .next = atomic_load(&state->longs)};
    do {
        memcpy(ties_at(state, state->job->spare, first), &run, sizeof run);
    } while (!atomic_compare_exchange_weak(&state->longs, &run.next, first));
}

static void ties_sort_run(struct ties_state *state, uint64_t first, uint64_t last)
{
    const struct ties_job *job = state->job;
    if (last - first > TIES_LONG) {
        ties_push(state, first, last);
        return;
    }
    char *indices = ties_at(state, job->indices, first);
    state->sort.kernels->tile(&state->sort, indices, indices, ties_at(state, job->spare, first),
                              last - first);
}

/* Runs that begin in [first, last); the one that reaches in belongs to the block before. */
static void ties_block(struct ties_state *state, uint64_t first, uint64_t last)
{
    const uint128 *codes = state->job->codes;
    uint64_t count = state->job->count;
    while (first > 0 && first < last && codes[first] == codes[first - 1])
        first++;
    while (first < last) {
        uint64_t end = first + 1;
        while (end < count && codes[end] == codes[first])
            end++;
        if (end - first > 1)
            ties_sort_run(state, first, end);
        first = end;
    }
}

static void ties_member(void *context, uint32_t member, uint32_t size)
{
    struct ties_state *state = context;
    uint64_t count = state->job->count;
    (void)member, (void)size;
    for (;;) {
        uint64_t first = atomic_fetch_add(&state->next, TIES_BLOCK);
        if (first >= count)
            return;
        if (checkpoint_cancelled(state->job->checkpoint)) {
            atomic_store(&state->cancelled, true);
            return;
        }
        ties_block(state, first, count - first < TIES_BLOCK ? count : first + TIES_BLOCK);
    }
}

static bool ties_sort_long(struct ties_state *state, uint64_t first, uint64_t last)
{
    const struct ties_job *job = state->job;
    struct checkpoint silent = {.cancel = job->checkpoint ? job->checkpoint->cancel : NULL};
    struct mergesort_job whole = {.sort = state->sort,
                                  .in = ties_at(state, job->indices, first),
                                  .out = ties_at(state, job->indices, first),
                                  .spare = ties_at(state, job->spare, first),
                                  .count = last - first,
                                  .team = job->team,
                                  .checkpoint = &silent};
    return mergesort_run(&whole);
}

bool ties_sort(const struct ties_job *job)
{
    struct ties_state state = {
        .job = job,
        .sort = mergesort_of(job->index_bytes == 4 ? MERGESORT_INDEX32 : MERGESORT_INDEX64,
                             job->order, job->items)};
    atomic_init(&state.next, 0);
    atomic_init(&state.longs, job->count);
    atomic_init(&state.cancelled, false);
    if (job->count <= TIES_BLOCK)
        ties_member(&state, 0, 1);
    else
        team_run(job->team, ties_member, &state);
    uint64_t first = atomic_load(&state.longs);
    while (first < job->count && !atomic_load(&state.cancelled)) {
        struct ties_run run;
        memcpy(&run, ties_at(&state, job->spare, first), sizeof run);
        if (!ties_sort_long(&state, first, run.last))
            return false;
        first = run.next;
    }
    return !atomic_load(&state.cancelled);
}
