/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Radix exchange for codes alone (Hildebrandt & Isbitz 1959): a range is partitioned in place by
 * its leading varying bit, again and again, until it fits the first-level cache. That reads and
 * writes a key less dearly than counting and scattering it, wherever partitions are vectorized.
 * Included by radix_template.h.
 */

enum {
    RADIX_FN(lanes) = 64 / sizeof(RADIX_KEY),
    RADIX_FN(stride) = 4 * RADIX_FN(lanes) /* taken from one end at once */
};

/* Returns the number of codes without the bit; at least two strides in all. The first and the last
 * stride wait in registers, so that each end always has room for one more than was taken there. */
static uint64_t RADIX_FN(partition)(RADIX_ITEM *items, uint64_t count, uint32_t bit)
{
    RADIX_KEY *const keys = &items->key;
    const uint64_t lanes = RADIX_FN(lanes), stride = RADIX_FN(stride);
    const __m512i mask = RADIX_EXCHANGE(bit)(bit);
    uint64_t whole = count - count % stride;
    RADIX_KEY *front = keys, *back = keys + count, *left = keys + stride,
              *right = keys + whole - stride;
    RADIX_KEY rest[RADIX_FN(stride)];
    __m512i held[8], taken[4];
    memcpy(rest, keys + whole, (count - whole) * sizeof *rest);
    for (uint32_t i = 0; i < 4; i++) {
        held[i] = _mm512_loadu_si512(keys + i * lanes);
        held[4 + i] = _mm512_loadu_si512(right + i * lanes);
    }
    while (left < right) {
        bool from_left = left - front <= back - right;
        right -= from_left ? 0 : stride;
        const RADIX_KEY *from = from_left ? left : right;
        left += from_left ? stride : 0;
        for (uint32_t i = 0; i < 4; i++)
            taken[i] = _mm512_loadu_si512(from + i * lanes);
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t few = RADIX_EXCHANGE(part)(front, back, taken[i], mask);
            front += few;
            back -= lanes - few;
        }
    }
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t few = RADIX_EXCHANGE(part)(front, back, held[i], mask);
        front += few;
        back -= lanes - few;
    }
    for (uint64_t i = 0; i < count - whole; i++)
        *(rest[i] >> bit & 1 ? --back : front++) = rest[i];
    return (uint64_t)(front - keys);
}

/* The number of bits below the lowest in which all agree. */
static uint32_t RADIX_FN(top)(const RADIX_ITEM *items, uint64_t count)
{
    RADIX_KEY varying = 0;
    for (uint64_t i = 1; i < count; i++)
        varying |= (RADIX_KEY)(items[i].key ^ items[0].key);
    return radix_bit_width(varying);
}

/* Sorts view->items[first, last), equal above bit `top`, into the output from `place` on. */
static void RADIX_FN(exchange_range)(const RADIX_VIEW *view, struct radix_scratch *scratch,
                                     uint64_t first, uint64_t last, uint32_t top, uint64_t place)
{
    RADIX_ITEM *items = view->items + first;
    uint64_t count = last - first;
    if (top == 0) {
        RADIX_FN(put)(view, RADIX_FINAL, place, items, count);
        return;
    }
    if (count <= RADIX_LEAF_TARGET) {
        RADIX_FN(finish)
        (view, RADIX_ITEMS, first, count, top, scratch->second, items, scratch->digits, place);
        return;
    }
    uint64_t low = RADIX_FN(partition)(items, count, top - 1), few = count / RADIX_FEW;
    /* A bit that tells few apart may stand above many that tell nothing. */
    uint32_t low_top = count - low > few ? top - 1 : RADIX_FN(top)(items, low);
    uint32_t high_top = low > few ? top - 1 : RADIX_FN(top)(items + low, count - low);
    RADIX_FN(exchange_range)(view, scratch, first, first + low, low_top, place);
    RADIX_FN(exchange_range)(view, scratch, first + low, last, high_top, place + low);
}

/* Sorts [first, first + count) of `from`, equal above bit `top`, with room for it in `items`, or in
 * its place if `from` is the workspace. */
static inline void RADIX_FN(exchange_from)(const RADIX_VIEW *view, struct radix_scratch *scratch,
                                           enum radix_place from, RADIX_ITEM *items, uint64_t first,
                                           uint64_t count, uint32_t top)
{
    RADIX_VIEW here = *view;
    RADIX_KEY space[RADIX_BLOCK];
    if (from == RADIX_ITEMS) {
        RADIX_FN(exchange_range)(view, scratch, first, first + count, top, first);
        return;
    }
    for (uint64_t i = 0, size; i < count; i += size) {
        size = radix_block(i, count);
        memmove(items + i, RADIX_FN(read)(view, from, first + i, size, space),
                size * sizeof *items);
    }
    here.items = items;
    RADIX_FN(exchange_range)(&here, scratch, 0, count, top, first);
}

/* A leaf that does not fit the first-level cache: what counting and scattering do elsewhere. */
static inline void RADIX_FN(split)(const RADIX_VIEW *view, struct radix_scratch *scratch,
                                   enum radix_place from, uint64_t first, uint64_t count,
                                   uint32_t top)
{
    RADIX_FN(exchange_from)(view, scratch, from, scratch->first, first, count, top);
}

static void RADIX_FN(exchange)(const struct radix_state *state, struct radix_scratch *scratch,
                               uint64_t count)
{
    RADIX_VIEW view = RADIX_FN(view_of)(state);
    RADIX_FN(exchange_from)
    (&view, scratch, RADIX_INPUT, view.items, 0, count, RADIX_BITS);
}
