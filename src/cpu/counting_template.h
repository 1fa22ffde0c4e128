/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counting sort's expansion, for keys of one width.
 *
 * Template parameters, all required, undefined again at the end:
 *   COUNTING_BITS   8 or 16
 *   COUNTING_KEY    the unsigned type of that width
 *
 * Defines `counting_uBITS_expand` and `counting_uBITS_ends`. The including file has
 * stream_line().
 */
#if !defined(COUNTING_BITS) || !defined(COUNTING_KEY)
#error "counting_template.h needs COUNTING_BITS and COUNTING_KEY"
#endif

#define COUNTING_PASTE_(a, bits, b) a##bits##b
#define COUNTING_PASTE(a, bits, b)  COUNTING_PASTE_(a, bits, b)
#define COUNTING_FN(name)           COUNTING_PASTE(counting_u, COUNTING_BITS, name)
#define COUNTING_CODEC(name)        COUNTING_PASTE(codec_u, COUNTING_BITS, name)

/* One key over and over. A long run of a large output goes past the caches, line by line: what is
 * written is not read first. */
static void COUNTING_FN(_fill)(COUNTING_KEY *to, COUNTING_KEY *end, COUNTING_KEY key, bool stream)
{
    enum {
        PER_LINE = 64 / sizeof(COUNTING_KEY)
    };
    if (stream && end - to >= 4 * PER_LINE) {
        _Alignas(64) COUNTING_KEY line[PER_LINE];
        for (uint32_t i = 0; i < PER_LINE; i++)
            line[i] = key;
        for (; (uintptr_t)to % 64 != 0; to++)
            *to = key;
        for (; end - to >= PER_LINE; to += PER_LINE)
            stream_line(to, line);
    }
    while (to < end)
        *to++ = key;
}

/* Writes [first, last) of the output to `to`; ends[code] is where the keys of that code end. */
static void COUNTING_FN(_expand)(const struct codec *codec, void *to, const uint64_t *ends,
                                 uint64_t first, uint64_t last, bool stream)
{
    struct COUNTING_CODEC() c = COUNTING_CODEC(_of)(codec);
    COUNTING_KEY *keys = to;
    uint32_t code = counting_upper_bound(ends, 1u << COUNTING_BITS, first);
    while (first < last) {
        uint64_t end = ends[code] < last ? ends[code] : last;
        COUNTING_KEY key = COUNTING_CODEC(_decode)(c, (COUNTING_KEY)code++);
        COUNTING_FN(_fill)(keys, keys + (end - first), key, stream);
        keys += end - first;
        first = end;
    }
    if (stream)
        stream_fence();
}

/* Stored keys' totals, in the order of their codes, as ends. */
static void COUNTING_FN(_ends)(const struct codec *codec, const uint64_t *totals, uint64_t *ends)
{
    struct COUNTING_CODEC() c = COUNTING_CODEC(_of)(codec);
    uint64_t end = 0;
    for (uint32_t code = 0; code < 1u << COUNTING_BITS; code++)
        ends[code] = end += totals[COUNTING_CODEC(_decode)(c, (COUNTING_KEY)code)];
}

#undef COUNTING_PASTE_
#undef COUNTING_PASTE
#undef COUNTING_FN
#undef COUNTING_CODEC
#undef COUNTING_BITS
#undef COUNTING_KEY
