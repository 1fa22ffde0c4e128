/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selection over sorted runs. Every run has a window that its cut lies in; an item out of a window
 * is compared with all runs, and by its rank either what is before it or what is after it leaves
 * the windows. A drawn item halves them on average, so that 2^32 items take some 40 rounds of one
 * binary search a run.
 */
#include "multi/multi_cuts.h"

struct cuts_pivot {
    uint32_t run;
    uint64_t place;
    const char *item;
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

/* How many items of a run come before the pivot, known to lie in low … high. */
static uint64_t cuts_before(const struct multi_runs *runs, const struct cuts_pivot *pivot,
                            uint32_t run, uint64_t low, uint64_t high)
{
    if (run == pivot->run)
        return pivot->place;
    int most = run < pivot->run ? 0 : -1; /* equal items of an earlier run come before */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (order_compare(runs->order, cuts_item(runs, run, middle), pivot->item) <= most)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The item that stands at `place` when the windows are laid end to end. */
static struct cuts_pivot cuts_draw(const struct multi_runs *runs, const uint64_t *low,
                                   const uint64_t *high, uint64_t place)
{
    uint32_t run = 0;
    while (place >= high[run] - low[run]) {
        place -= high[run] - low[run];
        run++;
    }
    return (struct cuts_pivot){run, low[run] + place, cuts_item(runs, run, low[run] + place)};
}

/* One round. Items before the pivot are among the first `rank`, or none after it is. */
static void cuts_narrow(const struct multi_runs *runs, uint64_t rank, uint64_t *low, uint64_t *high,
                        const struct cuts_pivot *pivot)
{
    uint64_t *places = high + runs->run_count;
    uint64_t before = 0;
    for (uint32_t r = 0; r < runs->run_count; r++)
        before += places[r] = cuts_before(runs, pivot, r, low[r], high[r]);
    uint64_t *side = before < rank ? low : high;
    for (uint32_t r = 0; r < runs->run_count; r++)
        side[r] = places[r];
    if (before < rank)
        low[pivot->run]++; /* the pivot itself */
}

void multi_cuts_find(const struct multi_runs *runs, uint64_t rank, uint64_t *cuts, uint64_t *spare)
{
    uint64_t *low = cuts, *high = spare;
    uint64_t first = 0, last = 0; /* of all windows together */
    for (uint32_t r = 0; r < runs->run_count; r++) {
        low[r] = 0;
        last += high[r] = cuts_length(runs, r);
    }
    for (uint64_t draw = rank; first < rank && rank < last;) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        struct cuts_pivot pivot = cuts_draw(runs, low, high, (draw >> 16) % (last - first));
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
