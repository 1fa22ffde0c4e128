/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selection of many ranks at once over all members, by digits from the highest on: the members
 * count the digit that follows each prefix that is still looked for, the host adds up and descends.
 * Counts are exact, so is the result: how many of each member's items come before a rank, and how
 * many equal the item there. Equal items are shared out by member and place.
 */
#include <stdlib.h>

#include "core/status.h"
#include "cuda/codec_constants.h"
#include "multi/exchange/exchange.h"

enum {
    SELECT_STEP = 16 * EXCHANGE_COUNT_THREADS, /* keys that make a block worth its start */
    SELECT_KEPT_SHARE = 4 /* codes are kept if they are one part in so many, or less */
};

/* Where the keys of a round are. */
struct select_source {
    const void *keys;
    uint64_t count;
    bool coded;   /* they are codes that a round kept */
    bool keeping; /* this round keeps */
};

struct select {
    struct exchange *x;
    struct select_source sources[REQUEST_MOST_PARTS];
    struct exchange_count round;
    struct exchange_codes prefixes;
    uint64_t *bins; /* of every member, `room` of them each */
    uint64_t room;
    uint32_t rounds;
};

static consort_status select_check(CUresult result, const char *call)
{
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(driver_get(), result, call);
}

static uint64_t select_bins(const struct exchange_count *round, const struct exchange_codes *rows)
{
    return (uint64_t)(round->prefixed ? rows->count : 1) << round->bits;
}

static void select_add_code(struct exchange_codes *codes, uint128 code)
{
    codes->words[codes->count][0] = (uint64_t)code;
    codes->words[codes->count][1] = (uint64_t)(code >> 64);
    codes->count++;
}

/* Ranks rise, so do their prefixes: equal ones are neighbours and share a row. */
static void select_number_rows(struct exchange *x, struct exchange_codes *prefixes)
{
    prefixes->count = 0;
    for (uint32_t j = 0; j < x->rank_count; j++) {
        if (j == 0 || x->ranks[j].code != x->ranks[j - 1].code)
            select_add_code(prefixes, x->ranks[j].code);
        x->ranks[j].row = prefixes->count - 1;
    }
}

/* How many of a member's items begin with a prefix that is still looked for. */
static uint64_t select_candidates(const struct exchange *x, uint32_t number)
{
    uint64_t items = 0;
    for (uint32_t j = 0; j < x->rank_count; j++)
        if (j == 0 || x->ranks[j].row != x->ranks[j - 1].row)
            items += x->ranks[j].equal[number];
    return items;
}

static consort_status select_launch(struct select *select, uint32_t number)
{
    struct exchange_member *member = &select->x->members[number];
    struct select_source *source = &select->sources[number];
    const struct exchange_control *control = &member->control;
    struct exchange_count round = select->round;
    uint64_t bins = select_bins(&round, &round.prefixes);
    uint64_t least = select_candidates(select->x, number) * SELECT_KEPT_SHARE;
    source->keeping = select->rounds > 0 && !source->coded && least <= source->count;
    round.keys = source->keys;
    round.count = source->count;
    round.bins = (uint64_t *)(uintptr_t)control->bins;
    round.cursor = (uint64_t *)(uintptr_t)control->cursor;
    if (source->keeping)
        round.kept = (void *)(uintptr_t)member->columns[0].send;
    if (source->coded)
        round.codec = (struct code_constants){.identity = 1};
    struct launch launch = member->count;
    launch.shared = (uint32_t)bins * 4;
    uint64_t blocks = (source->count + SELECT_STEP - 1) / SELECT_STEP;
    uint64_t most = EXCHANGE_COUNT_BLOCKS * (uint64_t)member->device->processors;
    void *parameters[] = {&round};
    consort_status status = launch_clear(round.bins, bins * 8, member->lane->sort);
    if (status == CONSORT_OK)
        status = launch_clear(round.cursor, 8, member->lane->sort);
    return status == CONSORT_OK ? launch_kernel(&launch, blocks < most ? blocks : most,
                                                member->lane->sort, parameters)
                                : status;
}

static consort_status select_read(struct select *select, uint32_t number)
{
    struct exchange_member *member = &select->x->members[number];
    struct select_source *source = &select->sources[number];
    uint64_t *bins = select->bins + number * select->room;
    uint64_t count = select_bins(&select->round, &select->round.prefixes), kept = 0;
    const struct driver *driver = driver_get();
    consort_status status = select_check(
        driver->cuMemcpyDtoHAsync(bins, member->control.bins, count * 8, member->lane->sort),
        "cuMemcpyDtoHAsync");
    if (status == CONSORT_OK)
        status = select_check(driver->cuStreamSynchronize(member->lane->sort),
                              "counting digits on the GPU");
    for (uint64_t i = 0; i < count; i++)
        kept += bins[i];
    if (source->keeping)
        *source = (struct select_source){
            .keys = (void *)(uintptr_t)member->columns[0].send, .count = kept, .coded = true};
    return status;
}

