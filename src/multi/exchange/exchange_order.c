/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges and seams by their numbers. */
#include "multi/exchange/exchange.h"

uint32_t exchange_range_count(const struct exchange *x)
{
    return x->member_count * x->ranges + (x->sampled ? x->member_count - 1 : 0);
}

uint32_t exchange_range_at(const struct exchange *x, uint32_t k)
{
    if (!x->sampled)
        return k;
    uint32_t part = k / (x->ranges + 1), turn = k % (x->ranges + 1);
    return turn < x->ranges ? part * x->ranges + turn : x->member_count * x->ranges + part;
}

bool exchange_is_seam(const struct exchange *x, uint32_t range)
{
    return range >= x->member_count * x->ranges;
}

uint32_t exchange_range_home(const struct exchange *x, uint32_t range)
{
    return exchange_is_seam(x, range) ? range - x->member_count * x->ranges : range / x->ranges;
}

uint32_t exchange_range_owner(const struct exchange *x, uint32_t range)
{
    return x->lends ? x->owners[range] : exchange_range_home(x, range);
}

bool exchange_is_lent(const struct exchange *x, uint32_t range)
{
    return exchange_range_owner(x, range) != exchange_range_home(x, range);
}

struct exchange_stretch exchange_range_extent(const struct exchange *x, uint32_t range)
{
    return x->sampled ? x->extents[range]
                      : (struct exchange_stretch){exchange_range_begin(x, range),
                                                  exchange_range_begin(x, range + 1)};
}

uint64_t exchange_piece_offset(const struct exchange *x, const struct exchange_member *from,
                               uint32_t range)
{
    uint64_t items = 0;
    for (const struct exchange_member *before = x->members; before < from; before++)
        items += before->pieces[range].end - before->pieces[range].begin;
    return items;
}
