/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole passes over memory for one item type: histogram and stable scatter through software
 * write-combining buffers. Included by radix_template.h.
 *
 * A bucket's buffer holds the items whose places lie in one aligned line of the destination; it is
 * flushed whole, with non-temporal stores where destination and buffer agree in alignment.
 * (Idea: Satish et al., "Fast sort on CPUs and GPUs", SIGMOD 2010; Wassenberg & Sanders, 2011.)
 */

/* Items of a buffer: at least one cache line. */
#define RADIX_LINE                                                                                 \
    (sizeof(RADIX_ITEM) <= 1    ? 128                                                              \
     : sizeof(RADIX_ITEM) <= 2  ? 64                                                               \
     : sizeof(RADIX_ITEM) <= 4  ? 32                                                               \
     : sizeof(RADIX_ITEM) <= 12 ? 16                                                               \
     : sizeof(RADIX_ITEM) <= 16 ? 8                                                                \
                                : 8)

#ifdef RADIX_EXCHANGE
#define RADIX_HAS_PREFIXES 1
#else
#define RADIX_HAS_PREFIXES 0
#endif

/* The digits of a block by prefixes: worth it where they are vectorized. */
static inline void RADIX_FN(block_digits)(const struct radix_digit *digit, const RADIX_KEY *codes,
                                          uint64_t count, uint32_t *digits)
{
#ifdef RADIX_EXCHANGE
    for (uint64_t j = RADIX_EXCHANGE(digits)(digit->prefixes, codes, count, digits); j < count; j++)
        digits[j] = radix_prefix_bucket(digit->prefixes, codes[j]);
#else
    (void)digit, (void)codes, (void)count, (void)digits;
#endif
}

static inline void RADIX_FN(histogram_from)(const struct radix_state *state,
                                            struct radix_scratch *scratch, enum radix_place from,
                                            uint64_t first, uint64_t last, struct radix_digit digit,
                                            bool prefixes)
{
    RADIX_VIEW view = RADIX_FN(view_of)(state);
    const uint32_t shift = digit.shift, mask = (1u << digit.bits) - 1;
    uint32_t digits[RADIX_BLOCK] = {0}; /* gcc at -O1 does not see that they are set when read */
    uint64_t *const counts = scratch->counts;
    memset(counts, 0, sizeof *counts << digit.bits);
    scratch->varying = 0;
    if (first == last)
        return;
    RADIX_KEY space[RADIX_BLOCK], varying = 0;
    const RADIX_KEY pivot =
        RADIX_FN(code)(&view, from, RADIX_FN(read)(&view, from, first, 1, space), first, 0);
    for (uint64_t i = first, size; i < last; i += size) {
        size = radix_block(i, last);
        RADIX_FN(ahead)(&view, from, i, size);
        const RADIX_KEY *block = RADIX_FN(read)(&view, from, i, size, space);
        if (prefixes)
            RADIX_FN(block_digits)(&digit, block, size, digits);
        for (uint64_t j = 0; j < size; j++) {
            RADIX_KEY code = RADIX_FN(code)(&view, from, block, i, j);
            varying |= (RADIX_KEY)(code ^ pivot);
            counts[prefixes ? digits[j] : (uint32_t)(code >> shift) & mask]++;
        }
    }
    scratch->varying = varying;
    scratch->pivot = pivot;
}

static void RADIX_FN(histogram)(const struct radix_state *state, struct radix_scratch *scratch,
                                enum radix_place from, uint64_t first, uint64_t last,
                                const struct radix_digit *digit)
{
    if (RADIX_HAS_PREFIXES && from == RADIX_INPUT && digit->prefixes)
        RADIX_FN(histogram_from)(state, scratch, RADIX_INPUT, first, last, *digit, true);
    else if (from == RADIX_INPUT)
        RADIX_FN(histogram_from)(state, scratch, RADIX_INPUT, first, last, *digit, false);
    else if (from == RADIX_ITEMS)
        RADIX_FN(histogram_from)(state, scratch, RADIX_ITEMS, first, last, *digit, false);
    else
        RADIX_FN(histogram_from)(state, scratch, RADIX_CODES, first, last, *digit, false);
}

