/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranges cut by a sample, so that nobody reads all keys but to move them. A range begins at a code
 * that the sample has near the range's place. Of each member's items in a range the sample tells
 * how many to expect; they get room for that and for six deviations more. Only parts begin at exact
 * places: around each there is a seam, from a code that is almost surely below to one above.
 *
 * Where a range is sorted there is room for the pieces of all members, one behind the other. The
 * owner's own piece goes there at once; in front of it and behind it the others' arrive, by when it
 * is known how many they are.
 */
#include "multi/exchange/exchange_estimate.h"

#include <stdlib.h>

#include "core/log.h"
#include "core/status.h"
#include "cuda/carried_values.h"
#include "multi/exchange/exchange_sample.h"

enum {
    ESTIMATE_FEW = 1 << 7,    /* rounds end when one part in so many of the sample is left */
    ESTIMATE_DEVIATIONS = 6,  /* of the number of keys in a sample */
    ESTIMATE_UNEVEN = 4,      /* times the room: how much longer a range may be than it should */
    ESTIMATE_SEAM_SHARE = 2,  /* of a range, that a seam may be expected to have */
    ESTIMATE_NEAR = 2,        /* digits by which a cut may move, */
    ESTIMATE_PASSED = 1 << 9, /* if one part in so many of the sample or less is between */
    ESTIMATE_GRAIN = 32,      /* items: places keep the alignment of the arrays */
    ESTIMATE_LENT = 8,        /* one part in so many is room for ranges of others */
    ESTIMATE_DIGIT_BITS = 8   /* by which most sorts go over keys */
};

/* A range's first code, and how many of each member's sample come before. */
struct estimate_cut {
    uint128 code;
    uint64_t below[REQUEST_MOST_PARTS];
};

struct estimate {
    struct rounds *rounds;
    struct exchange_drawn drawn;
    uint32_t count; /* of ranges and seams */
    struct exchange_rank ranks[EXCHANGE_MOST_SPLITTERS];
    struct estimate_cut cuts[EXCHANGE_MOST_RANGES + 1];      /* in the order of the list */
    uint64_t caps[REQUEST_MOST_PARTS][EXCHANGE_MOST_RANGES]; /* room of a piece, by range */
};

static uint64_t estimate_room(const struct exchange *x)
{
    return (uint64_t)x->plan->parameters[EXCHANGE_PARAMETER_ROOM];
}

/* Columns that follow an index are put in order after it, without gaps. */
bool exchange_may_sample(const struct exchange *x)
{
    struct exchange_drawn drawn;
    for (uint32_t m = 0; m < x->member_count; m++)
        if (x->members[m].part->count == 0)
            return false;
    return x->member_count > 1 && estimate_room(x) > 0 &&
           !carried_values_are_indices(&x->plan->request) && exchange_sample_plan(x, &drawn);
}

/* All of its part, what goes to the others if all is even, and what is borrowed of them. */
uint64_t exchange_items_aside(const struct exchange *x, const struct exchange_member *member)
{
    uint64_t count = member->part->count, parts = x->member_count;
    if (!x->sampled)
        return count;
    return count + count / parts * (parts - 1) + (x->borrows ? count / ESTIMATE_LENT : 0) +
           count * estimate_room(x) / 100 + member->tile_items + ESTIMATE_GRAIN;
}

uint64_t exchange_most_sorted(const struct exchange *x, const struct exchange_member *member)
{
    uint64_t longest = exchange_longest_range(x, member);
    if (!x->sampled)
        return longest;
    uint64_t most = longest + longest * ESTIMATE_UNEVEN * estimate_room(x) / 100;
    return most < x->run->arguments->count ? most : x->run->arguments->count;
}

/* Where items must keep their order pieces are copied once more: for the first range, which waits
 * for what else would arrive, that pays; for the second it costs more (2^29 u32 + 4 bytes on each
 * of two H200: none 17.7 ms, one 17.3, two 17.7). */
