/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens inside a core's cache, for one item type: stable LSD passes over the leading digits
 * of a leaf, then a scan that puts the rare remaining inversions right. Included by
 * radix_template.h.
 */

static void RADIX_FN(insertion)(RADIX_ITEM *items, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        RADIX_ITEM item = items[i];
        uint64_t j = i;
        for (; j > 0 && item.key < items[j - 1].key; j--)
            items[j] = items[j - 1];
        items[j] = item;
    }
}

static inline void RADIX_FN(count_each)(const RADIX_VIEW *view, enum radix_place from,
                                        uint64_t first, uint64_t count,
                                        const struct radix_digits *plan, uint32_t digits,
                                        uint32_t *counts)
{
    const uint32_t shift = plan->shift, bits = plan->bits, mask = (1u << bits) - 1;
    RADIX_KEY space[RADIX_BLOCK];
    for (uint64_t i = first, size; i < first + count; i += size) {
        size = radix_block(i, first + count);
        const RADIX_KEY *block = RADIX_FN(read)(view, from, i, size, space);
        for (uint64_t j = 0; j < size; j++) {
            RADIX_KEY code = (RADIX_KEY)(RADIX_FN(code)(view, from, block, i, j) >> shift);
            counts[(uint32_t)code & mask]++;
            if (digits > 1)
                counts[RADIX_LEAF_BUCKETS + ((uint32_t)(code >> bits) & mask)]++;
            if (digits > 2)
                counts[2 * RADIX_LEAF_BUCKETS + ((uint32_t)(code >> 2 * bits) & mask)]++;
        }
    }
}

static inline void RADIX_FN(count_digits)(const RADIX_VIEW *view, enum radix_place from,
                                          uint64_t first, uint64_t count,
                                          const struct radix_digits *plan, uint32_t *counts)
{
    for (uint32_t digit = 0; digit < plan->digits; digit++)
        memset(counts + digit * RADIX_LEAF_BUCKETS, 0, sizeof *counts << plan->bits);
    if (plan->digits == 1)
        RADIX_FN(count_each)(view, from, first, count, plan, 1, counts);
    else if (plan->digits == 2)
        RADIX_FN(count_each)(view, from, first, count, plan, 2, counts);
    else
        RADIX_FN(count_each)(view, from, first, count, plan, 3, counts);
}

static inline void RADIX_FN(leaf_pass)(const RADIX_VIEW *view, enum radix_place from,
                                       uint64_t first, uint64_t count, RADIX_ITEM *to,
                                       uint32_t shift, uint32_t bits, uint32_t *offsets)
{
    const uint32_t mask = (1u << bits) - 1;
    RADIX_KEY space[RADIX_BLOCK];
    for (uint64_t i = first, size; i < first + count; i += size) {
        size = radix_block(i, first + count);
        const RADIX_KEY *block = RADIX_FN(read)(view, from, i, size, space);
        for (uint64_t j = 0; j < size; j++) {
            RADIX_ITEM item = RADIX_FN(item)(view, from, block, i, j);
            to[offsets[(uint32_t)(item.key >> shift) & mask]++] = item;
        }
    }
}

/* Stable passes over the planned digits: the first reads `from`, writes first_to; then first_to and
 * second_to take turns. Returns the one that holds the result. */
static inline RADIX_ITEM *RADIX_FN(leaf_passes)(const RADIX_VIEW *view, enum radix_place from,
                                                uint64_t first, uint64_t count,
                                                const struct radix_digits *plan, uint32_t *counts,
                                                RADIX_ITEM *first_to, RADIX_ITEM *second_to)
{
    RADIX_FN(count_digits)(view, from, first, count, plan, counts);
    RADIX_ITEM *here = NULL, *to = first_to, *other = second_to;
    for (uint32_t digit = 0; digit < plan->digits; digit++) {
        uint32_t *offsets = counts + digit * RADIX_LEAF_BUCKETS;
        uint32_t shift = plan->shift + digit * plan->bits;
        bool last = digit + 1 == plan->digits;
        if (radix_exclusive_sums(offsets, plan->bits, (uint32_t)count) && !(last && !here))
            continue;
        if (!here) {
            RADIX_FN(leaf_pass)(view, from, first, count, to, shift, plan->bits, offsets);
        } else {
            RADIX_VIEW items = {.items = here};
            RADIX_FN(leaf_pass)(&items, RADIX_ITEMS, 0, count, to, shift, plan->bits, offsets);
        }
        here = to;
        to = other;
        other = here;
    }
    return here;
}

static void RADIX_FN(repair)(RADIX_ITEM *items, RADIX_ITEM *other, uint64_t count, uint32_t low,
                             uint32_t *counts);

/* Sorts items[0, count) with other[0, count) to work in. */
static void RADIX_FN(refine)(RADIX_ITEM *items, RADIX_ITEM *other, uint64_t count, uint32_t *counts)
{
    if (count <= RADIX_INSERTION) {
        RADIX_FN(insertion)(items, count);
        return;
    }
    RADIX_KEY varying = 0;
    for (uint64_t i = 1; i < count; i++)
        varying |= (RADIX_KEY)(items[i].key ^ items[0].key);
    struct radix_digits plan = radix_plan_digits(count, radix_bit_width(varying));
    RADIX_VIEW view = {.items = items};
    RADIX_ITEM *here =
        RADIX_FN(leaf_passes)(&view, RADIX_ITEMS, 0, count, &plan, counts, other, items);
    if (here != items)
        memcpy(items, here, count * sizeof *items);
    RADIX_FN(repair)(items, other, count, plan.shift, counts);
}

