/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of a selection: what is queued on each GPU, and what the host makes of the counts. */
#include "multi/exchange/exchange_rounds.h"

#include <string.h>

#include "core/log.h"
#include "core/status.h"
#include "cuda/codec_constants.h"

enum {
    ROUNDS_STEP = 16 * EXCHANGE_COUNT_THREADS, /* keys that make a block worth its start */
    ROUNDS_KEPT_SHARE = 4 /* codes are kept if they are one part in so many, or less */
};

static uint64_t rounds_bins(const struct exchange_count *round)
{
    if (round->way == EXCHANGE_CLASSED)
        return 2 * (uint64_t)round->codes.count + 1;
    return (uint64_t)(round->way == EXCHANGE_PREFIXED ? round->codes.count : 1) << round->bits;
}

static uint32_t rounds_shared(const struct exchange_count *round, uint64_t key_bytes)
{
    return round->way == EXCHANGE_CLASSED
               ? exchange_class_bytes((uint32_t)rounds_bins(round), (uint32_t)key_bytes)
               : exchange_count_bytes((uint32_t)(rounds_bins(round) >> round->bits), round->bits);
}

uint32_t rounds_add_code(struct exchange_codes *codes, uint128 code)
{
    codes->words[codes->count][0] = (uint64_t)code;
    codes->words[codes->count][1] = (uint64_t)(code >> 64);
    return codes->count++;
}

void rounds_number_rows(struct exchange_rank *ranks, uint32_t count, struct exchange_codes *codes)
{
    codes->count = 0;
    for (uint32_t j = 0; j < count; j++) {
        if (j == 0 || ranks[j].code != ranks[j - 1].code)
            rounds_add_code(codes, ranks[j].code);
        ranks[j].row = codes->count - 1;
    }
}

void rounds_of_all(struct rounds *rounds)
{
    struct exchange *x = rounds->x;
    for (uint32_t m = 0; m < x->member_count; m++)
        rounds->sources[m] = (struct rounds_source){.keys = x->members[m].part->in,
                                                    .count = x->members[m].part->count};
}

/* How many of a member's items begin with a prefix that is still looked for. */
static uint64_t rounds_candidates(const struct rounds *rounds, uint32_t number)
{
    uint64_t items = 0;
    for (uint32_t j = 0; j < rounds->rank_count; j++)
        if (j == 0 || rounds->ranks[j].row != rounds->ranks[j - 1].row)
            items += rounds->ranks[j].equal[number];
    return items;
}

static bool rounds_keeps(const struct rounds *rounds, uint32_t number)
{
    const struct rounds_source *source = &rounds->sources[number];
    if (rounds->round.way != EXCHANGE_PREFIXED)
        return rounds->round.way == EXCHANGE_CLASSED;
    return !source->coded && rounds_candidates(rounds, number) * ROUNDS_KEPT_SHARE <= source->count;
}

static consort_status rounds_launch(struct exchange *x, struct exchange_member *member,
                                    void *context)
{
    struct rounds *rounds = context;
    uint32_t number = (uint32_t)(member - x->members);
    struct rounds_source *source = &rounds->sources[number];
    struct exchange_count round = rounds->round;
    if (source->count == 0)
        return CONSORT_OK;
    source->keeping = rounds_keeps(rounds, number);
    round.keys = source->keys;
    round.count = source->count;
    round.codes.each = 2;
    round.bins = (uint64_t *)(uintptr_t)member->control.bins;
    round.cursor = (uint64_t *)(uintptr_t)member->control.cursor;
    if (source->keeping)
        round.kept = (void *)(uintptr_t)member->columns[0].send;
    round.codec = source->coded ? (struct code_constants){.identity = 1} : rounds->codec;
    struct launch launch = member->count;
    launch.shared = rounds_shared(&round, member->columns[0].bytes);
    uint64_t blocks = (source->count + ROUNDS_STEP - 1) / ROUNDS_STEP;
    uint64_t most = EXCHANGE_COUNT_BLOCKS * (uint64_t)member->device->processors;
    void *parameters[] = {&round};
    uint64_t bytes = rounds_bins(&round) * 8;
    consort_status status = launch_clear(round.cursor, bytes + 8, member->lane->sort);
    if (status == CONSORT_OK)
        status =
            launch_kernel(&launch, blocks < most ? blocks : most, member->lane->sort, parameters);
    if (status != CONSORT_OK)
        return status;
    CUresult result = driver_get()->cuMemcpyDtoHAsync(rounds->bins[number], member->control.bins,
                                                      bytes, member->lane->sort);
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result, "cuMemcpyDtoHAsync");
}