static uint32_t estimate_stored(const struct exchange *x)
{
    int64_t stored = x->plan->parameters[EXCHANGE_PARAMETER_STORED];
    return stored > 1 && !exchange_moves_freely(&x->plan->request) ? 1 : (uint32_t)stored;
}

bool exchange_gathers(const struct exchange *x, uint32_t range)
{
    uint32_t owner = exchange_range_owner(x, range);
    /* What another GPU sorts is not where it belongs, even if all reach that one. */
    if (exchange_is_seam(x, range) || exchange_is_lent(x, range) ||
        range % x->ranges >= estimate_stored(x))
        return false;
    for (uint32_t m = 0; m < x->member_count; m++)
        if (!(x->members[m].gathered >> owner & 1))
            return false;
    return true;
}

/* The place in the sample of where range k of the list begins; a seam begins below the place where
 * the next part does, and the part's first range above. */
static uint64_t estimate_place(const struct exchange *x, const struct estimate *e, uint32_t k)
{
    uint32_t part = k / (x->ranges + 1), turn = k % (x->ranges + 1);
    uint64_t begin = exchange_range_begin(x, part * x->ranges + turn) / e->drawn.stride;
    uint64_t spread = exchange_sample_spread(&e->drawn), last = e->drawn.samples - 1;
    if (turn == x->ranges)
        return begin > spread ? begin - spread : 0;
    uint64_t place = turn == 0 ? begin + spread : begin;
    return place < last ? place : last;
}

static consort_status estimate_sample(const struct exchange *x, struct estimate *e)
{
    struct rounds *rounds = e->rounds;
    rounds->ranks = e->ranks;
    rounds->rank_count = e->count - 1;
    for (uint32_t k = 1; k < e->count; k++)
        e->ranks[k - 1].left = estimate_place(x, e, k);
    consort_status status = exchange_sample_draw(rounds, &e->drawn);
    return status == CONSORT_OK ? rounds_select(rounds, e->drawn.samples / ESTIMATE_FEW) : status;
}

/* Whether the cut is behind the codes that begin as the rank's does, not before them: behind a
 * seam, not before one, else on the nearer side. */
static bool estimate_behind(const struct exchange *x, const struct exchange_rank *rank, uint32_t k)
{
    uint32_t turn = k % (x->ranges + 1);
    uint64_t equal = 0;
    for (uint32_t m = 0; m < x->member_count; m++)
        equal += rank->equal[m];
    return turn == 0 || (turn < x->ranges && rank->left > equal / 2);
}

/* Where one digit tells, as of even codes, ranges begin at the roundest near: one that does not
 * reach across a multiple of a large power of two has fewer bits that vary, and sorts by digits
 * have finer buckets. */
static void estimate_round(const struct exchange *x, const struct estimate *e,
                           struct estimate_cut *cut)
{
    const struct rounds *rounds = e->rounds;
    uint64_t at = (uint64_t)(cut->code >> rounds->round.shift), best = at, passed = 0;
    uint64_t digits = (uint64_t)1 << rounds->round.bits;
    for (uint64_t near = at > ESTIMATE_NEAR ? at - ESTIMATE_NEAR : 1;
         near <= at + ESTIMATE_NEAR && near < digits; near++)
        if (__builtin_ctzll(near) > __builtin_ctzll(best))
            best = near;
    uint64_t low = at < best ? at : best, high = at < best ? best : at;
    for (uint32_t m = 0; m < x->member_count; m++)
        for (uint64_t digit = low; digit < high; digit++)
            passed += rounds->bins[m][digit];
    if (passed > e->drawn.samples / ESTIMATE_PASSED)
        return;
    for (uint32_t m = 0; m < x->member_count; m++)
        for (uint64_t digit = low; digit < high; digit++)
            cut->below[m] += at < best ? rounds->bins[m][digit] : -rounds->bins[m][digit];
    cut->code = (uint128)best << rounds->round.shift;
}

