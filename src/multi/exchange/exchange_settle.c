/* SPDX-License-Identifier: Apache-2.0 */
/* A sampled run's ranges, when items have moved: how long pieces are, and where ranges begin. */
#include "cuda/carried_values.h"
#include "multi/exchange/exchange.h"

/* What a kernel told of a class: the place behind its last item, or how many items it has. */
static uint64_t settle_end(const struct exchange *x, const struct exchange_member *member,
                           uint32_t range)
{
    uint64_t told = member->told[x->classes[range]];
    return exchange_moves_freely(&x->plan->request)
               ? told
               : member->pieces[range].begin + (told & EXCHANGE_SUM);
}

/* False: a piece had no room. */
static bool settle_pieces(const struct exchange *x, struct exchange_member *member)
{
    for (uint32_t range = 0; range < exchange_range_count(x); range++) {
        struct exchange_stretch *piece = &member->pieces[range];
        if (x->classes[range] != EXCHANGE_CLASSES)
            piece->end = settle_end(x, member, range);
        if (piece->end > member->room[range])
            return false;
    }
    return true;
}

/* False: too many items for the sort, or a part that does not begin in its seam. */
static bool settle_range(struct exchange *x, uint32_t range, uint64_t begin, uint64_t *end)
{
    uint32_t owner = exchange_range_owner(x, range);
    uint64_t items = 0;
    for (uint32_t m = 0; m < x->member_count; m++)
        items += x->members[m].pieces[range].end - x->members[m].pieces[range].begin;
    *end = begin + items;
    x->extents[range] = (struct exchange_stretch){begin, *end};
    if (items > x->members[owner].sort.plan.request.maximum_count)
        return false;
    if (!exchange_is_seam(x, range))
        return true;
    uint64_t border = x->members[owner + 1].first;
    return begin <= border && border <= *end;
}

bool exchange_settle(struct exchange *x)
{
    uint64_t end = 0;
    for (uint32_t m = 0; m < x->member_count; m++)
        if (!settle_pieces(x, &x->members[m]))
            return false;
    for (uint32_t k = 0; k < exchange_range_count(x); k++)
        if (!settle_range(x, exchange_range_at(x, k), end, &end))
            return false;
    return true;
}