static uint128 RADIX_FN(sample)(const struct radix_state *state, enum radix_place from,
                                uint64_t first, uint64_t last)
{
    RADIX_VIEW view = RADIX_FN(view_of)(state);
    RADIX_KEY space[1], pivot = 0, varying = 0;
    uint64_t step = (last - first) / RADIX_SAMPLE + 1;
    for (uint64_t i = first; i < last; i += step) {
        const RADIX_KEY *block = RADIX_FN(read)(&view, from, i, 1, space);
        RADIX_KEY code = RADIX_FN(code)(&view, from, block, i, 0);
        if (i == first)
            pivot = code;
        varying |= (RADIX_KEY)(code ^ pivot);
    }
    return varying;
}

#ifdef RADIX_EXCHANGE
/* Places are drawn at random, one of each stretch: lists that repeat themselves look like few keys
 * at equal distances. */
static uint128 RADIX_FN(tally)(const struct radix_state *state, uint64_t first, uint64_t last,
                               uint64_t samples, const struct radix_digit *digit, uint32_t *counts)
{
    RADIX_VIEW view = RADIX_FN(view_of)(state);
    RADIX_KEY space[1] = {0};
    const RADIX_KEY *code = space;
    const uint32_t shift = digit->shift, mask = (1u << digit->bits) - 1;
    const uint64_t step = (last - first) / samples;
    uint64_t draw = 0;
    for (uint64_t i = 0; i < samples; i++) {
        draw = draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t place = first + i * step + (draw >> 32) % step;
        code = RADIX_FN(read)(&view, RADIX_INPUT, place, 1, space);
        uint32_t bucket = (uint32_t)(*code >> shift) & mask;
        if (digit->prefixes)
            RADIX_FN(block_digits)(digit, code, 1, &bucket);
        counts[bucket]++;
    }
    return *code;
}
#endif

/* Where the line of position `p` begins relative to an aligned address: `lag` items later. */
static inline uint64_t RADIX_FN(lag)(const RADIX_VIEW *view, enum radix_place to)
{
#if RADIX_VALUE
    (void)view;
    (void)to;
    return 0;
#else
    const void *base = to == RADIX_ITEMS   ? (const void *)view->items
                       : to == RADIX_CODES ? (const void *)view->codes
                                           : (const void *)view->keys_out;
    return (uintptr_t)base % 64 / sizeof(RADIX_KEY);
#endif
}

static inline void RADIX_FN(write_line)(void *to, const RADIX_ITEM *from, bool stream)
{
    const size_t bytes = RADIX_LINE * sizeof(RADIX_ITEM);
    if (stream && bytes % 64 == 0) {
        for (size_t j = 0; j < bytes; j += 64)
            stream_line((unsigned char *)to + j, (const unsigned char *)from + j);
        return;
    }
    memcpy(to, from, bytes);
}

static inline void RADIX_FN(flush_some)(const RADIX_VIEW *view, enum radix_place to,
                                        uint64_t position, const RADIX_ITEM *from, uint64_t count)
{
    if (to == RADIX_ITEMS)
        memcpy(view->items + position, from, count * sizeof(RADIX_ITEM));
    else
        RADIX_FN(put)(view, to, position, from, count);
}

static inline void RADIX_FN(flush)(const RADIX_VIEW *view, enum radix_place to, uint64_t position,
                                   RADIX_ITEM *from)
{
    if (to == RADIX_ITEMS) {
        RADIX_FN(write_line)(view->items + position, from, view->stream);
        return;
    }
#if RADIX_VALUE
    RADIX_FN(put)(view, to, position, from, RADIX_LINE);
#else
    RADIX_KEY *keys = to == RADIX_CODES ? view->codes : view->keys_out;
    if (to == RADIX_FINAL)
        for (uint64_t j = 0; j < RADIX_LINE; j++)
            from[j].key = RADIX_CODEC(_decode)(view->codec, from[j].key);
    RADIX_FN(write_line)(keys + position, from, view->stream);
#endif
}

/* Bucket `bucket`'s buffer is full: writes it out, but for places before this member's first. */
static __attribute__((noinline)) void RADIX_FN(flush_line)(const RADIX_VIEW *view,
                                                           struct radix_scratch *scratch,
                                                           enum radix_place to, uint64_t lag,
                                                           uint64_t bucket)
{
    RADIX_ITEM *buffer = (RADIX_ITEM *)scratch->buffers + bucket * RADIX_LINE;
    uint64_t line = scratch->position[bucket], begin = scratch->begin[bucket];
    if (line >= begin)
        RADIX_FN(flush)(view, to, line - lag, buffer);
    else
        RADIX_FN(flush_some)
    (view, to, begin - lag, buffer + begin % RADIX_LINE, line + RADIX_LINE - begin);
    scratch->position[bucket] = line + RADIX_LINE;
    scratch->cursor[bucket] = (uint32_t)(bucket * RADIX_LINE);
}