/* items[0, count) are in order but for the bits below `low`. Each group of equal leading bits that
 * holds an inversion is sorted once, so the work is linear plus that of strictly narrower sorts. */
static void RADIX_FN(repair)(RADIX_ITEM *items, RADIX_ITEM *other, uint64_t count, uint32_t low,
                             uint32_t *counts)
{
    if (low == 0)
        return;
    uint64_t i = 1;
    while (i < count) {
        if (items[i].key >= items[i - 1].key) {
            i++;
            continue;
        }
        RADIX_KEY lead = (RADIX_KEY)(items[i].key >> low);
        uint64_t begin = i - 1, end = i + 1;
        while (begin > 0 && (RADIX_KEY)(items[begin - 1].key >> low) == lead)
            begin--;
        while (end < count && (RADIX_KEY)(items[end].key >> low) == lead)
            end++;
        RADIX_FN(refine)(items + begin, other + begin, end - begin, counts);
        i = end + 1;
    }
}

/* Sorts items that fit the first-level cache, or nearly, from `from` to the output; `first_to` and
 * `second_to` are buffers as in leaf_passes. */
static inline void RADIX_FN(finish)(const RADIX_VIEW *view, enum radix_place from, uint64_t first,
                                    uint64_t count, uint32_t top, RADIX_ITEM *first_to,
                                    RADIX_ITEM *second_to, uint32_t *counts, uint64_t place)
{
    RADIX_ITEM *here = first_to;
    if (count <= RADIX_INSERTION) {
        RADIX_KEY space[RADIX_INSERTION];
        const RADIX_KEY *block = RADIX_FN(read)(view, from, first, count, space);
        for (uint64_t i = 0; i < count; i++)
            here[i] = RADIX_FN(item)(view, from, block, first, i);
        RADIX_FN(insertion)(here, count);
    } else {
        struct radix_digits plan = radix_plan_digits(count, top);
        here = RADIX_FN(leaf_passes)(view, from, first, count, &plan, counts, first_to, second_to);
        RADIX_ITEM *other = here == first_to ? second_to : first_to;
        RADIX_FN(repair)(here, other, count, plan.shift, counts);
    }
    RADIX_FN(put)(view, RADIX_FINAL, place, here, count);
}

#ifdef RADIX_EXCHANGE
#include "cpu/radix_exchange_template.h"
#else
/* One stable pass on the leading digit, then each bucket by itself while it is in the first-level
 * cache. */
static inline void RADIX_FN(split)(const RADIX_VIEW *view, struct radix_scratch *scratch,
                                   enum radix_place from, uint64_t first, uint64_t count,
                                   uint32_t top)
{
    RADIX_ITEM *items = scratch->first;
    struct radix_digits plan = radix_plan_split(count, top);
    uint32_t *ends = scratch->digits + RADIX_LEAF_DIGITS * RADIX_LEAF_BUCKETS;
    uint32_t begin = 0;
    memset(ends, 0, sizeof *ends << plan.bits);
    RADIX_FN(count_each)(view, from, first, count, &plan, 1, ends);
    radix_exclusive_sums(ends, plan.bits, (uint32_t)count);
    RADIX_FN(leaf_pass)(view, from, first, count, items, plan.shift, plan.bits, ends);
    RADIX_VIEW split = *view;
    split.items = items;
    for (uint32_t bucket = 0; bucket < 1u << plan.bits; bucket++) {
        uint32_t end = ends[bucket];
        if (begin < end)
            RADIX_FN(finish)
        (&split, RADIX_ITEMS, begin, end - begin, plan.shift, scratch->second, items + begin,
         scratch->digits, first + begin);
        begin = end;
    }
}
#endif

static inline void RADIX_FN(leaf_from)(const struct radix_state *state,
                                       struct radix_scratch *scratch, enum radix_place from,
                                       uint64_t first, uint64_t count, uint32_t top)
{
    RADIX_VIEW view = RADIX_FN(view_of)(state);
    if (count > RADIX_LEAF_SPLIT)
        RADIX_FN(split)(&view, scratch, from, first, count, top);
    else
        RADIX_FN(finish)
    (&view, from, first, count, top, scratch->first, scratch->second, scratch->digits, first);
}

static void RADIX_FN(leaf)(const struct radix_state *state, struct radix_scratch *scratch,
                           enum radix_place from, uint64_t first, uint64_t count, uint32_t top)
{
    if (from == RADIX_INPUT)
        RADIX_FN(leaf_from)(state, scratch, RADIX_INPUT, first, count, top);
    else if (from == RADIX_ITEMS)
        RADIX_FN(leaf_from)(state, scratch, RADIX_ITEMS, first, count, top);
    else
        RADIX_FN(leaf_from)(state, scratch, RADIX_CODES, first, count, top);
}

static void RADIX_FN(settle)(const struct radix_state *state, enum radix_place from, uint64_t first,
                             uint64_t last)
{
    RADIX_VIEW view = RADIX_FN(view_of)(state);
    RADIX_KEY space[RADIX_BLOCK];
    RADIX_ITEM items[RADIX_BLOCK];
    for (uint64_t i = first, size; i < last; i += size) {
        size = radix_block(i, last);
        const RADIX_KEY *block = RADIX_FN(read)(&view, from, i, size, space);
        for (uint64_t j = 0; j < size; j++)
            items[j] = RADIX_FN(item)(&view, from, block, i, j);
        RADIX_FN(put)(&view, RADIX_FINAL, i, items, size);
    }
}
