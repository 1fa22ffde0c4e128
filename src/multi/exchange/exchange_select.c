/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selection of many ranks at once over all members, by digits from the highest on. Counts are
 * exact, so is the result: how many of each member's items come before a rank, and how many equal
 * the item there. Equal items are shared out by member and place.
 */
#include <stdlib.h>

#include "core/status.h"
#include "cuda/codec_constants.h"
#include "multi/exchange/exchange_brackets.h"
#include "multi/exchange/exchange_estimate.h"

/* The ranks that begin ranges; the ends of the list need no looking for. */
static void select_begin(struct exchange *x)
{
    uint32_t all = x->member_count * x->ranges;
    uint64_t end = exchange_range_begin(x, all);
    x->rank_count = 0;
    x->lends = false;
    for (uint32_t range = 1; range < all; range++) {
        uint64_t begin = exchange_range_begin(x, range);
        if (begin > 0 && begin < end)
            x->ranks[x->rank_count++] = (struct exchange_rank){.left = begin, .range = range};
    }
}

/* Of the items equal to the one at the rank the first go before it, by member and place. */
static void select_cut(struct exchange *x, const struct exchange_rank *rank)
{
    uint64_t before = exchange_range_begin(x, rank->range);
    for (uint32_t m = 0; m < x->member_count; m++)
        before -= rank->below[m];
    for (uint32_t m = 0; m < x->member_count; m++) {
        uint64_t taken = rank->equal[m] < before ? rank->equal[m] : before;
        x->members[m].pieces[rank->range].begin = rank->below[m] + taken;
        before -= taken;
    }
}

static void select_finish(struct exchange *x)
{
    uint32_t all = x->member_count * x->ranges;
    uint64_t end = exchange_range_begin(x, all);
    for (uint32_t m = 0; m < x->member_count; m++)
        for (uint32_t range = 0; range <= all; range++)
            x->members[m].pieces[range].begin =
                exchange_range_begin(x, range) == end ? x->members[m].part->count : 0;
    for (uint32_t j = 0; j < x->rank_count; j++)
        select_cut(x, &x->ranks[j]);
    for (uint32_t m = 0; m < x->member_count; m++)
        for (uint32_t range = 0; range < all; range++)
            x->members[m].pieces[range].end = x->members[m].pieces[range + 1].begin;
    rounds_number_rows(x->ranks, x->rank_count, &x->splitters);
    x->splitters.each = 2;
}

/* By a sample, or exactly. */
static consort_status select_ranks(struct exchange *x, struct rounds *rounds)
{
    bool found = false;
    consort_status status = CONSORT_OK;
    if (x->sampled) {
        status = estimate_select(rounds, &found);
        x->sampled = found;
        if (!found)
            select_begin(x); /* exact ranges begin elsewhere */
    }
    if (status == CONSORT_OK && !found)
        status = brackets_select(rounds, &found);
    if (status != CONSORT_OK || found)
        return status;
    select_begin(x);
    rounds_of_all(rounds);
    rounds->ranks = x->ranks;
    rounds->rank_count = x->rank_count;
    return rounds_select(rounds, 0);
}

/* Counters go to pinned memory of the lanes, so that no copy waits for another; where there is
 * none, to ordinary memory. */
consort_status exchange_select_open(struct exchange *x)
{
    uint64_t most = exchange_most_bins(x);
    x->rounds = malloc(sizeof *x->rounds);
    x->estimate = estimate_create();
    x->brackets = brackets_create();
    x->bins = malloc(most * x->member_count * sizeof *x->bins);
    if (!x->rounds || !x->estimate || !x->brackets || !x->bins)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    for (uint32_t m = 0; m < x->member_count; m++) {
        const struct staging_lane *lane = x->members[m].lane;
        x->members[m].told =
            lane->slot_count > 0 ? (uint64_t *)(void *)lane->slots[0].memory : x->bins + m * most;
    }
    return CONSORT_OK;
}

void exchange_select_close(struct exchange *x)
{
    free(x->rounds);
    free(x->estimate);
    free(x->brackets);
    free(x->bins);
}

consort_status exchange_select(struct exchange *x)
{
    const struct codec *codec = &x->plan->request.order.pieces[0].codec;
    consort_status status = CONSORT_OK;
    *x->rounds = (struct rounds){.x = x, .codec = codec_constants_of(codec)};
    for (uint32_t m = 0; m < x->member_count; m++)
        x->rounds->bins[m] = x->members[m].told;
    select_begin(x);
    if (x->rank_count > 0)
        status = select_ranks(x, x->rounds);
    x->run->outcome->counters[EXCHANGE_COUNT_ROUNDS] += x->rounds->done;
    if (!x->sampled)
        select_finish(x);
    return status;
}