/* Positions become those of the lines being filled; cursors point into their buffers. */
static inline void RADIX_FN(aim)(struct radix_scratch *scratch, uint64_t lag, uint32_t bits)
{
    for (uint64_t bucket = 0; bucket < UINT64_C(1) << bits; bucket++) {
        uint64_t begin = scratch->position[bucket] + lag;
        scratch->begin[bucket] = begin;
        scratch->position[bucket] = begin - begin % RADIX_LINE;
        scratch->cursor[bucket] = (uint32_t)(bucket * RADIX_LINE + begin % RADIX_LINE);
    }
}

static inline void RADIX_FN(drain)(const RADIX_VIEW *view, struct radix_scratch *scratch,
                                   enum radix_place to, uint64_t lag, uint32_t bits)
{
    const RADIX_ITEM *buffers = scratch->buffers;
    for (uint64_t bucket = 0; bucket < UINT64_C(1) << bits; bucket++) {
        uint64_t line = scratch->position[bucket];
        uint64_t end = line + scratch->cursor[bucket] % RADIX_LINE;
        uint64_t from = line > scratch->begin[bucket] ? line : scratch->begin[bucket];
        if (from < end)
            RADIX_FN(flush_some)
        (view, to, from - lag, buffers + bucket * RADIX_LINE + from % RADIX_LINE, end - from);
    }
}

static inline void RADIX_FN(scatter_between)(const struct radix_state *state,
                                             struct radix_scratch *scratch, enum radix_place from,
                                             enum radix_place to, uint64_t first, uint64_t last,
                                             struct radix_digit digit, bool prefixes)
{
    RADIX_VIEW view = RADIX_FN(view_of)(state);
    const uint64_t lag = RADIX_FN(lag)(&view, to);
    const uint32_t shift = digit.shift, mask = (1u << digit.bits) - 1;
    uint32_t digits[RADIX_BLOCK] = {0}; /* gcc at -O1 does not see that they are set when read */
    RADIX_ITEM *const buffers = scratch->buffers;
    uint32_t *const cursor = scratch->cursor;
    RADIX_KEY space[RADIX_BLOCK];
    RADIX_FN(aim)(scratch, lag, digit.bits);
    for (uint64_t i = first, size; i < last; i += size) {
        size = radix_block(i, last);
        RADIX_FN(ahead)(&view, from, i, size);
        const RADIX_KEY *block = RADIX_FN(read)(&view, from, i, size, space);
        if (prefixes)
            RADIX_FN(block_digits)(&digit, block, size, digits);
        for (uint64_t j = 0; j < size; j++) {
            RADIX_ITEM item = RADIX_FN(item)(&view, from, block, i, j);
            uint32_t bucket = prefixes ? digits[j] : (uint32_t)(item.key >> shift) & mask;
            uint32_t slot = cursor[bucket];
            buffers[slot++] = item;
            cursor[bucket] = slot;
            if (slot % RADIX_LINE == 0)
                RADIX_FN(flush_line)(&view, scratch, to, lag, bucket);
        }
    }
    RADIX_FN(drain)(&view, scratch, to, lag, digit.bits);
    stream_fence();
}

static void RADIX_FN(scatter)(const struct radix_state *state, struct radix_scratch *scratch,
                              enum radix_place from, enum radix_place to, uint64_t first,
                              uint64_t last, const struct radix_digit *digit)
{
    if (RADIX_HAS_PREFIXES && from == RADIX_INPUT && digit->prefixes)
        RADIX_FN(scatter_between)
    (state, scratch, RADIX_INPUT, to, first, last, *digit, true);
    else if (from == RADIX_INPUT && to == RADIX_ITEMS) RADIX_FN(scatter_between)(
        state, scratch, RADIX_INPUT, RADIX_ITEMS, first, last, *digit, false);
    else if (from == RADIX_INPUT)
        RADIX_FN(scatter_between)(state, scratch, RADIX_INPUT, to, first, last, *digit, false);
    else if (from == RADIX_ITEMS)
        RADIX_FN(scatter_between)(state, scratch, RADIX_ITEMS, to, first, last, *digit, false);
    else RADIX_FN(scatter_between)(state, scratch, RADIX_CODES, RADIX_ITEMS, first, last, *digit,
                                   false);
}