/* Of the codes the first bits are known. False: there is no code behind the last. */
static bool estimate_cut(const struct exchange *x, struct estimate *e)
{
    uint32_t shift = e->rounds->round.shift;
    uint32_t bits = x->plan->request.order.pieces[0].codec.bits - shift;
    for (uint32_t k = 1; k < e->count; k++) {
        const struct exchange_rank *rank = &e->ranks[k - 1];
        bool behind = estimate_behind(x, rank, k);
        if (behind && rank->code == (((uint128)1 << (bits - 1)) - 1) * 2 + 1)
            return false;
        e->cuts[k].code = (rank->code + (behind ? 1 : 0)) << shift;
        for (uint32_t m = 0; m < x->member_count; m++)
            e->cuts[k].below[m] = rank->below[m] + (behind ? rank->equal[m] : 0);
        uint32_t turn = k % (x->ranges + 1);
        if (e->rounds->done == 1 && turn > 0 && turn < x->ranges && e->cuts[k].code > 0)
            estimate_round(x, e, &e->cuts[k]);
        if (e->cuts[k].code < e->cuts[k - 1].code)
            e->cuts[k] = e->cuts[k - 1];
    }
    for (uint32_t m = 0; m < x->member_count; m++)
        e->cuts[e->count].below[m] = exchange_sample_share(&e->drawn, x->members[m].part->count);
    return true;
}

/* Ranges that begin at the same code as the next are empty. */
static void estimate_classify(struct exchange *x, const struct estimate *e)
{
    x->splitters.count = 0;
    x->splitters.each = 1;
    for (uint32_t k = 0; k < e->count; k++) {
        if (k > 0 && e->cuts[k].code > e->cuts[k - 1].code)
            rounds_add_code(&x->splitters, e->cuts[k].code);
        bool empty = k + 1 < e->count && e->cuts[k].code == e->cuts[k + 1].code;
        x->classes[exchange_range_at(x, k)] =
            empty ? (uint32_t)EXCHANGE_CLASSES : x->splitters.count;
    }
}

/* What to expect, and room for chance. */
static uint64_t estimate_cap(const struct estimate *e, uint32_t m, uint32_t k)
{
    uint64_t samples = e->cuts[k + 1].below[m] - e->cuts[k].below[m];
    uint64_t chance = ESTIMATE_DEVIATIONS * (exchange_root(samples) + ESTIMATE_DEVIATIONS);
    uint64_t items = (samples + chance) * e->drawn.stride;
    uint64_t count = e->rounds->x->members[m].part->count;
    uint64_t most = items < count ? items : count;
    return (most + ESTIMATE_GRAIN - 1) / ESTIMATE_GRAIN * ESTIMATE_GRAIN;
}

/* False: a range would be too long. */
static bool estimate_fill(const struct exchange *x, struct estimate *e)
{
    for (uint32_t k = 0; k < e->count; k++) {
        uint32_t range = exchange_range_at(x, k);
        const struct exchange_member *owner = &x->members[exchange_range_owner(x, range)];
        uint64_t samples = 0, room = 0;
        for (uint32_t m = 0; m < x->member_count; m++) {
            bool empty = x->classes[range] == EXCHANGE_CLASSES;
            e->caps[m][range] = empty ? 0 : estimate_cap(e, m, k);
            room += e->caps[m][range];
            samples += e->cuts[k + 1].below[m] - e->cuts[k].below[m];
        }
        bool seam = exchange_is_seam(x, range);
        uint64_t longest = exchange_longest_range(x, owner) / (seam ? ESTIMATE_SEAM_SHARE : 1);
        if (room > owner->sort.plan.request.maximum_count ||
            (seam && samples * e->drawn.stride > longest))
            return false;
    }
    return true;
}

static void estimate_put(struct exchange_member *member, const struct estimate *e, uint32_t m,
                         uint32_t range, uint64_t begin)
{
    member->pieces[range] = (struct exchange_stretch){begin, begin};
    member->room[range] = begin + e->caps[m][range];
}