static consort_status rounds_read(struct exchange *x, struct exchange_member *member, void *context)
{
    struct rounds *rounds = context;
    uint32_t number = (uint32_t)(member - x->members);
    struct rounds_source *source = &rounds->sources[number];
    const uint64_t *bins = rounds->bins[number];
    uint64_t count = rounds_bins(&rounds->round), kept = 0;
    if (source->count == 0)
        return CONSORT_OK;
    CUresult result = driver_get()->cuStreamSynchronize(member->lane->sort);
    for (uint64_t i = 0; i < count; i++)
        if (rounds->round.way != EXCHANGE_CLASSED || rounds->round.keeps[i / 32] >> i % 32 & 1)
            kept += bins[i];
    if (source->keeping)
        *source = (struct rounds_source){
            .keys = (void *)(uintptr_t)member->columns[0].send, .count = kept, .coded = true};
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result, "counting on the GPU");
}

consort_status rounds_count(struct rounds *rounds)
{
    for (uint32_t m = 0; m < rounds->x->member_count; m++)
        if (rounds->sources[m].count == 0)
            memset(rounds->bins[m], 0, rounds_bins(&rounds->round) * sizeof *rounds->bins[m]);
    double began = multi_clock_now() - rounds->x->began;
    consort_status status = exchange_each(rounds->x, rounds_launch, rounds);
    if (status == CONSORT_OK)
        status = exchange_each(rounds->x, rounds_read, rounds);
    rounds->done++;
    log_write(LOG_TRACE, "exchange: round %u of the selection: %.6f to %.6f s", rounds->done, began,
              multi_clock_now() - rounds->x->began);
    return status;
}

/* Goes over the digits of a row once for all its ranks, which rise. */
struct rounds_walk {
    uint64_t digit, before;             /* items of lower digits */
    uint64_t below[REQUEST_MOST_PARTS]; /* the same by member */
};

/* The digit of one rank: the first whose items, with those of lower digits, reach beyond it. */
static void rounds_descend(const struct rounds *rounds, struct exchange_rank *rank,
                           struct rounds_walk *walk)
{
    uint32_t members = rounds->x->member_count;
    uint64_t first = (uint64_t)rank->row << rounds->round.bits;
    uint64_t last = ((uint64_t)1 << rounds->round.bits) - 1;
    for (;; walk->digit++) {
        uint64_t items = 0;
        for (uint32_t m = 0; m < members; m++)
            items += rounds->bins[m][first + walk->digit];
        if (rank->left - walk->before < items || walk->digit == last)
            break;
        walk->before += items;
        for (uint32_t m = 0; m < members; m++)
            walk->below[m] += rounds->bins[m][first + walk->digit];
    }
    rank->left -= walk->before;
    rank->code = rank->code << rounds->round.bits | walk->digit;
    for (uint32_t m = 0; m < members; m++) {
        rank->below[m] += walk->below[m];
        rank->equal[m] = rounds->bins[m][first + walk->digit];
    }
}

static void rounds_descend_all(const struct rounds *rounds)
{
    struct rounds_walk walk = {0};
    for (uint32_t j = 0; j < rounds->rank_count; j++) {
        if (j > 0 && rounds->ranks[j].row != rounds->ranks[j - 1].row)
            walk = (struct rounds_walk){0};
        rounds_descend(rounds, &rounds->ranks[j], &walk);
    }
}

static bool rounds_suffice(const struct rounds *rounds, uint64_t few)
{
    uint64_t items = 0;
    for (uint32_t m = 0; m < rounds->x->member_count; m++)
        items += rounds_candidates(rounds, m);
    return rounds->round.shift == 0 || items <= few;
}

consort_status rounds_select(struct rounds *rounds, uint64_t few)
{
    struct exchange_count *round = &rounds->round;
    consort_status status = CONSORT_OK;
    bool first = true;
    round->shift = rounds->x->plan->request.order.pieces[0].codec.bits;
    do {
        uint32_t most = first ? EXCHANGE_FIRST_BITS : EXCHANGE_DIGIT_BITS;
        round->way = first ? EXCHANGE_DIGITS : EXCHANGE_PREFIXED;
        round->bits = round->shift < most ? round->shift : most;
        round->shift -= round->bits;
        rounds_number_rows(rounds->ranks, rounds->rank_count, &round->codes);
        status = rounds_count(rounds);
        if (status == CONSORT_OK)
            rounds_descend_all(rounds);
        rounds_number_rows(rounds->ranks, rounds->rank_count, &round->codes);
        if (status == CONSORT_OK && checkpoint_cancelled(rounds->x->run->checkpoint))
            status = status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled");
        first = false;
    } while (status == CONSORT_OK && !rounds_suffice(rounds, few));
    return status;
}
