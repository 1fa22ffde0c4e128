/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A selection that reads everything once. By a sample each rank lies, almost surely, between two
 * codes that stand close together: its bracket. One count of what is below, in and above the
 * brackets keeps what is in them, and the rounds that follow read only that. If a rank is not where
 * the sample said, nothing is lost but the time.
 */
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "cuda/codec_constants.h"
#include "multi/exchange/exchange_brackets.h"
#include "multi/exchange/exchange_sample.h"

enum {
    BRACKETS_FEW = 1 << 6 /* rounds end when one part in so many of the sample is left */
};

struct brackets {
    struct rounds *rounds;
    struct exchange_drawn drawn;
    struct exchange_rank ranks[EXCHANGE_MOST_SPLITTERS]; /* of the sample, then of what was kept */
    uint128 ends[EXCHANGE_MOST_SPLITTERS];               /* the first and the last code of each */
};

/* Whether brackets are worth it, and apart. */
static bool brackets_suit(const struct exchange *x, struct brackets *b)
{
    return exchange_sample_plan(x, &b->drawn) && 2 * x->rank_count <= EXCHANGE_MOST_SPLITTERS &&
           exchange_sample_tells_apart(x, &b->drawn);
}

/* Draws, and finds the codes around each rank, or the first bits of them. */
static consort_status brackets_sample(struct exchange *x, struct brackets *b)
{
    struct rounds *rounds = b->rounds;
    uint64_t spread = exchange_sample_spread(&b->drawn), last = b->drawn.samples - 1;
    for (uint32_t j = 0; j < x->rank_count; j++) {
        uint64_t place = x->ranks[j].left / b->drawn.stride;
        uint64_t high = place + spread < last ? place + spread : last;
        b->ranks[2 * j].left = place > spread ? place - spread : 0;
        b->ranks[2 * j + 1].left = high;
    }
    rounds->ranks = b->ranks;
    rounds->rank_count = 2 * x->rank_count;
    consort_status status = exchange_sample_draw(rounds, &b->drawn);
    if (status == CONSORT_OK)
        status = rounds_select(rounds, b->drawn.samples / BRACKETS_FEW);
    uint32_t shift = rounds->round.shift;
    uint128 rest = ((uint128)1 << shift) - 1;
    for (uint32_t i = 0; i < 2 * x->rank_count && status == CONSORT_OK; i++)
        b->ends[i] = b->ranks[i].code << shift | (i % 2 ? rest : 0);
    return status;
}

/* Splitters at both ends of each bracket; those that touch become one. What is strictly between is
 * kept; of what equals an end the count is enough. */
static void brackets_split(const struct brackets *b, uint32_t count, struct exchange_count *round)
{
    round->codes.count = 0;
    memset(round->keeps, 0, sizeof round->keeps);
    for (uint32_t j = 0; j < count;) {
        uint128 low = b->ends[2 * j], high = b->ends[2 * j + 1];
        for (j++; j < count && b->ends[2 * j] <= high; j++)
            high = b->ends[2 * j + 1] > high ? b->ends[2 * j + 1] : high;
        uint32_t between = 2 * rounds_add_code(&round->codes, low) + 2;
        if (low == high)
            continue;
        rounds_add_code(&round->codes, high);
        round->keeps[between / 32] |= 1u << between % 32;
    }
}

static uint128 brackets_splitter(const struct exchange_codes *codes, uint32_t place)
{
    return (uint128)codes->words[place][1] << 64 | codes->words[place][0];
}

/* A rank's class. If it equals a splitter it is found. If it was kept, the rank is now one among
 * all that was, and what comes before of that is not counted yet. *strays: neither. */
static bool brackets_descend(const struct rounds *rounds, struct exchange_rank *rank, bool *strays)
{
    const struct exchange_count *round = &rounds->round;
    uint32_t members = rounds->x->member_count;
    uint64_t kept[REQUEST_MOST_PARTS] = {0}, all_kept = 0;
    for (uint32_t class = 0; class <= 2 * round->codes.count; class ++) {
        bool keeps = round->keeps[class / 32] >> class % 32 & 1;
        uint64_t items = 0;
        for (uint32_t m = 0; m < members; m++)
            items += rounds->bins[m][class];
        if (rank->left < items) {
            bool found = class % 2 == 1;
            *strays |= !found && !keeps;
            rank->left += all_kept;
            if (found)
                rank->code = brackets_splitter(&round->codes, class / 2);
            for (uint32_t m = 0; m < members && found; m++) {
                rank->below[m] += kept[m];
                rank->equal[m] = rounds->bins[m][class];
            }
            return found;
        }
        rank->left -= items;
        all_kept += keeps ? items : 0;
        for (uint32_t m = 0; m < members; m++)
            *(keeps ? &kept[m] : &rank->below[m]) += rounds->bins[m][class];
    }
    *strays = true;
    return false;
}

/* Counts everything once, and finds what is left among what was kept. */
static consort_status brackets_count(struct exchange *x, struct brackets *b, bool *strays)
{
    struct rounds *rounds = b->rounds;
    struct exchange_rank *finding[EXCHANGE_MOST_SPLITTERS];
    rounds_of_all(rounds);
    rounds->round.way = EXCHANGE_CLASSED;
    brackets_split(b, x->rank_count, &rounds->round);
    consort_status status = rounds_count(rounds);
    rounds->rank_count = 0;
    for (uint32_t j = 0; j < x->rank_count && status == CONSORT_OK; j++)
        if (!brackets_descend(rounds, &x->ranks[j], strays))
            finding[rounds->rank_count++] = &x->ranks[j];
    for (uint32_t k = 0; k < rounds->rank_count; k++)
        b->ranks[k] = *finding[k];
    if (status != CONSORT_OK || *strays || rounds->rank_count == 0)
        return status;
    status = rounds_select(rounds, 0);
    for (uint32_t k = 0; k < rounds->rank_count; k++)
        *finding[k] = b->ranks[k];
    return status;
}

struct brackets *brackets_create(void)
{
    return malloc(sizeof(struct brackets));
}

consort_status brackets_select(struct rounds *rounds, bool *found)
{
    struct exchange *x = rounds->x;
    struct brackets *b = x->brackets;
    bool strays = false;
    *b = (struct brackets){.rounds = rounds};
    *found = false;
    consort_status status = CONSORT_OK;
    if (brackets_suit(x, b)) {
        status = brackets_sample(x, b);
        if (status == CONSORT_OK)
            status = brackets_count(x, b, &strays);
        *found = status == CONSORT_OK && !strays;
    }
    return status;
}
