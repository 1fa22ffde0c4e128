/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of merge sort for one kind of element.
 *
 * Template parameters, all required, undefined again at the end:
 *   MERGE_KIND                name of the kind; kernels are called mergesort_KIND_…
 *   MERGE_BYTES(sort)         bytes of an element, at most MERGESORT_ELEMENT_BYTES
 *   MERGE_BEFORE(sort, x, y)  true if the element at x comes strictly before that at y
 *   MERGE_RUN                 elements that are sorted by insertion; a power of two
 *
 * `sort` is copied before loops, so that stores cannot seem to change it.
 *
 * Defines `mergesort_KIND_kernels`. Every loop is bounded by counts, never by what comparisons say:
 * a comparison that contradicts itself yields a permutation.
 */
#if !defined(MERGE_KIND) || !defined(MERGE_BYTES) || !defined(MERGE_BEFORE) || !defined(MERGE_RUN)
#error "mergesort_template.h needs MERGE_KIND, MERGE_BYTES, MERGE_BEFORE and MERGE_RUN"
#endif

#define MERGE_PASTE_(kind, name) mergesort_##kind##_##name
#define MERGE_PASTE(kind, name)  MERGE_PASTE_(kind, name)
#define MERGE_FN(name)           MERGE_PASTE(MERGE_KIND, name)

static inline void MERGE_FN(copy)(const struct mergesort *sort, char *to, const char *from)
{
    (void)sort;
    memcpy(to, from, MERGE_BYTES(sort));
}

/* Sorts `count` elements from `from` into `to`, which may be the same place. */
static void MERGE_FN(insertion)(const struct mergesort *sort, const char *from, char *to,
                                uint64_t count)
{
    const struct mergesort constants = *sort;
    const uint64_t bytes = MERGE_BYTES(sort);
    _Alignas(16) char held[MERGESORT_ELEMENT_BYTES];
    for (uint64_t i = 0; i < count; i++) {
        MERGE_FN(copy)(&constants, held, from + i * bytes);
        char *hole = to + i * bytes;
        while (hole > to && MERGE_BEFORE(&constants, held, hole - bytes)) {
            MERGE_FN(copy)(&constants, hole, hole - bytes);
            hole -= bytes;
        }
        MERGE_FN(copy)(&constants, hole, held);
    }
}

static void MERGE_FN(append)(char *out, const char *first, const char *first_end,
                             const char *second, const char *second_end)
{
    if (first_end > first)
        memcpy(out, first, (size_t)(first_end - first));
    if (second_end > second)
        memcpy(out + (first_end - first), second, (size_t)(second_end - second));
}

/* Merges [a, a_end) and [b, b_end); of equal elements those of a come first. */
static void MERGE_FN(merge)(const struct mergesort *sort, const char *a, const char *a_end,
                            const char *b, const char *b_end, char *out)
{
    const uint64_t bytes = MERGE_BYTES(sort);
    if (a == a_end || b == b_end || !MERGE_BEFORE(sort, b, a_end - bytes)) {
        MERGE_FN(append)(out, a, a_end, b, b_end);
        return;
    }
    if (MERGE_BEFORE(sort, b_end - bytes, a)) {
        MERGE_FN(append)(out, b, b_end, a, a_end);
        return;
    }
    const struct mergesort constants = *sort;
    while (a < a_end && b < b_end) {
        uint64_t left = (uint64_t)(a_end - a) < (uint64_t)(b_end - b) ? (uint64_t)(a_end - a)
                                                                      : (uint64_t)(b_end - b);
        for (const char *stop = out + left; out < stop; out += bytes) {
            uint64_t from_b = mergesort_mask(MERGE_BEFORE(&constants, b, a));
            MERGE_FN(copy)(&constants, out, mergesort_select(a, b, from_b));
            a += bytes & ~from_b;
            b += bytes & from_b;
        }
    }
    MERGE_FN(append)(out, a, a_end, b, b_end);
}

/* Merges like MERGE_FN(merge) and notes for each output whether it came from b. */
static void MERGE_FN(trace)(const struct mergesort *sort, const char *a, const char *a_end,
                            const char *b, const char *b_end, char *out, unsigned char *from_b)
{
    const struct mergesort constants = *sort;
    const uint64_t bytes = MERGE_BYTES(sort);
    while (a < a_end || b < b_end) {
        bool second = a == a_end || (b < b_end && MERGE_BEFORE(&constants, b, a));
        uint64_t mask = mergesort_mask(second);
        MERGE_FN(copy)(&constants, out, mergesort_select(a, b, mask));
        *from_b++ = second;
        a += bytes & ~mask;
        b += bytes & mask;
        out += bytes;
    }
}

/* How many of the first `rank` elements of the merged list come from a. */
static uint64_t MERGE_FN(co_rank)(const struct mergesort *sort, const char *a, uint64_t a_count,
                                  const char *b, uint64_t b_count, uint64_t rank)
{
    const uint64_t bytes = MERGE_BYTES(sort);
    uint64_t low = rank > b_count ? rank - b_count : 0;
    uint64_t high = rank < a_count ? rank : a_count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (MERGE_BEFORE(sort, b + (rank - middle - 1) * bytes, a + middle * bytes))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Merges neighbouring runs of `width` elements of a tile. */
static void MERGE_FN(level)(const struct mergesort *sort, const char *from, char *to,
                            uint64_t count, uint64_t width)
{
    const uint64_t bytes = MERGE_BYTES(sort);
    for (uint64_t first = 0; first < count; first += 2 * width) {
        uint64_t middle = first + width < count ? first + width : count;
        uint64_t last = middle + width < count ? middle + width : count;
        MERGE_FN(merge)
        (sort, from + first * bytes, from + middle * bytes, from + middle * bytes,
         from + last * bytes, to + first * bytes);
    }
}

/* Sorts a tile from `in` into `out` through `spare`; `in` may be either of them. */
static void MERGE_FN(tile)(const struct mergesort *sort, const char *in, char *out, char *spare,
                           uint64_t count)
{
    const uint64_t bytes = MERGE_BYTES(sort);
    uint32_t levels = 0;
    while ((uint64_t)MERGE_RUN << levels < count)
        levels++;
    char *to = levels % 2 == 0 ? out : spare, *other = levels % 2 == 0 ? spare : out;
    for (uint64_t first = 0; first < count; first += MERGE_RUN)
        MERGE_FN(insertion)
    (sort, in + first * bytes, to + first * bytes,
     count - first < MERGE_RUN ? count - first : MERGE_RUN);
    for (uint32_t level = 0; level < levels; level++) {
        MERGE_FN(level)(sort, to, other, count, (uint64_t)MERGE_RUN << level);
        char *swap = to;
        to = other;
        other = swap;
    }
}

static const struct mergesort_kernels MERGE_FN(kernels) = {
    .tile = MERGE_FN(tile),
    .merge = MERGE_FN(merge),
    .trace = MERGE_FN(trace),
    .co_rank = MERGE_FN(co_rank),
};

#undef MERGE_FN
#undef MERGE_PASTE
#undef MERGE_PASTE_
#undef MERGE_KIND
#undef MERGE_BYTES
#undef MERGE_BEFORE
#undef MERGE_RUN