/* `step` on every member that has something to count. */
static consort_status select_each(struct select *select,
                                  consort_status (*step)(struct select *, uint32_t))
{
    struct exchange *x = select->x;
    consort_status status = CONSORT_OK;
    for (uint32_t m = 0; m < x->member_count && status == CONSORT_OK; m++) {
        const struct exchange_member *member = &x->members[m];
        if (select->sources[m].count == 0)
            continue;
        status = device_enter(member->device);
        if (status == CONSORT_OK) {
            status = step(select, m);
            device_leave(member->device);
        }
        if (status != CONSORT_OK)
            exchange_blame(member->part->device);
    }
    return status;
}

/* The digit of one rank: the first whose items, with those of lower digits, reach beyond it. */
static void select_descend(const struct select *select, struct exchange_rank *rank)
{
    const struct exchange *x = select->x;
    uint64_t first = (uint64_t)rank->row << select->round.bits;
    uint64_t last = first + ((uint64_t)1 << select->round.bits) - 1;
    for (uint64_t bin = first;; bin++) {
        uint64_t items = 0;
        for (uint32_t m = 0; m < x->member_count; m++)
            items += select->bins[m * select->room + bin];
        if (rank->left < items || bin == last) {
            for (uint32_t m = 0; m < x->member_count; m++)
                rank->equal[m] = select->bins[m * select->room + bin];
            rank->code = rank->code << select->round.bits | (bin - first);
            return;
        }
        rank->left -= items;
        for (uint32_t m = 0; m < x->member_count; m++)
            rank->below[m] += select->bins[m * select->room + bin];
    }
}

static consort_status select_round(struct select *select, uint32_t bits)
{
    struct exchange *x = select->x;
    struct exchange_count *round = &select->round;
    round->bits = bits;
    round->shift -= bits;
    round->prefixed = select->rounds > 0;
    select_number_rows(x, &round->prefixes);
    for (uint64_t i = 0; i < select->room * x->member_count; i++)
        select->bins[i] = 0;
    consort_status status = select_each(select, select_launch);
    if (status == CONSORT_OK)
        status = select_each(select, select_read);
    for (uint32_t j = 0; j < x->rank_count && status == CONSORT_OK; j++)
        select_descend(select, &x->ranks[j]);
    select->rounds++;
    return status;
}

static consort_status select_all(struct select *select, uint32_t bits)
{
    struct exchange *x = select->x;
    consort_status status = CONSORT_OK;
    select->round.shift = bits;
    while (select->round.shift > 0 && status == CONSORT_OK) {
        uint32_t most = select->rounds == 0 ? EXCHANGE_FIRST_BITS : EXCHANGE_DIGIT_BITS;
        uint32_t left = select->round.shift;
        status = select_round(select, left < most ? left : most);
        if (status == CONSORT_OK && checkpoint_cancelled(x->run->checkpoint))
            status = status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled");
    }
    return status;
}

/* The ranks that begin ranges; the ends of the list need no looking for. */
static void select_begin(struct exchange *x)
{
    uint32_t all = x->member_count * x->ranges;
    uint64_t end = exchange_range_begin(x, all);
    x->rank_count = 0;
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
        x->members[m].cuts[rank->range] = rank->below[m] + taken;
        before -= taken;
    }
}

static void select_finish(struct exchange *x)
{
    uint32_t all = x->member_count * x->ranges;
    uint64_t end = exchange_range_begin(x, all);
    for (uint32_t m = 0; m < x->member_count; m++)
        for (uint32_t range = 0; range <= all; range++)
            x->members[m].cuts[range] =
                exchange_range_begin(x, range) == end ? x->members[m].part->count : 0;
    for (uint32_t j = 0; j < x->rank_count; j++)
        select_cut(x, &x->ranks[j]);
    select_number_rows(x, &x->splitters);
}

consort_status exchange_select(struct exchange *x)
{
    const struct codec *codec = &x->plan->request.order.pieces[0].codec;
    struct select *select = calloc(1, sizeof *select);
    select_begin(x);
    uint64_t room = (uint64_t)x->rank_count << EXCHANGE_DIGIT_BITS;
    if (room < (uint64_t)1 << EXCHANGE_FIRST_BITS)
        room = (uint64_t)1 << EXCHANGE_FIRST_BITS;
    uint64_t *bins = malloc(room * x->member_count * sizeof *bins);
    consort_status status = CONSORT_OK;
    if (!select || !bins) {
        status = status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    } else if (x->rank_count > 0) {
        *select = (struct select){.x = x, .bins = bins, .room = room};
        select->round.codec = codec_constants_of(codec);
        for (uint32_t m = 0; m < x->member_count; m++)
            select->sources[m] = (struct select_source){.keys = x->members[m].part->in,
                                                        .count = x->members[m].part->count};
        status = select_all(select, codec->bits);
        x->run->outcome->counters[EXCHANGE_COUNT_ROUNDS] = select->rounds;
    }
    select_finish(x);
    free(bins);
    free(select);
    return status;
}