/* Room on a member's device: for all pieces of its own ranges, then for what goes to others. */
static bool estimate_lay_out(struct exchange *x, const struct estimate *e, uint32_t own)
{
    uint64_t end = 0;
    for (uint32_t range = 0; range < e->count; range++) {
        if (exchange_range_owner(x, range) != own)
            continue;
        for (uint32_t m = 0; m < x->member_count; m++) {
            if (m == own || exchange_gathers(x, range))
                estimate_put(&x->members[m], e, m, range, end);
            end += e->caps[m][range];
        }
    }
    for (uint32_t range = 0; range < e->count; range++)
        if (exchange_range_owner(x, range) != own && !exchange_gathers(x, range)) {
            estimate_put(&x->members[own], e, own, range, end);
            end += e->caps[own][range];
        }
    x->members[own].spare = end;
    return end + x->members[own].tile_items <= x->members[own].aside;
}

static bool estimate_lay_out_all(struct exchange *x, const struct estimate *e)
{
    bool fits = true;
    for (uint32_t m = 0; m < x->member_count && fits; m++)
        fits = estimate_lay_out(x, e, m);
    return fits;
}

/* Digits in which the codes of a range may differ. How far those of the first and the last range
 * reach nobody knows: they are taken to be like their neighbours. */
static uint32_t estimate_digits(const struct estimate *e, uint32_t k)
{
    uint32_t like = k == 0 ? 1 : k + 1 < e->count ? k : k - 1, digits = 0;
    uint128 differ = e->cuts[like].code ^ (e->cuts[like + 1].code - 1);
    if (e->cuts[like].code == e->cuts[like + 1].code)
        return 0;
    for (; differ > 0; differ >>= ESTIMATE_DIGIT_BITS)
        digits++;
    return digits;
}

/* A range takes longer the more items it has, and the more digits in which they differ: with one
 * less, three fifths as long (zipf keys on two H200, ranges of 2^30 bytes: 2^28 u32 2.2 and 4.0 ms,
 * 2^27 u64 2.2 and 3.9, u32 + 4 bytes 2.5 and 3.6). */
static void estimate_work(const struct exchange *x, const struct estimate *e,
                          struct exchange_work *works)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < e->count; k++)
        most = estimate_digits(e, k) > most ? estimate_digits(e, k) : most;
    for (uint32_t k = 0; k < e->count; k++) {
        uint32_t range = exchange_range_at(x, k);
        struct exchange_work work = {0};
        for (uint32_t m = 0; m < x->member_count; m++) {
            work.cost += (double)(e->cuts[k + 1].below[m] - e->cuts[k].below[m]);
            work.room += e->caps[m][range];
        }
        for (uint32_t digits = estimate_digits(e, k); digits < most; digits++)
            work.cost *= 0.6;
        works[range] = work;
    }
}

/* Where there is no room for what others lend nothing is lent. */
static bool estimate_share_out(struct exchange *x, const struct estimate *e)
{
    struct exchange_work works[EXCHANGE_MOST_RANGES];
    estimate_work(x, e, works);
    exchange_lend(x, works);
    if (estimate_lay_out_all(x, e))
        return true;
    x->lends = false;
    return estimate_lay_out_all(x, e);
}

static consort_status estimate_run(struct exchange *x, struct estimate *e, bool *found)
{
    e->count = exchange_range_count(x);
    if (e->count > EXCHANGE_MOST_RANGES || x->rank_count != x->member_count * x->ranges - 1 ||
        !exchange_sample_plan(x, &e->drawn) || !exchange_sample_tells_apart(x, &e->drawn))
        return CONSORT_OK;
    consort_status status = estimate_sample(x, e);
    if (status != CONSORT_OK || !estimate_cut(x, e))
        return status;
    estimate_classify(x, e);
    *found = estimate_fill(x, e) && estimate_share_out(x, e);
    return CONSORT_OK;
}

struct estimate *estimate_create(void)
{
    return malloc(sizeof(struct estimate));
}

consort_status estimate_select(struct rounds *rounds, bool *found)
{
    struct estimate *e = rounds->x->estimate;
    *e = (struct estimate){.rounds = rounds};
    *found = false;
    consort_status status = estimate_run(rounds->x, e, found);
    if (!*found)
        log_write(LOG_TRACE, "exchange: the sample leaves too little room: ranges are cut exactly");
    return status;
}
