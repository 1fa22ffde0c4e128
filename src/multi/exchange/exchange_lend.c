/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who sorts which range, where a sample cuts them. Parts of equal length can take very different
 * times: of zipf keys one GPU gets a few numbers many times, the other many numbers. So a GPU with
 * less to do borrows ranges, and what it has sorted is copied to where it belongs while it sorts
 * the next.
 */
#include "multi/exchange/exchange.h"

enum {
    LEND_WORTH = 12 /* of what the longest takes, one part in so many must be saved */
};

/* Two parts of one device have nothing to lend, and their copies are on the stream by which ranges
 * go back. */
static bool lend_may(const struct exchange *x)
{
    for (uint32_t m = 0; m < x->member_count; m++)
        for (uint32_t other = 0; other < m; other++)
            if (x->members[m].device == x->members[other].device)
                return false;
    return true;
}

static void lend_sum(const struct exchange *x, const struct exchange_work *works, double *sums)
{
    for (uint32_t m = 0; m < x->member_count; m++)
        sums[m] = 0.0;
    for (uint32_t range = 0; range < exchange_range_count(x); range++)
        sums[x->owners[range]] += works[range].cost;
}

/* The range of `from` with which both are done first; EXCHANGE_NO_RANGE: none is worth it. What all
 * put aside where it is sorted is what its GPU begins with, and stays. */
static uint32_t lend_best(const struct exchange *x, const struct exchange_work *works,
                          const double *sums, uint32_t from, uint32_t to)
{
    double least = sums[from] - sums[from] / LEND_WORTH;
    uint64_t most = x->members[to].sort.plan.request.maximum_count;
    uint32_t best = EXCHANGE_NO_RANGE;
    for (uint32_t range = from * x->ranges; range < (from + 1) * x->ranges; range++) {
        double cost = works[range].cost, left = sums[from] - cost, got = sums[to] + cost;
        double longer = left > got ? left : got;
        if (x->owners[range] != from || exchange_gathers(x, range) || works[range].room > most ||
            longer > least)
            continue;
        least = longer;
        best = range;
    }
    return best;
}

void exchange_lend(struct exchange *x, const struct exchange_work *works)
{
    double sums[REQUEST_MOST_PARTS];
    uint32_t lent = 0;
    for (uint32_t range = 0; range < exchange_range_count(x); range++)
        x->owners[range] = exchange_range_home(x, range);
    while (lend_may(x) && lent < x->member_count * x->ranges) {
        uint32_t from = 0, to = 0;
        lend_sum(x, works, sums);
        for (uint32_t m = 1; m < x->member_count; m++) {
            from = sums[m] > sums[from] ? m : from;
            to = sums[m] < sums[to] ? m : to;
        }
        uint32_t range = lend_best(x, works, sums, from, to);
        if (range == EXCHANGE_NO_RANGE)
            return;
        x->owners[range] = to;
        x->lends = true;
        lent++;
    }
}
