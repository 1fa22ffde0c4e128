/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selection over sorted runs. Every run has a window that its cut lies in; an item out of a window
 * is compared with all runs, and by its rank either what is before it or what is after it leaves
 * the windows. Where the runs are alike, the item a little after the wanted share of one window
 * and then the one a little before it leave little more than the square root of the windows (the
 * sampling of Floyd and Rivest, CACM 18, 1975); an item drawn anywhere halves them on average,
 * whatever the runs. The searches of all runs go a step at a time together, because each step of
 * one misses the caches.
 */
#include "multi/multi_cuts.h"

struct cuts_pivot {
    uint32_t run;
    uint64_t place;
    const char *item;
};

/* What a round draws its item by. */
enum cuts_draw {
    CUTS_AFTER,
    CUTS_BEFORE,
    CUTS_ANYWHERE,
    CUTS_DRAWS
};

static const char *cuts_item(const struct multi_runs *runs, uint32_t run, uint64_t place)
{
    return runs->items + (run * runs->run_items + place) * runs->order->item_bytes;
}

static uint64_t cuts_length(const struct multi_runs *runs, uint32_t run)
{
    uint64_t left = runs->count - run * runs->run_items;
    return left < runs->run_items ? left : runs->run_items;
}

static uint64_t cuts_middle(uint64_t low, uint64_t high)
{
    return low + (high - low) / 2;
}

/* How many items of each run come before the pivot, known to lie in low … high, and of all of
 * them. `ends` is spare. */
static uint64_t cuts_before(const struct multi_runs *runs, const struct cuts_pivot *pivot,
                            const uint64_t *low, const uint64_t *high, uint64_t *places,
                            uint64_t *ends)
{
    uint64_t before = 0;
    bool more = true;
    for (uint32_t r = 0; r < runs->run_count; r++) {
        places[r] = r == pivot->run ? pivot->place : low[r];
        ends[r] = r == pivot->run ? pivot->place : high[r];
    }
    while (more) {
        more = false;
        for (uint32_t r = 0; r < runs->run_count; r++) {
            if (places[r] == ends[r])
                continue;
            int most = r < pivot->run ? 0 : -1; /* equal items of an earlier run come before */
            uint64_t middle = cuts_middle(places[r], ends[r]);
            if (order_compare(runs->order, cuts_item(runs, r, middle), pivot->item) <= most)
                places[r] = middle + 1;
            else
                ends[r] = middle;
            __builtin_prefetch(cuts_item(runs, r, cuts_middle(places[r], ends[r])));
            more = true;
        }
    }
    for (uint32_t r = 0; r < runs->run_count; r++)
        before += places[r];
    return before;
}

static uint64_t cuts_root(uint64_t square)
{
    uint64_t root = 1;
    while (root * root < square)
        root *= 2;
    return root;
}

/* Where in a window of so many items the drawn item stands, for the wanted share of all windows. */
static uint64_t cuts_aim(uint64_t window, double share, enum cuts_draw draw, uint64_t anywhere)
{
    uint64_t aim = (uint64_t)(share * (double)window), margin = cuts_root(window);
    if (draw == CUTS_ANYWHERE)
        return anywhere;
    if (draw == CUTS_BEFORE)
        return aim > margin ? aim - margin : 0;
    return margin < window - aim ? aim + margin : window - 1;
}

/* An item of the run in whose window the place lies when the windows are laid end to end. */
static struct cuts_pivot cuts_choose(const struct multi_runs *runs, const uint64_t *low,
                                     const uint64_t *high, uint64_t place, double share,
                                     enum cuts_draw draw)
{
    uint32_t run = 0;
    while (place >= high[run] - low[run]) {
        place -= high[run] - low[run];
        run++;
    }
    place = low[run] + cuts_aim(high[run] - low[run], share, draw, place);
    return (struct cuts_pivot){run, place, cuts_item(runs, run, place)};
}

/* One round. Items before the pivot are among the first `rank`, or none after it is. */
static void cuts_narrow(const struct multi_runs *runs, uint64_t rank, uint64_t *low, uint64_t *high,
                        const struct cuts_pivot *pivot)
{
    uint64_t *places = high + runs->run_count;
    uint64_t before = cuts_before(runs, pivot, low, high, places, places + runs->run_count);
    uint64_t *side = before < rank ? low : high;
    for (uint32_t r = 0; r < runs->run_count; r++)
        side[r] = places[r];
    if (before < rank)
        low[pivot->run]++; /* the pivot itself */
}

void multi_cuts_find(const struct multi_runs *runs, uint64_t rank, uint64_t *cuts, uint64_t *spare)
{
    uint64_t *low = cuts, *high = spare;
    uint64_t first = 0, last = 0, random = rank; /* first, last: of all windows together */
    for (uint32_t r = 0; r < runs->run_count; r++) {
        low[r] = 0;
        last += high[r] = cuts_length(runs, r);
    }
    for (uint32_t round = 0; first < rank && rank < last; round++) {
        double share = (double)(rank - first) / (double)(last - first);
        random = random * 6364136223846793005u + 1442695040888963407u;
        struct cuts_pivot pivot = cuts_choose(runs, low, high, (random >> 16) % (last - first),
                                              share, (enum cuts_draw)(round % CUTS_DRAWS));
        cuts_narrow(runs, rank, low, high, &pivot);
        first = last = 0;
        for (uint32_t r = 0; r < runs->run_count; r++) {
            first += low[r];
            last += high[r];
        }
    }
    for (uint32_t r = 0; r < runs->run_count && first < rank; r++)
        cuts[r] = high[r];
}
